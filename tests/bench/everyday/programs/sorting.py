"""Sorting with key functions, attrgetter, namedtuples, groupby; and sorts written by hand."""

import sys
from collections import namedtuple
from functools import cmp_to_key
from itertools import groupby
from operator import attrgetter, itemgetter

BENCH = {"size": 60_000, "small": 400}

Employee = namedtuple("Employee", "name dept salary age")


def staff(n):
    depts = ["ops", "dev", "hr", "sales", "law"]
    return [Employee(f"e{i * 7919 % n}", depts[i * 31 % 5], i * 1013 % 9000 + 1000, i * 17 % 45 + 20) for i in range(n)]


def compare(a, b):
    if a.age != b.age:
        return b.age - a.age
    return (a.salary > b.salary) - (a.salary < b.salary)


def merge_sort(items):
    if len(items) <= 1:
        return items
    mid = len(items) // 2
    left, right = merge_sort(items[:mid]), merge_sort(items[mid:])
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    result.extend(left[i:])
    result.extend(right[j:])
    return result


def quick_sort(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    return (quick_sort([x for x in items if x < pivot]) + [x for x in items if x == pivot]
            + quick_sort([x for x in items if x > pivot]))


def insertion_sort(items, key):
    items = list(items)
    for i in range(1, len(items)):
        item = items[i]
        j = i - 1
        while j >= 0 and key(items[j]) > key(item):
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = item
    return items


def run(size):
    people = staff(size)
    by_salary = sorted(people, key=lambda e: (-e.salary, e.name))
    by_age = sorted(people, key=attrgetter("age", "salary"))
    compared = sorted(people[:size // 12], key=cmp_to_key(compare))
    total = by_salary[100].salary + by_age[-1].age + compared[20].salary
    for dept, group in groupby(sorted(people, key=itemgetter(1)), key=lambda e: e.dept):
        members = list(group)
        total += sum(e.salary for e in members) // len(members)
    older = [e._replace(age=e.age + 1) for e in people]
    total += sum(e.age for e in older)
    salaries = [e.salary for e in people]
    assert merge_sort(salaries) == quick_sort(salaries) == sorted(salaries)
    inserted = insertion_sort(people[:300], key=lambda e: e.salary)
    return total, inserted[5].salary


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
