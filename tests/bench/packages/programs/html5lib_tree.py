"""html5lib: sloppy HTML to a tree and back."""

import hashlib
import sys

import html5lib

BENCH = {"size": 1100, "small": 3}

ROW = """<tr class="r{n} {odd}"><td>{n}<td><a href="/item/{n}?a=1&b=2">item <b>{n}</a></b></td>
<td>&euro;{n}.50 &lt;x&gt;<!-- row {n} --><ul><li>one<li>two</ul></tr>"""


def make_page(size):
    rows = "".join(ROW.format(n=n, odd="odd" if n % 2 else "even") for n in range(size))
    return f"<!DOCTYPE html><html><head><title>rows</title><body><h1>Rows</h1><table id=main>{rows}</table><p>end"


def run(size):
    tree = html5lib.parse(make_page(size), treebuilder="etree", namespaceHTMLElements=False)
    links = [link.get("href") for link in tree.iter("a")]
    text = html5lib.serialize(tree, tree="etree", omit_optional_tags=False)
    return len(links), links[-1], hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
