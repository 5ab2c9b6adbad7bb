"""sqlparse: statements split, grouped and laid out."""

import hashlib
import sys

import sqlparse

BENCH = {"size": 30, "small": 2}

QUERY = """select a.id, b.name as "the name", count(distinct c.x) from t{n} a left outer join s b
on a.id=b.id and b.k>{n} inner join (select * from u where d between '2024-01-01' and '2024-02-0{m}') c using (id) -- note {n}
where a.v in (1, 2, {n}) and (b.w is null or not exists (select 1 from z)) group by 1, 2 order by 3 desc limit {n};
insert into log (a, b) values ({n}, 'x;y'), (2, case when {n} > 1 then 'p' else 'q' end); /* end */
"""


def run(size):
    text = "".join(QUERY.format(n=n, m=n % 9 + 1) for n in range(size))
    digest = hashlib.sha256()
    kinds = []
    for statement in sqlparse.split(text):
        digest.update(sqlparse.format(statement, reindent=True, keyword_case="upper", strip_comments=True).encode())
        kinds.append(sqlparse.parse(statement)[0].get_type())
    return len(kinds), kinds[:2], digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
