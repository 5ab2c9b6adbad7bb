"""Markdown: text with extensions to HTML."""

import hashlib
import sys

import markdown

BENCH = {"size": 300, "small": 2}

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
    text = "[TOC]\n\n" + "\n".join(SECTION.format(n=n) for n in range(size))
    page = markdown.markdown(text, extensions=["toc", "tables", "def_list", "abbr"])
    return hashlib.sha256(page.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
