"""SQLGlot: queries parsed, optimised and written in other dialects."""

import hashlib
import sys

import sqlglot
from sqlglot import optimizer

BENCH = {"size": 60, "small": 1}

SCHEMA = {"users": {"id": "INT", "name": "TEXT", "age": "INT"},
          "orders": {"id": "INT", "user_id": "INT", "total": "DOUBLE", "placed": "DATE"}}
QUERIES = (
    "SELECT u.name, COUNT(*) AS n, SUM(o.total) FROM users u JOIN orders o ON u.id = o.user_id"
    " WHERE o.placed > '2024-01-{d:02d}' AND NOT (u.age < {n} OR u.name LIKE 'a%') GROUP BY u.name"
    " HAVING COUNT(*) > {n}",
    "WITH big AS (SELECT user_id, total FROM orders WHERE total > {n} + 1 * 2) SELECT name, total, ROW_NUMBER() OVER"
    " (PARTITION BY name ORDER BY total DESC) AS r FROM users JOIN big ON users.id = big.user_id LIMIT {n}",
    "SELECT CASE WHEN age > {n} THEN 'old' WHEN age BETWEEN 1 AND {d} THEN 'young' ELSE COALESCE(name, '?') END AS k"
    " FROM users WHERE id IN (SELECT user_id FROM orders WHERE total IS NOT NULL)",
)


def run(size):
    digest = hashlib.sha256()
    for k in range(size):
        tree = sqlglot.parse_one(QUERIES[k % 3].format(n=k, d=k % 28 + 1))
        for dialect in ("mysql", "bigquery", "tsql"):
            digest.update(tree.sql(dialect=dialect).encode())
        if k % 4 == 0:
            digest.update(optimizer.optimize(tree, schema=SCHEMA).sql(pretty=True).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
