-- Creates the tables of large-builds.md in DuckDB: duckdb build.db < large-builds.sql

-- If several modules contain one function, the table contains one copy: each copy has the counts of all copies.
CREATE TABLE line AS
SELECT row_number() OVER () AS id, *
FROM (
  SELECT DISTINCT ON (CASE WHEN local THEN module END, function, number, file, line) *
  FROM read_json('branches.json', format = 'newline_delimited', columns = {
    module: 'VARCHAR', function: 'VARCHAR', local: 'BOOLEAN', block: 'VARCHAR', number: 'BIGINT',
    file: 'VARCHAR', line: 'BIGINT', kind: 'VARCHAR', rule: 'VARCHAR', executions: 'UBIGINT',
    edges: 'STRUCT("to" BIGINT, numerator BIGINT, true_weight BIGINT)[]'})
  ORDER BY module
);

CREATE TABLE edge AS SELECT id, unnest(edges) AS edge FROM line;

CREATE TABLE branches AS
WITH successor AS (
  -- Parallel edges to one block are one successor of the branch. The weights of a front-end profile are counts plus 1.
  SELECT id, sum(edge.numerator) / 2147483648 AS predicted, sum(edge.true_weight - 1) AS taken,
    max(edge.true_weight) AS weight
  FROM edge GROUP BY id, edge.to
), ranked AS (
  SELECT *, max(predicted) OVER (PARTITION BY id) AS likeliest FROM successor
), share AS (
  SELECT id, max(predicted) AS predicted, coalesce(sum(taken), 0) AS total, max(weight) AS weight,
    max(taken) / nullif(sum(taken), 0) AS best,
    avg(CASE WHEN predicted = likeliest THEN taken END) / nullif(sum(taken), 0) AS hit
  FROM ranked GROUP BY id
), counted AS (
  -- Two kinds of weights are not counts: clang divides counts that do not fit into 32 bits, and writes the constant
  -- 2^20 - 1 at the guards of static variables. For these branches, the frequency of the block gives the executions.
  SELECT id, predicted, hit, best,
    CASE WHEN weight > 2147483647 OR weight = 1048575 THEN line.executions ELSE total END AS executions
  FROM line JOIN share USING (id)
)
SELECT module, function, local, block, file, line, kind, rule, counted.executions, predicted, hit, best,
  coalesce(counted.executions * (best - hit), 0) AS avoidable
FROM line JOIN counted USING (id);

-- If several modules contain one inline function, the table contains one row for the function.
CREATE TABLE functions AS
SELECT file, function, bool_or(has_profile) AS has_profile, max(branches) AS branches
FROM (
  SELECT source.file AS file, function, entry_count IS NOT NULL AS has_profile,
    len(list_distinct([edge."from" FOR edge IN edges IF edge.rule <> 'single'])) AS branches
  FROM read_json('functions.json', format = 'newline_delimited', columns = {
    function: 'VARCHAR', source: 'STRUCT(file VARCHAR)', entry_count: 'STRUCT(synthetic BOOLEAN)',
    edges: 'STRUCT("from" UINTEGER, rule VARCHAR)[]'})
)
GROUP BY file, function;
