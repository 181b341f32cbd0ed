"""Uses Spark to create the tables of large-builds.md from recorded/MACHINE/branches-*.json and functions-*.json."""

import pathlib
import re

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()

schema = """module STRING, function STRING, local BOOLEAN, block STRING, number BIGINT, file STRING, line BIGINT, kind STRING,
  rule STRING, executions STRING, edges ARRAY<STRUCT<to: BIGINT, numerator: BIGINT, true_weight: BIGINT>>"""
lines = spark.read.schema(schema).json("recorded/*/branches-*.json")
lines = lines.withColumn("executions", lines.executions.cast("DECIMAL(20, 0)"))
lines = lines.selectExpr("*", "CASE WHEN local THEN module END AS owner")
lines = lines.dropDuplicates(["owner", "function", "number", "file", "line"])
# This statement creates a table and not a view, because a view could number the lines differently in each query.
lines.selectExpr("monotonically_increasing_id() AS id", "*").write.saveAsTable("line")
spark.sql("CREATE TABLE edge AS SELECT id, explode(edges) AS edge FROM line")

statements = pathlib.Path(__file__).with_name("large-builds.sql").read_text()
spark.sql(re.search(r"CREATE TABLE branches AS[^;]*", statements)[0])

schema = """function STRING, source STRUCT<file: STRING>, entry_count STRUCT<synthetic: BOOLEAN>,
  edges ARRAY<STRUCT<from: BIGINT, rule: STRING>>"""
spark.read.schema(schema).json("recorded/*/functions-*.json").selectExpr(
    "source.file AS file",
    "function",
    "entry_count IS NOT NULL AS has_profile",
    "size(array_distinct(transform(filter(edges, edge -> edge.rule <> 'single'), edge -> edge.from))) AS branches",
).createOrReplaceTempView("recorded")
spark.sql("""CREATE TABLE functions AS
  SELECT file, function, bool_or(has_profile) AS has_profile, max(branches) AS branches FROM recorded GROUP BY file, function""")
