"""A program that never gets hot: many imports, and thousands of functions and loops that each run a dozen times."""

import argparse
import asyncio
import csv
import decimal
import email.message
import http.client
import json
import logging.config
import sys
import tarfile
import unittest.mock
import urllib.request
import xml.dom.minidom
import zipfile

BENCH = {"group": "other", "size": 25, "small": 1, "numba": "compiles its source as it runs"}

# The text is compiled anew for each repetition, a hundred at a time: no function and no code object is seen twice.
SOURCE = """
def area(width, height=2):
    if width > 8:
        return width * height
    return width + height

def label(number):
    return "item-" + str(number)

class Entry:
    def __init__(self, name, value):
        self.name = name
        self.value = value

    def total(self, extra):
        return self.value + extra

def collect(limit):
    entries = []
    for k in range(limit):
        entries.append(Entry(label(k), area(k)))
    found = {}
    for entry in entries:
        found[entry.name] = entry.total(len(entries))
    return sum(found.values())

result += collect(12)
"""


def run(n):
    names = {"result": 0}
    for _ in range(n):
        exec(SOURCE * 100, names)
    return names["result"]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
