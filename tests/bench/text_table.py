"""Lays out rows of text in aligned columns."""


def text_table(rows: list[list[str]]) -> str:
    """Returns the rows as lines: the first column to the left, all others to the right. Rows may differ in length."""
    columns = max(len(row) for row in rows)
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(columns)]
    lines = []
    for row in rows:
        cells = [cell.ljust(widths[k]) if k == 0 else cell.rjust(widths[k]) for k, cell in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
