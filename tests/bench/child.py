"""Runs one child process and measures it: time, processor time, peak memory, exit status, output."""

import dataclasses
import os
import signal
import subprocess
import tempfile
import threading
import time

# A child made by vfork starts with its parent's peak memory as its own, which would hide what a small one uses.
subprocess._USE_VFORK = False
subprocess._USE_POSIX_SPAWN = False


@dataclasses.dataclass
class Finished:
    """A child that has ended: `status` is an exit status, or minus the signal that killed it."""

    status: int
    timed_out: bool
    seconds: float
    processor_seconds: float  # of all its threads and of the processes that it waited for
    peak_kb: int
    output: str
    errors: str

    def failure(self) -> str:
        """Says in one line why the child counts as failed; empty if it ended with status 0."""
        if self.timed_out:
            return "ran into the time limit"
        if self.status < 0:
            return f"killed by {signal.Signals(-self.status).name}"
        if self.status > 0:
            lines = self.errors.strip().splitlines()
            return f"exit status {self.status}" + (f": {lines[-1]}" if lines else "")
        return ""


def clean_environment() -> dict[str, str]:
    """Returns this process's environment without what would make one Python differ from another; KILN_* stays."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("PYTHON") and name not in ("VIRTUAL_ENV", "__PYVENV_LAUNCHER__")}
    kept["PYTHONHASHSEED"] = "0"
    return kept


def run_child(command: list[str], limit: float, environment: dict[str, str] | None = None) -> Finished:
    """Runs `command` to its end, or kills it after `limit` seconds; OSError if it can't be started. `environment` is put
    into the clean one."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                   env={**clean_environment(), **(environment or {})})
        late = threading.Event()

        def stop() -> None:
            late.set()
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        try:
            _, wait_status, usage = os.wait4(process.pid, 0)
        except BaseException:  # interrupted: the child must not go on
            os.kill(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        output.seek(0)
        errors.seek(0)
        return Finished(process.returncode, late.is_set(), seconds,
                        usage.ru_utime + usage.ru_stime, usage.ru_maxrss,
                        output.read().decode(errors="replace"), errors.read().decode(errors="replace"))
