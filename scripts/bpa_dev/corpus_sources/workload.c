/* A workload for SQLite. The corpus has a profile of this workload. */

#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static sqlite3 *database;

static int print_row(void *count, int columns, char **values, char **names) {
  (void)columns, (void)values, (void)names;
  ++*(int *)count;
  return 0;
}

/* Runs statements that must succeed, and returns the number of rows. */
static int run(const char *sql) {
  char *message = NULL;
  int rows = 0;
  if (sqlite3_exec(database, sql, print_row, &rows, &message) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", sql, message);
    exit(1);
  }
  return rows;
}

/* Runs a statement that must fail. */
static void run_in_vain(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK) {
    fprintf(stderr, "%s: no error\n", sql);
    exit(1);
  }
}

static void fill(int people) {
  static const char *const cities[] = {"Oslo", "Lima", "Bern", "Accra", "Quito"};
  sqlite3_stmt *insert;
  run("BEGIN");
  sqlite3_prepare_v2(database, "INSERT INTO person(name, city, age) VALUES (?, ?, ?)", -1,
                     &insert, NULL);
  for (int person = 0; person < people; ++person) {
    char name[32];
    snprintf(name, sizeof name, "person %d", person * 7919 % people);
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, cities[person % 5], -1, SQLITE_STATIC);
    sqlite3_bind_int(insert, 3, person * 31 % 90);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run("COMMIT");
}

static void query(void) {
  run("SELECT city, count(*), avg(age) FROM person GROUP BY city ORDER BY 2 DESC, 1");
  run("SELECT p.name, q.name FROM person p JOIN person q ON q.age = p.age + 1 AND q.city = p.city"
      " WHERE p.id < 200 ORDER BY p.name LIMIT 500");
  run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
      " SELECT sum(i * i) FROM n");
  run("SELECT name, rank() OVER (PARTITION BY city ORDER BY age) FROM person WHERE id % 10 = 0");
  run("SELECT DISTINCT substr(name, 1, 8) || upper(city) FROM person WHERE name LIKE '%1%'");
  run("SELECT json_extract(j, '$.a[1]') FROM (SELECT '{\"a\": [1, 2, 3]}' AS j)");
  run("SELECT strftime('%Y', '2020-02-29', '+1 year'), printf('%08.3f', 3.14159)");
  run("EXPLAIN QUERY PLAN SELECT * FROM person WHERE city = 'Lima' AND age > 30");
}

static void change(void) {
  run("CREATE INDEX by_city ON person(city, age)");
  run("UPDATE person SET age = age + 1 WHERE city IN ('Oslo', 'Bern')");
  run("SAVEPOINT a; DELETE FROM person WHERE id % 3 = 0; ROLLBACK TO a; RELEASE a");
  run("CREATE TRIGGER grow AFTER INSERT ON person BEGIN UPDATE tally SET n = n + 1; END");
  run("INSERT INTO person(name, city, age) SELECT name || '!', city, age FROM person LIMIT 300");
  run_in_vain("INSERT INTO person(id, name) VALUES (1, 'again')");
  run_in_vain("SELECT nothing FROM nowhere");
  run_in_vain("SELEKT 1");
  run("ALTER TABLE person ADD COLUMN note TEXT DEFAULT ''");
  run("DELETE FROM person WHERE age > 80; VACUUM; ANALYZE; PRAGMA integrity_check");
}

int main(void) {
  if (sqlite3_open("workload.db", &database) != SQLITE_OK) return 1;
  run("DROP TABLE IF EXISTS person; DROP TABLE IF EXISTS tally; DROP TABLE IF EXISTS words");
  run("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, age INT)");
  run("CREATE TABLE tally(n INT); INSERT INTO tally VALUES (0)");
  fill(5000);
  query();
  change();
  query();
  run("CREATE VIRTUAL TABLE words USING fts5(body)");
  run("INSERT INTO words SELECT name || ' of ' || city FROM person LIMIT 500");
  run("SELECT count(*) FROM words WHERE words MATCH 'oslo AND person'");
  return sqlite3_close(database) == SQLITE_OK ? 0 : 1;
}
