"""click: a command line with groups, options and checks, invoked many times."""

import hashlib
import sys

import click
from click.testing import CliRunner

BENCH = {"size": 1200, "small": 5}


@click.group()
@click.option("--level", type=click.IntRange(0, 9), default=1, help="How much to say.")
@click.pass_context
def tool(context, level):
    """A tool."""
    context.obj = level


@tool.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--size", "-s", type=(int, float), multiple=True)
@click.option("--mode", type=click.Choice(["fast", "slow"], case_sensitive=False), default="fast", show_default=True)
@click.option("--shout/--no-shout", default=False)
@click.pass_obj
def greet(level, names, size, mode, shout):
    """Greets NAMES."""
    text = f"{level} {mode} {'/'.join(names)} {sum(a * b for a, b in size)}"
    click.echo(click.style(text.upper() if shout else text, fg="green"))


def run(size):
    runner = CliRunner()
    digest = hashlib.sha256()
    for k in range(size):
        arguments = (["greet", f"n{k}", "x", "-s", str(k), "1.5", "--size", "2", "3"],
                     ["--level", str(k % 12), "greet", "a"],
                     ["greet", "--help"],
                     ["greet", "b", "--mode", "SLOW" if k % 2 else "other", "--shout"])[k % 4]
        result = runner.invoke(tool, arguments, color=False)
        digest.update(f"{result.exit_code} {result.output}".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
