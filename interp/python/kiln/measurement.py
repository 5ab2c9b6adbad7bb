"""`kiln.measure()`: what a part of a program did, as a report of its own."""

from __future__ import annotations

import json
import linecache
import os
from typing import Any

import _kiln


class Measurement:
    """A `with` statement's body, measured. Its report is there when the body has ended, with an exception too."""

    def __init__(self) -> None:
        self._number: int | None = None
        self.text = ""  # the report's JSON

    def __enter__(self) -> Measurement:
        """Begins. RuntimeError when nothing can be measured."""
        if self._number is not None:
            raise RuntimeError("this measurement is under way")
        self._number = _kiln.begin_measurement()
        return self

    def __exit__(self, *exception: object) -> None:
        number, self._number = self._number, None
        try:
            self.text = _kiln.end_measurement(number)
        except RuntimeError:  # a forked child of where it began
            self.text = ""

    @property
    def report(self) -> dict[str, Any]:
        """The report as KILN_REPORT=FILE.json has it; {} where there is none."""
        return json.loads(self.text) if self.text else {}

    def table(self) -> str:
        """The report as KILN_REPORT=1 prints it."""
        return _kiln.render_report(self.text) if self.text else ""

    def page(self) -> str:
        """The report as KILN_REPORT=FILE.html writes it."""
        from kiln.report import has_source

        return _kiln.render_page(self.text, has_source(), self._texts()) if self.text else ""

    def _texts(self) -> dict[str, str]:
        """Source text that is in no file, such as that of a notebook's cells, as tracebacks find it."""
        names = {function["file"] for function in self.report["functions"] if function["samples"] > 0}
        lines = {name: linecache.getlines(name) for name in names if name and not os.path.exists(name)}
        return {name: "".join(text) for name, text in lines.items() if text}

    def __str__(self) -> str:
        return self.table()
