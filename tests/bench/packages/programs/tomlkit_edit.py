"""TOML Kit: documents parsed, changed and written with their style kept."""

import hashlib
import sys

import tomlkit

BENCH = {"size": 45, "small": 2}

TABLE = """
[server.s{n}]  # server {n}
host = "host-{n}.example"
port = {n}
started = 2024-01-02T03:04:05Z
weights = [1.5, 2, 3_000, 0x{n:x}]
options = {{ fast = true, name = 'x{n}', deep = {{ a = {n} }} }}

[[job]]
name = "job {n}"
steps = [
    "one",  # first
    "two",
]
"""


def run(size):
    document = tomlkit.parse('title = "all"\n' + "".join(TABLE.format(n=n) for n in range(size)))
    for number, server in enumerate(document["server"].values()):
        server["port"] = server["port"] + 8000
        server["options"]["fast"] = number % 2 == 0
        server.add("note", f"changed {number}")
    for job in document["job"]:
        job["steps"].append("three")
    text = tomlkit.dumps(document)
    return len(document["job"]), hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
