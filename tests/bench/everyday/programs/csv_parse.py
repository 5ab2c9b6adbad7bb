"""Parsing CSV-like text with str.split, try/except around int() and float()."""

import sys

BENCH = {"size": 100_000, "small": 100}


def make_lines(n):
    cities = ["Paris", "Berlin", "Rome", "Oslo", "Lima", ""]
    lines = ["id,name,city,age,score"]
    for i in range(n):
        age = i % 90 if i % 7 else "n/a"
        score = f"{i * 37 % 1000 / 10}" if i % 11 else "-"
        lines.append(f"{i}, person{i % 1000} ,{cities[i % 6]},{age},{score}")
    return lines


def to_number(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def parse(lines):
    header = lines[0].split(",")
    rows = []
    for line in lines[1:]:
        values = [v.strip() for v in line.split(",")]
        row = dict(zip(header, values))
        row["id"] = int(row["id"])
        row["age"] = to_number(row["age"])
        row["score"] = to_number(row["score"])
        rows.append(row)
    return rows


def parse_quoted(line):
    fields, current, quoted = [], "", False
    for c in line:
        if c == '"':
            quoted = not quoted
        elif c == "," and not quoted:
            fields.append(current)
            current = ""
        else:
            current += c
    fields.append(current)
    return fields


def statistics(rows):
    by_city = {}
    bad = 0
    for row in rows:
        if row["age"] is None or row["score"] is None:
            bad += 1
            continue
        n, ages, scores = by_city.get(row["city"] or "unknown", (0, 0, 0.0))
        by_city[row["city"] or "unknown"] = (n + 1, ages + row["age"], scores + row["score"])
    return bad, {city: round(scores / n + ages / n, 6) for city, (n, ages, scores) in by_city.items()}


def run(size):
    rows = parse(make_lines(size))
    bad, means = statistics(rows)
    fields = 0
    for i in range(size // 16):
        fields += len(parse_quoted(f'{i},"Smith, John",42,"a, b, c",x{i}'))
    return bad, sorted(means.items()), fields


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
