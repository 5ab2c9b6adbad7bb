"""Another kiln process, asked from outside for its report (interp/cpython/outside_request.h).

Its memory is read and written as a debugger does, through /proc/PID/mem. Nothing is left behind in it or in the file system.
"""

import os
import pwd
import struct
import sys

from kiln.annotate import printable
from kiln.kiln_processes import command_of, hint, name_of

SYMBOL = b"kiln_outside_request"
MAGIC = b"kiln-request-1"
REQUEST = struct.Struct("<16sQIIIIQQ")  # magic, breaker, asker, lease, asked, answered, answer, its size
ASKER_AT, ASKED_AT = 24, 32
DYNAMIC_SYMBOLS, PROGRAM_HEADERS = 11, 6  # SHT_DYNSYM, PT_PHDR
ADDRESS_OF_HEADERS = 3                    # AT_PHDR
MOST_ANSWER = 1 << 28                     # bytes: more is none
INSTEAD = "start the program with KILN_REPORT=live, which shows the table in its own terminal"
SCOPE = "/proc/sys/kernel/yama/ptrace_scope"


class WatchError(Exception):
    """A process that cannot be watched; the text says why, and what helps."""


class Ended(WatchError):
    """It has ended, or another program took its place."""


class WatchedProcess:
    """A kiln process of this machine. Raises WatchError where there is none, or it may not be looked into."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.program = program_of(pid)
        self.command = command_of(pid)
        try:
            symbol, headers = find_symbol(f"/proc/{pid}/exe")
            if symbol is None:
                raise WatchError(f"process {pid} is no kiln that can be watched: it runs {printable(self.program)}; {hint()}")
            self._memory = os.open(f"/proc/{pid}/mem", os.O_RDWR | os.O_CLOEXEC)
            self._at = symbol + address_of_headers(pid) - headers
        except PermissionError as error:
            raise WatchError(why_forbidden(pid)) from error
        except OSError as error:
            raise Ended(f"process {pid} has ended") from error
        magic, breaker, *_ = self._request()
        if magic.rstrip(b"\0") != MAGIC:
            raise WatchError(f"process {pid} is a kiln of another version, which this one cannot watch")
        if breaker == 0:
            raise WatchError(f"process {pid} measures nothing: it starts, ends, or runs with KILN=0; try again, or start it without that")
        self._number = 0

    def ask(self, lease: float) -> None:
        """Asks for what happened since the last time. It stops measuring when it isn't asked again for `lease` seconds."""
        asker, asked = self._request()[2], self._request()[4]
        if asker != os.getpid() and asked and is_asking(asker, self.pid):
            raise WatchError(f"process {self.pid} is watched by process {asker} already")
        self._number = asked % 0xFFFFFFFF + 1
        self._write(ASKER_AT, struct.pack("<II", os.getpid(), round(lease * 1000)))
        self._write(ASKED_AT, struct.pack("<I", self._number))

    def answer(self) -> str | None:
        """The answer to the last ask(): a report's JSON, "" when measuring only began. None: not there yet; to be called again."""
        _, breaker, asker, _, asked, answered, at, size = self._request()
        if asker != os.getpid():
            raise WatchError(f"process {self.pid} is watched by process {asker} now")
        if answered == self._number and size <= MOST_ANSWER:
            return self._read(at, size).decode("utf-8", "replace")
        if breaker == 0:
            raise Ended(f"process {self.pid} has ended")
        if asked != self._number:
            raise WatchError(f"process {self.pid} was asked by somebody else")
        try:  # it may have been reset at the same time: each call repeats it
            os.pwrite(self._memory, struct.pack("<i", 1), breaker)
        except OSError as error:
            raise Ended(f"process {self.pid} has ended") from error
        return None

    def state(self) -> str:
        """The state letter of /proc; "" when it is gone."""
        try:
            with open(f"/proc/{self.pid}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return ""

    def close(self) -> None:
        """Ends watching. A process that does not hear of it notices by its lease."""
        try:
            self.ask(0)
            self.answer()
        except WatchError:
            pass
        os.close(self._memory)

    def _request(self) -> tuple:
        return REQUEST.unpack(self._read(self._at, REQUEST.size))

    def _read(self, address: int, size: int) -> bytes:
        try:
            data = os.pread(self._memory, size, address)
        except OSError:
            data = b""
        if len(data) != size:
            raise Ended(f"process {self.pid} has ended")
        return data

    def _write(self, offset: int, data: bytes) -> None:
        try:
            os.pwrite(self._memory, data, self._at + offset)
        except OSError as error:
            raise Ended(f"process {self.pid} has ended") from error


def program_of(pid: int) -> str:
    """The executable of a process."""
    if not os.path.exists(f"/proc/{pid}"):
        raise WatchError(f"there is no process {pid}; {hint()}")
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except PermissionError as error:
        raise WatchError(why_forbidden(pid)) from error
    except OSError as error:
        raise WatchError(f"process {pid} has ended, or is one of the kernel's") from error


def why_forbidden(pid: int) -> str:
    """Why the kernel keeps this process from looking into the other, and what helps."""
    process = f"process {pid} ({name_of(pid)})"
    again = f"sudo {sys.executable} -m kiln top {pid}"
    try:
        owner = os.stat(f"/proc/{pid}").st_uid
    except OSError:
        return f"process {pid} has ended"
    if owner != os.geteuid():
        return f"{process} belongs to {user_name(owner)}, so that you may not look into it; if it runs kiln, try\n    {again}"
    try:
        with open(SCOPE, encoding="ascii") as file:
            scope = file.read().strip()
    except OSError:
        scope = "0"
    if owner == 0:
        return f"{process} may not be looked into even by root here: a container or a sandbox forbids it; {INSTEAD}"
    if scope == "0":
        return f"{process} may not be looked into: it has changed its user, or a sandbox forbids it; if it runs kiln, try\n    {again}"
    lines = [f"{process} may not be looked into: the kernel forbids it for others than parents (kernel.yama.ptrace_scope={scope}); try"]
    lines += [again] if scope in "12" else []
    lines += ["sudo sysctl kernel.yama.ptrace_scope=0    # until the machine starts again"] if scope == "1" else []
    return "\n    ".join(lines) + f"\nor {INSTEAD}"


def user_name(user: int) -> str:
    """A user's name, or the number."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def is_asking(asker: int, pid: int) -> bool:
    """Whether the process that asked last is still one that can ask."""
    try:
        links = [os.readlink(f"/proc/{number}/exe") for number in (asker, pid)]
    except OSError:
        return False
    return asker != pid and links[0] == links[1]


def find_symbol(path: str) -> tuple[int | None, int]:
    """Where an executable has the request, None if it has none, and its program headers, both before it is moved."""
    with open(path, "rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:5] != b"\x7fELF\x02":
            return None, 0
        headers, sections = struct.unpack_from("<QQ", head, 32)
        header_size, header_count, size, count = struct.unpack_from("<HHHH", head, 54)
        at_headers = 0
        file.seek(headers)
        for number in range(header_count):
            kind, _, _, address = struct.unpack_from("<IIQQ", file.read(header_size))
            at_headers = address if kind == PROGRAM_HEADERS else at_headers
        rows = []
        file.seek(sections)
        for number in range(count):
            rows.append(struct.unpack_from("<IIQQQQI", file.read(size)))
        for _, kind, _, _, offset, length, link in rows:
            if kind == DYNAMIC_SYMBOLS and link < len(rows):
                names_at, names_length = rows[link][4:6]
                return find_in_table(*(read_at(file, *place) for place in ((offset, length), (names_at, names_length)))), at_headers
    return None, at_headers


def read_at(file, offset: int, length: int) -> bytes:
    """A piece of a file."""
    file.seek(offset)
    return file.read(length)


def find_in_table(symbols: bytes, names: bytes) -> int | None:
    """The value of the request's symbol in a table of dynamic symbols."""
    wanted = names.find(b"\0" + SYMBOL + b"\0") + 1
    if wanted == 0:
        return None
    for name, _, _, section, value, _ in struct.iter_unpack("<IBBHQQ", symbols):
        if name == wanted and section != 0:
            return value
    return None


def address_of_headers(pid: int) -> int:
    """Where the kernel put the program headers of a process's executable."""
    with open(f"/proc/{pid}/auxv", "rb") as file:
        pairs = dict(struct.iter_unpack("<QQ", file.read()))
    if ADDRESS_OF_HEADERS not in pairs:
        raise ProcessLookupError
    return pairs[ADDRESS_OF_HEADERS]
