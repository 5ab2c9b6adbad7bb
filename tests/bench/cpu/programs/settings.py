"""Options from the command line, files and the environment: argparse, configparser, exceptions, context managers."""

import argparse
import configparser
import contextlib
import string
import sys

BENCH = {"group": "other", "size": 220, "small": 2, "numba": "the standard library"}

TEXT = "\n".join(
    f"[section{k}]\nname = value {k}\nnumber = {k}\nswitch = {'yes' if k % 2 else 'no'}\npath = %(name)s/{k}\n"
    for k in range(12)
)


class Missing(Exception):
    pass


@contextlib.contextmanager
def layer(stack, settings):
    stack.append(settings)
    try:
        yield stack
    finally:
        stack.pop()


def lookup(stack, key):
    for settings in reversed(stack):
        try:
            return settings[key]
        except KeyError:
            pass
    raise Missing(key)


def make_parser():
    parser = argparse.ArgumentParser(prog="tool")
    parser.add_argument("--verbose", "-v", action="count", default=0)
    parser.add_argument("--level", choices=["low", "high"], default="low")
    commands = parser.add_subparsers(dest="command")
    for name in ("build", "test"):
        command = commands.add_parser(name)
        command.add_argument("--jobs", type=int, default=1)
        command.add_argument("targets", nargs="*")
    return parser


def run(n):
    total = 0
    template = string.Template("$name is $number, $$ $missing")
    for k in range(n):
        options = make_parser().parse_args(["-vv", "--level", "high", "build", "--jobs", str(k % 9), "all", "docs"])
        config = configparser.ConfigParser()
        config.read_string(TEXT)
        stack = [dict(vars(options))]
        for name in config.sections():
            with layer(stack, dict(config[name])):
                total += config.getint(name, "number") + config.getboolean(name, "switch")
                total += len(lookup(stack, "path")) + lookup(stack, "jobs")
                with contextlib.suppress(Missing):
                    total += lookup(stack, "colour")
                total += len(template.safe_substitute(stack[-1]))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
