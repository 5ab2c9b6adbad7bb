"""Makes the parts of the HTML report that are the same for all programs into a C++ file.

Usage: make_page.py OUTPUT.cpp REASONS.py

The page is page.html with page.css, the scripts and the explanations of all codes put in; what the report fills in is data.
The page allows no script but this one, by its hash.
"""

import base64
import hashlib
import importlib.util
import json
import pathlib
import sys
import textwrap

FOLDER = pathlib.Path(__file__).parent
SCRIPTS = ("model", "verdict", "table", "flame", "source", "timeline", "main")


def reasons(path: str) -> str:
    """Every code with its title, cause and rewrite, as JSON that can stand in a page."""
    spec = importlib.util.spec_from_file_location("reasons", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table = {
        code: {"title": reason.title, "cause": reason.cause, "rewrite": textwrap.dedent(reason.rewrite).strip("\n")}
        for code, reason in module.REASONS.items()
    }
    return json.dumps(table).replace("<", "\\u003c")


def page() -> tuple[str, str]:
    """The page in front of the data and behind it."""
    script = '"use strict";\n' + "\n".join((FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(("\n" + script).encode()).digest()).decode()
    text = (FOLDER / "page.html").read_text("utf-8")
    text = text.replace("@SCRIPT_HASH@", f"'sha256-{digest}'").replace("@STYLE@", (FOLDER / "page.css").read_text("utf-8"))
    head, tail = text.split("@DATA@")
    return head, tail.replace("@SCRIPT@", script)


def array(name: str, text: str) -> str:
    """A C++ array with the bytes of a text, and its size."""
    data = text.encode()
    rows = "".join("    " + "".join(f"{byte}," for byte in data[at : at + 32]) + "\n" for at in range(0, len(data), 32))
    return f"static const unsigned char {name}Bytes[] = {{\n{rows}}};\n"


def main(output: str, reasons_path: str) -> None:
    """Writes the C++ file."""
    head, tail = page()
    parts = {"kPageHead": head, "kPageReasons": reasons(reasons_path), "kPageTail": tail}
    with open(output, "w", encoding="utf-8") as file:
        file.write('// Made by profiler/page/make_page.py; do not edit.\n#include "profiler/page/page_parts.h"\n\nnamespace kiln {\n\n')
        for name, text in parts.items():
            file.write(array(name, text))
            file.write(f"const std::string_view {name}(reinterpret_cast<const char*>({name}Bytes), sizeof {name}Bytes);\n\n")
        file.write("}  // namespace kiln\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
