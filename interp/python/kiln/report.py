"""`kiln -m kiln report FILE.json...`: reports that were written to files, as a table, a page, source text or another tool's file."""

import os
import tempfile

import _kiln

from kiln.report_file import ReportError, merged, not_shown, read, say


def print_file(path: str) -> int:
    """Prints the report in `path` as the table that KILN_REPORT=1 prints. Exit status 1 when it cannot."""
    try:
        print(_kiln.render_report(read(path)), end="")
    except ReportError as error:
        return say(str(error))
    except ValueError as error:
        return say(not_shown(path, error))
    return 0


def has_source() -> bool:
    """Whether pages shall have source text: KILN_REPORT_SOURCE."""
    return next(row[6] for row in _kiln.config_rows() if row[1] == "KILN_REPORT_SOURCE") != "0"


def write_private(path: str, data: bytes) -> int:
    """Replaces a file that only its owner may read; exit status 1 after a message when that fails."""
    part = f"{path}.{os.getpid()}.part"
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with open(file, "wb") as out:
                out.write(data)
            os.replace(part, path)
        except OSError:
            os.unlink(part)
            raise
    except OSError as error:
        folder = os.path.dirname(path)
        is_gone = isinstance(error, FileNotFoundError) and folder and not os.path.exists(folder)
        return say(f"cannot write {path}: {f'there is no folder {folder}' if is_gone else error.strerror}")
    return 0


def write_page(path: str, output: str) -> int:
    """Writes the report in `path` as one HTML file."""
    try:
        page = _kiln.render_page(read(path), has_source())
    except ReportError as error:
        return say(str(error))
    except ValueError as error:
        return say(not_shown(path, error))
    return write_private(output, page.encode())


def show(paths: list[str], html: str | None, exports: list[str], source: str | None) -> int:
    """What the command line asked for, of the reports of several processes as one; the table when it asked for nothing more. The
    exit status."""
    if len(paths) == 1:
        return show_one(paths[0], html, exports, source)
    try:
        text = merged(paths)
    except ReportError as error:
        return say(str(error))
    with tempfile.TemporaryDirectory(prefix="kiln-report-") as folder:
        path = os.path.join(folder, "merged.json")
        return write_private(path, text.encode()) or show_one(path, html, exports, source)


def show_one(path: str, html: str | None, exports: list[str], source: str | None) -> int:
    """The same of one file."""
    status = 0
    if html is not None:
        status |= write_page(path, html)
    for output in exports:
        from kiln import exports as formats

        status |= formats.write(path, output)
    if source is not None:
        from kiln import annotate

        status |= annotate.print_source(path, source)
    if html is None and not exports and source is None:
        status = print_file(path)
    return status
