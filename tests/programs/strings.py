# Strings in hot loops: building, slicing, comparing, formatting, methods, encodings, interning, f-strings.


def build(count):
    text = ""
    parts = []
    for i in range(count):
        text += chr(97 + i % 26)
        parts.append(str(i))
    return len(text), text[-30:], len(",".join(parts)), hash(text) == hash(text[:])


def scan(text, count):
    words = digits = upper = 0
    previous = " "
    for i in range(count):
        c = text[i % len(text)]
        words += previous == " " and c != " "
        digits += c.isdigit()
        upper += c != c.lower()
        previous = c
    return words, digits, upper


def caesar(text, shift):
    out = []
    for c in text:
        if "a" <= c <= "z":
            c = chr((ord(c) - 97 + shift) % 26 + 97)
        elif "A" <= c <= "Z":
            c = chr((ord(c) - 65 + shift) % 26 + 65)
        out.append(c)
    return "".join(out)


def palindromes(limit):
    n = 0
    for i in range(limit):
        s = str(i)
        if s == s[::-1]:
            n += i
    return n


def formats(count):
    total = 0
    for i in range(count):
        x = i / 7
        total += len(f"{i:05d}|{x:.3f}|{i!r:>8}|{x:e}|{'ab'!s:^7}|{i:#x}|{i:,}|{x:{10}.{2}}") + len(
            "%d %5.2f %s %r" % (i, x, i, "q")
        )
        total += len("{0:>{w}} {0!r}".format(i, w=5))
    return total, f"{count=} {total!r:.3} {x=:.2f}"


def methods(count):
    total = 0
    for i in range(count):
        s = "the quick Brown fox" if i % 2 else "  jumps-over\tthe "
        total += (
            len(s.split())
            + s.find("o")
            + s.count("o")
            + len(s.strip())
            + s.startswith("the")
            + len(s.replace("o", "00"))
        )
        total += ("fox" in s) + (s > "m") + len(s.upper().title()) + len(s.encode()) + len(s.partition(" ")[0])
    return total


def wide_characters(count):
    text = "aé€😀"
    total = 0
    out = ""
    for i in range(count):
        c = text[i % 4]
        total += ord(c) + len(c.encode("utf-8")) + (c in text)
        if i % 500 == 0:
            out += c * 2
    return total, out, text[::-1], len(text)


def numbers_to_text(count):
    total = 0
    for i in range(count):
        total += len(str(i * 0.1)) + len(repr(-i)) + int(str(i)) - int("0x%x" % i, 16) + int(float(f"{i}.5"))
        if i % 1000 == 0:
            total += len(str(2**i))
    return total


def errors(count):
    seen = {}
    for i in range(count):
        try:
            match i % 6:
                case 0:
                    "abc"[i]
                case 1:
                    "a" + 1
                case 2:
                    "%d" % "x"
                case 3:
                    "{}".format()
                case 4:
                    "é".encode("ascii")
                case 5:
                    "abc".index("z")
        except Exception as error:
            key = f"{type(error).__name__}: {error}"
            seen[key] = seen.get(key, 0) + 1
        if i == 0:
            seen.clear()
    return seen


def byte_work(data, count):
    checksum = 0
    array = bytearray(data)
    for i in range(count):
        checksum = (checksum * 31 + array[i % len(array)]) & 0xFFFFFF
        array[i % len(array)] ^= i & 0xFF
    return checksum, bytes(array[:8])


print(build(9000), scan("Hello World 123 the End ", 9000), caesar("Hello, World! " * 500, 3)[:28], palindromes(12000))
print(formats(3000), methods(6000), wide_characters(9000), numbers_to_text(6000))
print(errors(6000))
print(byte_work(b"some bytes to hash \x00\xff", 9000), "x" * 3 + "y" * 0 + -1 * "z", "a" "b" * 2)
