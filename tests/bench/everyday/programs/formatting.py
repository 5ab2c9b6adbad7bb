"""Building text: f-strings, join, %, format, StringIO."""

import io
import sys

BENCH = {"size": 14_000, "small": 20}


class Invoice:
    def __init__(self, number, lines):
        self.number = number
        self.lines = lines

    def total(self):
        return sum(q * p for _, q, p in self.lines)

    def render(self):
        out = [f"Invoice {self.number:06d}", "-" * 40]
        for name, quantity, price in self.lines:
            out.append(f"{name:<20}{quantity:>5}{price:>8.2f}{quantity * price:>9.2f}")
        out.append(f"{'total':<20}{self.total():>22,.2f}")
        return "\n".join(out)


def table(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(" | ".join(str(v).rjust(w) for v, w in zip(row, widths)) for row in rows)


def html(items):
    out = io.StringIO()
    out.write("<ul>\n")
    for key, value in items:
        out.write("  <li class=\"%s\">%d</li>\n" % (key, value))
    out.write("</ul>")
    return out.getvalue()


def roman(n):
    result = ""
    for value, letters in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
                           (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            result += letters
            n -= value
    return result


def hexdump(data):
    lines = []
    for offset in range(0, len(data), 16):
        chunk = data[offset:offset + 16]
        hexes = " ".join(f"{b:02x}" for b in chunk)
        text = "".join(chr(b) if 32 <= b < 127 else "." for b in chunk)
        lines.append(f"{offset:08x}  {hexes:<48}  {text}")
    return "\n".join(lines)


def caesar(text, shift):
    out = ""
    for c in text:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            out += chr((ord(c) - base + shift) % 26 + base)
        else:
            out += c
    return out


def run(size):
    length = 0
    for n in range(size):
        lines = [(f"item {i}", i + 1, (n * i) % 50 + 0.99) for i in range(n % 9 + 1)]
        length += len(Invoice(n, lines).render())
    length += len(table([(i, i * i, f"r{i}", i / 7) for i in range(size * 2)]))
    length += len(html((f"k{i}", i) for i in range(size * 17)))
    length += sum(len(roman(n)) for n in range(1, size * 2 // 7))
    length += len(hexdump(bytes(i * 7 & 255 for i in range(size * 17))))
    secret = caesar("The Quick Brown Fox Jumps Over The Lazy Dog. " * (size // 10), 3)
    return length, secret[:20], caesar(secret, -3)[-20:]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
