"""`kiln -m kiln COMMAND`: kiln's own commands."""

import argparse
import errno
import signal
import sys

import kiln


def show_config(arguments: argparse.Namespace) -> int:
    """Prints the knobs."""
    from kiln import configuration

    return configuration.print_knobs()


def run_doctor(arguments: argparse.Namespace) -> int:
    """Prints what kiln found on this machine."""
    from kiln import doctor

    return doctor.print_findings()


def link_venv(arguments: argparse.Namespace) -> int:
    """Puts the link into a virtual environment."""
    from kiln import environment

    return environment.link(arguments.folder)


def install_kernel(arguments: argparse.Namespace) -> int:
    """Installs a kernelspec of Jupyter's."""
    from kiln import jupyter

    return jupyter.install(arguments.prefix, arguments.user)


def show_report(arguments: argparse.Namespace) -> int:
    """Shows a report file, or writes it in another form."""
    from kiln import report

    return report.show(arguments.files, arguments.html, arguments.export, arguments.source)


def compare_reports(arguments: argparse.Namespace) -> int:
    """Prints what changed between two reports."""
    from kiln import diff

    return diff.print_diff(arguments.before, arguments.after)


def watch_process(arguments: argparse.Namespace) -> int:
    """Shows the table of a running process."""
    from kiln import top

    return top.watch(arguments.pid, arguments.interval, arguments.once)


def bisect_program(arguments: argparse.Namespace) -> int:
    """Searches for the functions that make a program go wrong."""
    from kiln import bisect

    return bisect.search(arguments.program, arguments.timeout)


def explain_codes(arguments: argparse.Namespace) -> int:
    """Prints what codes of a report mean."""
    from kiln import explain

    return explain.print_codes(arguments.codes)


def show_cache(arguments: argparse.Namespace) -> int:
    """Prints or clears the cache of compiled kernels."""
    from kiln import cache

    return cache.show(arguments.clear)


def print_completion(arguments: argparse.Namespace) -> int:
    """Prints a shell's completion of kiln's command line."""
    from kiln import completion

    return completion.print_script(arguments.shell, make_parser())


def print_manual(arguments: argparse.Namespace) -> int:
    """Prints the manual page."""
    from kiln import manual

    return manual.print_page(make_parser())


def process_number(text: str) -> int:
    """A PID of the command line."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a process; kiln -m kiln top alone prints those that run kiln") from None


def make_parser() -> argparse.ArgumentParser:
    """The grammar of `kiln -m kiln`."""
    parser = argparse.ArgumentParser(
        prog="kiln -m kiln", description="Commands of kiln, the accelerating Python launcher."
    )
    parser.add_argument("--version", action="version", version=f"kiln {kiln.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser("config", help="print every knob with its value and where the value comes from")
    command.set_defaults(run=show_config)
    command = commands.add_parser("doctor", help="print versions, CPU and GPU found, and what is off and why")
    command.set_defaults(run=run_doctor)
    command = commands.add_parser("venv", help="put a link to kiln into a virtual environment")
    command.add_argument("folder", metavar="DIR", help="the environment's folder")
    command.set_defaults(run=link_venv)
    command = commands.add_parser("jupyter", help="install a kernel for Jupyter that runs under kiln")
    place = command.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for the user; without an option: for the environment, if there is one")
    place.add_argument("--prefix", metavar="DIR", help="below this folder")
    command.set_defaults(run=install_kernel)
    command = commands.add_parser("report", help="print a report that KILN_REPORT=FILE.json wrote, or write it in another form")
    command.add_argument("files", metavar="FILE.json", nargs="+", help="several are those of processes, and become one report")
    command.add_argument("--html", metavar="OUT.html", help="write it as one HTML page")
    command.add_argument(
        "--export", metavar="OUT", action="append", default=[],
        help="write it for other tools: OUT.speedscope.json, OUT.trace.json, OUT.folded or OUT.pb.gz",
    )
    command.add_argument("--source", metavar="FILE[:FUNCTION]", help="print source text with times and reasons")
    command.set_defaults(run=show_report)
    command = commands.add_parser("top", help="show the report's table of a running kiln process, again each second")
    command.add_argument("pid", metavar="PID", type=process_number, nargs="?", help="the process; left out: prints which there are")
    command.add_argument("--interval", metavar="SECONDS", type=float, default=1.0, help="what a table is about; 1 when left out")
    command.add_argument("--once", action="store_true", help="print one table and end")
    command.set_defaults(run=watch_process)
    command = commands.add_parser("diff", help="print what changed between two reports")
    command.add_argument("before", metavar="BEFORE.json")
    command.add_argument("after", metavar="AFTER.json")
    command.set_defaults(run=compare_reports)
    command = commands.add_parser(
        "bisect", help="find the functions that make a program go wrong when compiled",
        usage="kiln -m kiln bisect [-h] [--timeout SECONDS] -- PROGRAM [ARGS...]",
    )
    command.add_argument("--timeout", metavar="SECONDS", type=float, default=300.0, help="for one run; 300 when left out")
    command.add_argument("program", metavar="PROGRAM", nargs="+", help="a command line as after kiln")
    command.set_defaults(run=bisect_program)
    command = commands.add_parser("explain", help="explain codes of a report, such as D003")
    command.add_argument("codes", metavar="CODE", nargs="*", help="all codes when left out")
    command.set_defaults(run=explain_codes)
    command = commands.add_parser("cache", help="print where compiled kernels are kept, and how many")
    command.add_argument("--clear", action="store_true", help="delete them")
    command.set_defaults(run=show_cache)
    command = commands.add_parser("completion", help="print what makes a shell complete kiln's command line")
    command.add_argument("shell", metavar="bash|zsh", choices=("bash", "zsh"), help="source what is printed in a start-up file of that shell")
    command.set_defaults(run=print_completion)
    command = commands.add_parser("manual", help="print the manual page, for man -l -")
    command.set_defaults(run=print_manual)
    return parser


def main() -> int:
    """Runs one command; its exit status."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `kiln -m kiln explain | head` ends quietly
    parser = make_parser()
    if len(sys.argv) == 1:  # all commands are shown: a usage line names none
        parser.print_help(sys.stderr)
        return 2
    arguments = parser.parse_args()
    try:
        status = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        sys.stdout = None  # or its rest is tried once more at the end
        print(f"kiln: cannot write the output: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
