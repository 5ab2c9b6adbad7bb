"""What the launcher's tests share: clean environments, and runs of python and kiln in folders of their own."""

import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field

PYTHON = os.environ["TEST_PYTHON"]
KILN = os.environ["TEST_KILN"]
# KILN_JIT for the runs that are compared, if it is set: with off, what still differs is the launcher's.
MODE = {"KILN_JIT": os.environ["TEST_JIT"]} if "TEST_JIT" in os.environ else {}
SECONDS = 120


@dataclass
class Case:
    """One command line. `args` follow the interpreter; a `shell` text runs instead, with the interpreter as $EXE."""

    name: str
    args: list[str | bytes] = field(default_factory=list)
    stdin: str = ""
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str | bytes] = field(default_factory=dict)
    shell: str = ""


@dataclass
class Outcome:
    """What a run left behind, with the interpreter's path and memory addresses replaced."""

    status: str
    stdout: str
    stderr: str


def clean_environment(**changes: str) -> dict[str, str]:
    """This process's environment without python's, kiln's and the virtual environment's variables; then the changes."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "KILN", "TEST_", "ASAN_", "LC_", "LANG")) and name != "VIRTUAL_ENV"
    }
    return {**kept, "LANG": "C.UTF-8", "TERM": "dumb", "HOME": "/nonexistent", **changes}


def write_files(folder: str, files: dict[str, str | bytes]) -> None:
    """Writes files by their paths below `folder`; scripts that start with #! are executable."""
    for path, content in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        with open(full, "wb") as file:
            file.write(data)
        if data.startswith(b"#!"):
            os.chmod(full, 0o755)


def describe_status(code: int) -> str:
    """An exit status, or the signal that ended the process."""
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit {code}"


def normalise(data: bytes, executable: str, folder: str) -> str:
    """Output without what may differ: where the interpreter and the run's folder are, and addresses."""
    text = data.decode("utf-8", "backslashreplace").replace(executable, "<exe>").replace(folder, "<folder>")
    text = text.replace(os.path.dirname(executable), "<bin>")
    return re.sub(r"0x[0-9a-f]{6,}", "0x...", text)


def run(executable: str, case: Case) -> Outcome:
    """Runs one case in a new folder."""
    with tempfile.TemporaryDirectory(prefix="launcher") as folder:
        folder = os.path.realpath(folder)
        files = {
            path: content.replace("$EXE", executable) if isinstance(content, str) else content
            for path, content in case.files.items()
        }
        write_files(folder, files)
        command = ["/bin/sh", "-c", case.shell] if case.shell else [executable, *case.args]
        env = clean_environment(
            EXE=executable, **MODE, **{name: value.replace("$FOLDER", folder) for name, value in case.env.items()}
        )
        result = subprocess.run(
            command, input=case.stdin.encode(), capture_output=True, cwd=folder, env=env, timeout=SECONDS
        )
        return Outcome(
            describe_status(result.returncode),
            normalise(result.stdout, executable, folder),
            normalise(result.stderr, executable, folder),
        )


def run_kiln(
    *args: str, executable: str = KILN, stdin: str = "", cwd: str | None = None, **env: str
) -> subprocess.CompletedProcess:
    """Runs kiln with text output."""
    return subprocess.run(
        [executable, *args],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=clean_environment(**env),
        timeout=SECONDS,
    )
