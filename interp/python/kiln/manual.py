"""`kiln -m kiln manual`: the manual page, made of the commands' grammar and the table of knobs."""

import argparse

import _kiln
import kiln

PAGE = """\
.TH KILN 1 "" "kiln {version}" "User Commands"
.SH NAME
kiln \\- run Python programs, with what is hot compiled to machine code
.SH SYNOPSIS
.B kiln
.RI [ "options of python" ]
.RB [ \\-X " " kiln\\- \\fINAME=VALUE\\fR]
.RB [ \\-c
.IR command " |"
.B \\-m
.IR module " | " script " | \\-] [" arguments ]
.br
.B kiln \\-m kiln
.IR command " [" arguments ]
.SH DESCRIPTION
.B kiln
is Python {python} with a just\\-in\\-time compiler. It takes the command line of
.BR python (1)
and runs the same programs, unchanged, with the same results; loops and functions that turn out to be hot are compiled to
machine code while they run. Whatever is not compiled runs in the unchanged CPython interpreter inside.
.PP
Kernels written for numba.cuda run on all processor cores or, if KILN_OFFLOAD asks for it, on a GPU.
.SH OPTIONS
All options of
.BR python (1),
with the same meaning, and each knob below as an option: KILN_JIT=off is
.BR "\\-X kiln\\-jit=off" .
Options go before variables.
.SH COMMANDS
{commands}
.SH ENVIRONMENT
All variables of
.BR python (1),
and these knobs. With
.B \\-E
or
.B \\-I
variables are ignored; options are not.
{knobs}
.SH FILES
.TP
.I ~/.cache/kiln/kernels
kernels compiled for a GPU or the CPU, at most 256 MiB
.SH EXIT STATUS
That of the program, as under
.BR python (1);
2 when a knob names a report that cannot be written, before anything is run.
.SH EXAMPLES
.TP
.B kiln program.py
runs a program.
.TP
.B KILN_REPORT=1 kiln program.py
also prints at its end what was hot, where it ran and why.
.TP
.B KILN_REPORT=out.html kiln program.py
writes that as a page for a browser.
.TP
.B kiln \\-m kiln explain D003
explains a code of the report.
.SH SEE ALSO
.BR python (1),
.BR perf (1)
"""


def roff(text: str) -> str:
    """Text as it stands in a page: backslashes and hyphens are themselves, and no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def describe_action(action: argparse.Action) -> str:
    """An option or argument of a command as a paragraph; "" for --help and what needs no words."""
    if not action.help or isinstance(action, argparse._HelpAction):
        return ""
    name = ", ".join(action.option_strings) or str(action.metavar)
    if action.option_strings and action.metavar:
        name += f" {action.metavar}"
    return f".RS\n.TP\n.B {roff(name)}\n{roff(action.help)}\n.RE\n"


def describe_command(name: str, summary: str, parser: argparse.ArgumentParser) -> str:
    """A command with its arguments."""
    usage = parser.format_usage().split(name, 1)[1].replace("[-h] ", "").replace("[-h]", "").split()
    text = f".TP\n.B {roff(' '.join([f'kiln -m kiln {name}', *usage]))}\n{roff(summary)}\n"
    return text + "".join(describe_action(action) for action in parser._actions)


def describe_commands(parser: argparse.ArgumentParser) -> str:
    """All commands."""
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {action.dest: str(action.help) for action in commands._choices_actions}
    return "".join(
        describe_command(name, summaries[name], command) for name, command in commands.choices.items()
    ).rstrip()


def describe_knobs() -> str:
    """All knobs."""
    text = ""
    for _, variable, kind, default, unit, reason, _, _ in _kiln.config_rows():
        values = f"number ({unit})" if kind == "count" else unit
        text += f".TP\n.BR {variable} = \\fI{roff(values)}\\fR\n{roff(reason)}"
        text += f" (default: {roff(default)})\n" if default else "\n"
    return text.rstrip()


def print_page(parser: argparse.ArgumentParser) -> int:
    """Prints the page as man(1) reads it."""
    versions = _kiln.versions()
    print(
        PAGE.format(
            version=kiln.__version__,
            python=".".join(versions["python"].split(".")[:2]),
            commands=describe_commands(parser),
            knobs=describe_knobs(),
        ),
        end="",
    )
    return 0
