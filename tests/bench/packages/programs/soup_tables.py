"""Beautiful Soup: a page parsed by html.parser, searched, changed and printed."""

import hashlib
import sys

from bs4 import BeautifulSoup

BENCH = {"size": 1000, "small": 3}

ROW = """<tr class="r{n} {odd}"><td>{n}<td><a href="/item/{n}?a=1&b=2">item <b>{n}</a></b></td>
<td>&euro;{n}.50 &lt;x&gt;<!-- row {n} --><ul><li>one<li>two</ul></tr>"""


def make_page(size):
    rows = "".join(ROW.format(n=n, odd="odd" if n % 2 else "even") for n in range(size))
    return f"<!DOCTYPE html><html><head><title>rows</title><body><h1>Rows</h1><table id=main>{rows}</table><p>end"


def run(size):
    soup = BeautifulSoup(make_page(size), "html.parser")
    odd = [row.td.get_text() for row in soup.select("table#main tr.odd")]
    for link in soup.find_all("a", href=True):
        link["href"] = link["href"].replace("/item/", "/thing/")
    for mark in soup.find_all("b"):
        mark.unwrap()
    items = sum(len(row.find_all("li")) for row in soup.find_all("tr"))
    return len(odd), items, hashlib.sha256(str(soup).encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
