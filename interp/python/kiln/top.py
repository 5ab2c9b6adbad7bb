"""`kiln -m kiln top PID`: the report's table of a running process, again each second."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Callable

import _kiln

from kiln.annotate import printable
from kiln.kiln_processes import command_of, hint, running
from kiln.report_file import say
from kiln.watched_process import Ended, WatchedProcess, WatchError

STEP = 0.05             # seconds between two looks for an answer
PATIENCE = 1.5          # seconds without one that are worth a word
SECONDS_BEYOND = 5.0    # how long the other process waits for the next question
ENTER, LEAVE = "\033[?1049h\033[?25l\033[?7l", "\033[?7h\033[?25h\033[?1049l"
HOME, LINE, REST = "\033[H", "\033[K\r\n", "\033[J"


class Quit(Exception):
    """The user has seen enough."""


class Laps:
    """The reports of a process, lap by lap."""

    def __init__(self, process: WatchedProcess, interval: float) -> None:
        self.process = process
        self.interval = interval
        self.last = ""   # JSON of the last lap
        self.whole = ""  # and of all laps
        self._ask()

    def _ask(self) -> None:
        self.asked_at = time.monotonic()
        self.process.ask(self.interval + SECONDS_BEYOND)
        self.is_open = True

    def look(self) -> bool:
        """Takes an answer up, or asks again when the lap is over. True when there is news."""
        if self.is_open:
            answer = self.process.answer()
            if answer is None:
                return False
            self.is_open = False
            self.began_at = time.monotonic()
            if answer:
                self.last = _kiln.merge_reports(answer)
                self.whole = _kiln.merge_reports(self.whole, answer) if self.whole else self.last
                return True
        elif time.monotonic() - self.began_at >= self.interval:
            self._ask()
        return False

    def silence(self) -> str:
        """Why there is no answer; empty when one may still come."""
        if not self.is_open or time.monotonic() - self.asked_at < PATIENCE:
            return ""
        if self.process.state() in ("T", "t"):
            return "it is stopped"
        return f"it runs no Python code since {time.monotonic() - self.asked_at:.0f} s: it waits, or is in C code"


class Screen:
    """A terminal that shows one table in place. As a context: the terminal is as before when it ends, however it does."""

    def __init__(self, laps: Laps) -> None:
        self.laps = laps
        self.shows_whole = False
        self.keys = sys.stdin.fileno() if sys.stdin is not None and sys.stdin.isatty() else None

    def __enter__(self) -> Screen:
        self.handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)}
        signal.signal(signal.SIGTERM, quit_on_signal)
        signal.signal(signal.SIGHUP, quit_on_signal)
        signal.signal(signal.SIGTSTP, self._stop)
        self._begin()
        return self

    def __exit__(self, *exception: object) -> None:
        self._end()
        for number, handler in self.handlers.items():
            signal.signal(number, handler)

    def _begin(self) -> None:
        if self.keys is not None:
            self.modes = termios.tcgetattr(self.keys)
            tty.setcbreak(self.keys)
        write(ENTER)

    def _end(self) -> None:
        write(LEAVE)
        if self.keys is not None:
            termios.tcsetattr(self.keys, termios.TCSADRAIN, self.modes)

    def _stop(self, *_: object) -> None:
        self._end()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._begin()
        self.draw()

    def wait(self) -> None:
        """Until the next look; a key may change what is shown."""
        if self.keys is None:
            time.sleep(STEP)
            return
        if select.select([self.keys], [], [], STEP)[0]:
            key = os.read(self.keys, 1)
            if key in (b"q", b"Q", b"\x04", b""):
                raise Quit
            if key in (b"a", b"A"):
                self.shows_whole = not self.shows_whole
                self.draw()

    def draw(self) -> None:
        """Shows what is known, as much as fits."""
        text = self.laps.whole if self.shows_whole else self.laps.last
        span = "since the start of watching" if self.shows_whole else f"the last {self.laps.interval:g} s"
        keys = "" if self.keys is None else " · q quits, a shows " + ("the last lap" if self.shows_whole else "all")
        process = self.laps.process
        lines = [f"{process.pid} {printable(process.command)}", f"{span}{keys}", self.laps.silence(), ""]
        lines += _kiln.render_report(text).splitlines() if text else ["measuring ..."]
        rows = max(os.get_terminal_size(sys.stdout.fileno()).lines, 2) - 1
        write(HOME + "".join(line + LINE for line in lines[:rows]) + REST)


class Printer:
    """Tables one after the other, for what is no terminal."""

    def __init__(self, laps: Laps) -> None:
        self.laps = laps
        self.told = False

    def __enter__(self) -> Printer:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def wait(self) -> None:
        """Until the next look."""
        time.sleep(STEP)

    def draw(self) -> None:
        """Prints the last lap, or once why there is none."""
        silence = self.laps.silence()
        if silence and not self.told:
            say(f"process {self.laps.process.pid}: {silence}; waiting")
        elif not silence and self.laps.last:
            print(f"{self.laps.process.pid} {printable(self.laps.process.command)}, {time.strftime('%H:%M:%S')}")
            print(_kiln.render_report(self.laps.last), flush=True)
        self.told = bool(silence)


def write(text: str) -> None:
    """Sends text to the terminal at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def quit_on_signal(*_: object) -> None:
    """Handles a signal that ends the program."""
    raise Quit


def show_laps(laps: Laps, view: Screen | Printer, once: bool) -> None:
    """Until the process ends, the user quits, or the first lap is shown if `once`."""
    silent = ""
    view.draw()
    while True:
        news = laps.look()
        if news or laps.silence() != silent:
            silent = laps.silence()
            view.draw()
        if news and once:
            return
        view.wait()


def run_view(laps: Laps, make_view: Callable[[Laps], Screen | Printer], once: bool) -> None:
    """Shows laps; at the end of the process the sum of them."""
    try:
        with make_view(laps) as view:
            show_laps(laps, view, once)
    except (KeyboardInterrupt, Quit):
        return
    except Ended as error:
        if make_view is Screen and laps.whole:
            print(_kiln.render_report(laps.whole), end="")
        print(error)


def show_running() -> int:
    """Prints which processes could be watched; exit status 1 when there is none."""
    found = running()
    for pid in found:
        print(f"{pid:7} {printable(command_of(pid))}")
    return 0 if found else say(hint())


def watch(pid: int | None, interval: float, once: bool) -> int:
    """Shows the table of a process; without one, which there are. The exit status."""
    if pid is None:
        return show_running()
    if pid == os.getpid():
        return say("this process cannot watch itself")
    if not 0.1 <= interval <= 3600:
        return say("--interval is between 0.1 and 3600 seconds")
    try:
        with contextlib.closing(WatchedProcess(pid)) as process:
            run_view(Laps(process, interval), Screen if sys.stdout.isatty() and not once else Printer, once)
    except WatchError as error:
        return say(str(error))
    return 0
