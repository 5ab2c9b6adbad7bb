"""mistune: Markdown with tables and footnotes to HTML."""

import hashlib
import sys

import mistune

BENCH = {"size": 400, "small": 3}

SECTION = """
# Chapter {n}: of *things* and **stuff**

A paragraph with `code`, a [link](http://example.org/{n} "title"), an ![image](pic{n}.png) and <b>html</b>.
It goes on -- over several lines, with \\* escapes and an autolink <http://example.org>.

* one item with *emphasis*
* two items
    * nested {n}
    * nested again
1. first
2. second, **strong `code`**

> A quotation of {n}
> that has *two* lines.

    indented = code({n})

---

Last words: a_b_c, 2 * 3 * {n}, and &amp; &lt;.
"""


def run(size):
    table = "| name | value |\n|------|------:|\n" + "".join(f"| row {k} | ~~{k}~~ **{k * k}** |\n" for k in range(8))
    text = "\n".join(SECTION.format(n=n) + table + f"\nNote[^{n}].\n\n[^{n}]: the note {n}\n" for n in range(size))
    render = mistune.create_markdown(plugins=["table", "strikethrough", "footnotes"])
    return hashlib.sha256(render(text).encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
