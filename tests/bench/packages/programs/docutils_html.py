"""docutils: reStructuredText to HTML."""

import hashlib
import sys

from docutils.core import publish_string

BENCH = {"size": 60, "small": 1}

SECTION = """
Section {n}
=============

A paragraph with *emphasis*, **strong**, ``literal``, a `link <http://example.org/{n}>`_ and a footnote [{n}]_.

.. [{n}] The footnote of section {n}.

- a list

  - nested {n}
  - again

+------+-------+
| head | value |
+======+=======+
| a    | {n:5d} |
+------+-------+

.. note:: Take care of {n}.

:field: value {n}
:other: *value*

Term
    Its definition, with |sub{n}|.

.. |sub{n}| replace:: a substitution

::

    literal block {n}
"""


def run(size):
    text = "Title\n*****\n" + "".join(SECTION.format(n=n) for n in range(1, size + 1))
    settings = {"report_level": 5, "stylesheet_path": "", "embed_stylesheet": False, "datestamp": None,
                "_disable_config": True}
    page = publish_string(text, writer_name="html5", settings_overrides=settings)
    return len(page), hashlib.sha256(page).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
