"""Pygments: Python, JSON and HTML highlighted."""

import hashlib
import sys

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import HtmlLexer, JsonLexer, PythonLexer

BENCH = {"size": 60, "small": 1}

PYTHON = """
class Stack(list):
    "A stack of {n}."
    limit: int = 0x{n:x}

    def push(self, item, *, check=True):
        if check and len(self) >= self.limit:  # too many
            raise ValueError(f"no room for {{item!r:>10}} of {{self.limit}}")
        self.append(item ** 2 if isinstance(item, (int, float)) else None)
        return lambda x, y=3.5e-7: x @ y
"""


def run(size):
    python = "".join(PYTHON.format(n=n) for n in range(5 * size))
    json = "[" + ",".join('{"key%d": [1, 2.5, true, null, "text \\u00e9"]}' % n for n in range(10 * size)) + "]"
    html = "".join(f'<div class="c{n}" id=x{n}><p>text &amp; <a href="u">link</a><!-- note --></p></div>\n'
                   for n in range(10 * size))
    digest = hashlib.sha256()
    for text, lexer in ((python, PythonLexer()), (json, JsonLexer()), (html, HtmlLexer())):
        digest.update(highlight(text, lexer, HtmlFormatter(linenos=True)).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
