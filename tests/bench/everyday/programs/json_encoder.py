"""A JSON encoder and parser written in Python."""

import sys

BENCH = {"size": 10_000, "small": 10}

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def encode_string(text):
    out = ['"']
    for c in text:
        if c in ESCAPES:
            out.append(ESCAPES[c])
        elif ord(c) < 32 or ord(c) > 126:
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def encode(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return encode_string(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(encode_string(k) + ":" + encode(v) for k, v in value.items()) + "}"
    raise TypeError(type(value).__name__)


class Parser:
    def __init__(self, text):
        self.text = text
        self.pos = 0

    def skip(self):
        while self.pos < len(self.text) and self.text[self.pos] in " \t\n\r":
            self.pos += 1

    def parse(self):
        self.skip()
        c = self.text[self.pos]
        if c == "{":
            return self.parse_object()
        if c == "[":
            return self.parse_list()
        if c == '"':
            return self.parse_string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return value
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] in "+-0123456789.eE":
            self.pos += 1
        number = self.text[start:self.pos]
        try:
            return int(number)
        except ValueError:
            return float(number)

    def parse_string(self):
        self.pos += 1
        out = []
        while self.text[self.pos] != '"':
            c = self.text[self.pos]
            if c == "\\":
                self.pos += 1
                c = self.text[self.pos]
                if c == "u":
                    c = chr(int(self.text[self.pos + 1:self.pos + 5], 16))
                    self.pos += 4
                else:
                    c = {"n": "\n", "t": "\t", "r": "\r"}.get(c, c)
            out.append(c)
            self.pos += 1
        self.pos += 1
        return "".join(out)

    def parse_list(self):
        self.pos += 1
        items = []
        while True:
            self.skip()
            if self.text[self.pos] == "]":
                self.pos += 1
                return items
            items.append(self.parse())
            self.skip()
            if self.text[self.pos] == ",":
                self.pos += 1

    def parse_object(self):
        self.pos += 1
        result = {}
        while True:
            self.skip()
            if self.text[self.pos] == "}":
                self.pos += 1
                return result
            key = self.parse_string()
            self.skip()
            self.pos += 1
            result[key] = self.parse()
            self.skip()
            if self.text[self.pos] == ",":
                self.pos += 1
                self.skip()


def run(size):
    data = [{"id": i, "name": f"user {i}", "tags": ["a", "bé\n", None][: i % 4], "score": i / 8, "ok": i % 2 == 0,
             "address": {"street": f'"{i}" Main\tRoad', "zip": i * 37}} for i in range(size)]
    text = encode(data)
    again = Parser(text).parse()
    assert again == data
    return len(text), sum(map(ord, text)) % 65521


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
