"""pprof's profile.proto (https://github.com/google/pprof), written by hand: the few messages that a profile of stacks needs."""

import gzip

from kiln.report_file import Frame, Stack

# Field numbers of the messages in profile.proto.
PROFILE = {"sample_type": 1, "sample": 2, "location": 4, "function": 5, "string": 6, "duration": 10, "period_type": 11, "period": 12}
VALUE_TYPE = {"type": 1, "unit": 2}
SAMPLE = {"location": 1, "value": 2, "label": 3}
LABEL = {"key": 1, "text": 2}
LOCATION = {"id": 1, "line": 4}
LINE = {"function": 1, "line": 2}
FUNCTION = {"id": 1, "name": 2, "system_name": 3, "file": 4, "start_line": 5}


def varint(value: int) -> bytes:
    """A number of the wire format, seven bits a byte; negative ones as 64 bits."""
    data = bytearray()
    value &= 0xFFFF_FFFF_FFFF_FFFF
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def number(field: int, value: int) -> bytes:
    """A field that holds a number."""
    return varint(field << 3) + varint(value)


def nanoseconds(seconds: float) -> int:
    """As 64 bits hold them, whatever a report says."""
    return round(max(0.0, min(seconds, 9e9)) * 1e9)


def block(field: int, data: bytes) -> bytes:
    """A field that holds a text, a message, or packed numbers."""
    return varint(field << 3 | 2) + varint(len(data)) + data


class Profile:
    """The tables of a profile, whose rows refer to each other by number."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {"": 0}
        self.functions: dict[tuple[str, str, int], int] = {}
        self.locations: dict[tuple[int, int], int] = {}

    def text(self, text: str) -> int:
        """The number of a string."""
        return self.strings.setdefault(text, len(self.strings))

    def location(self, frame: Frame) -> int:
        """The number of a line of a function."""
        function = self.functions.setdefault((frame.name, frame.file, frame.first_line), len(self.functions) + 1)
        return self.locations.setdefault((function, frame.line), len(self.locations) + 1)

    def value_type(self, field: str, kind: str, unit: str) -> bytes:
        """What values are, and in which unit."""
        data = number(VALUE_TYPE["type"], self.text(kind)) + number(VALUE_TYPE["unit"], self.text(unit))
        return block(PROFILE[field], data)

    def sample(self, stack: Stack) -> bytes:
        """One stack, the innermost frame first, its samples and nanoseconds, and the tier as a label."""
        places = b"".join(varint(self.location(frame)) for frame in reversed(stack.frames))
        values = varint(stack.samples) + varint(nanoseconds(stack.seconds))
        tier = number(LABEL["key"], self.text("tier")) + number(LABEL["text"], self.text(stack.frames[-1].tier))
        data = block(SAMPLE["location"], places) + block(SAMPLE["value"], values) + block(SAMPLE["label"], tier)
        return block(PROFILE["sample"], data)

    def tables(self) -> bytes:
        """Locations, functions and strings; strings last, for the others name them."""
        data = b""
        for (function, line), key in self.locations.items():
            inner = block(LOCATION["line"], number(LINE["function"], function) + number(LINE["line"], line))
            data += block(PROFILE["location"], number(LOCATION["id"], key) + inner)
        for (name, file, line), key in self.functions.items():
            title = self.text(name)
            fields = {"id": key, "name": title, "system_name": title, "file": self.text(file), "start_line": line}
            data += block(PROFILE["function"], b"".join(number(FUNCTION[field], value) for field, value in fields.items()))
        return data + b"".join(block(PROFILE["string"], text.encode("utf-8", "replace")) for text in self.strings)


def encode(stacks: list[Stack], interval_ms: float, seconds: float) -> bytes:
    """The compressed profile."""
    profile = Profile()
    data = profile.value_type("sample_type", "samples", "count") + profile.value_type("sample_type", "wall", "nanoseconds")
    data += b"".join(map(profile.sample, stacks))
    data += number(PROFILE["duration"], nanoseconds(seconds))
    data += profile.value_type("period_type", "wall", "nanoseconds") + number(PROFILE["period"], round(interval_ms * 1e6))
    return gzip.compress(data + profile.tables(), mtime=0)
