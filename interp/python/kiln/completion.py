"""`kiln -m kiln completion SHELL`: completion of kiln's command line, made of the commands' grammar and the table of knobs."""

import argparse
from typing import NamedTuple

import _kiln

PYTHON_OPTIONS = (
    "-b -B -c -d -E -h -i -I -m -O -OO -P -q -s -S -u -v -V -W -x -X --help --version --help-env --help-xoptions --help-all "
    "--check-hash-based-pycs"
).split()  # fmt: skip

BASH = """\
# bash completion of kiln. Made by `kiln -m kiln completion bash`.
_kiln() {{
    local cur prev word command='' i
    COMPREPLY=()
    # Bash ends words at = and : too; a knob with its value is one word here.
    if declare -F _get_comp_words_by_ref >/dev/null; then
        local words cword
        _get_comp_words_by_ref -n =: cur prev words cword
    else
        cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
        local words=("${{COMP_WORDS[@]}}") cword=$COMP_CWORD
    fi
    for ((i = 1; i + 1 < cword; i++)); do
        if [[ ${{words[i]}} == -m && ${{words[i + 1]}} == kiln ]]; then
            command=${{words[i + 2]-}}
            ((i + 2 < cword)) || command=' '
            break
        fi
    done
    case $command in
    '') _kiln_interpreter ;;
    ' ') COMPREPLY=($(compgen -W '{commands}' -- "$cur")) ;;
{command_cases}
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
    esac
    declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
    return 0
}}

# What comes before the program, and the program.
_kiln_interpreter() {{
    case $prev in
    -m) COMPREPLY=($(compgen -W 'kiln pip pytest timeit unittest venv' -- "$cur")) ;;
    -X) COMPREPLY=($(compgen -W '{knobs}' -- "$cur")) ;;
    -c | -W) ;;
    *)
        if [[ $cur == -* ]]; then
            COMPREPLY=($(compgen -W '{options}' -- "$cur"))
        else
            COMPREPLY=($(compgen -f -X '!*.py' -- "$cur") $(compgen -d -- "$cur"))
            ((${{#COMPREPLY[@]}})) || COMPREPLY=($(compgen -f -- "$cur"))
        fi
        ;;
    esac
}}
complete -o filenames -F _kiln kiln
"""

BASH_COMMAND = """\
    {name})
        if [[ $cur == -* ]]; then
            COMPREPLY=($(compgen -W '{options}' -- "$cur"))
        else
            COMPREPLY=($(compgen {words} -- "$cur"))
        fi
        ;;"""

ZSH = """\
#compdef kiln
# zsh completion of kiln. Made by `kiln -m kiln completion zsh`.
_kiln_command() {{
    local -a commands=({commands})
    if ((CURRENT == 1)); then
        _describe command commands
        return
    fi
    case $words[1] in
{command_cases}
    *) _files ;;
    esac
}}

_kiln() {{
    local -a knobs=({knobs})
    local i
    for ((i = 2; i + 1 < CURRENT; i++)); do
        if [[ $words[i] == -m && $words[i+1] == kiln ]]; then
            words=($words[i+2,-1])
            ((CURRENT -= i + 1))
            _kiln_command
            return
        fi
    done
    case $words[CURRENT-1] in
    -m) compadd kiln pip pytest timeit unittest venv ;;
    -X) compadd -a knobs ;;
    -c | -W) _message argument ;;
    *)
        if [[ $PREFIX == -* ]]; then
            compadd -- {options}
        else
            _files -g '*.py' || _files
        fi
        ;;
    esac
}}

# Loaded as a function of this name by compinit, or sourced.
if [[ $funcstack[1] == _kiln ]]; then
    _kiln "$@"
else
    compdef _kiln kiln
fi
"""


class Command(NamedTuple):
    """What can follow a command's name."""

    name: str
    summary: str
    options: list[str]
    words: list[str]  # none: what `metavar` stands for
    metavar: str      # of the first argument, "" when it has none


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """The commands of `kiln -m kiln`."""
    from kiln.reasons import REASONS

    actions = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {action.dest: str(action.help) for action in actions._choices_actions}
    commands = []
    for name, command in actions.choices.items():
        options = [option for action in command._actions for option in action.option_strings]
        arguments = [action for action in command._actions if not action.option_strings]
        words = [word for action in arguments for word in action.choices or []]
        metavar = str(arguments[0].metavar) if arguments else ""
        commands.append(Command(name, summaries[name], options, list(REASONS) if metavar == "CODE" else words, metavar))
    return commands


# What arguments are completed to, in bash (options of compgen) and in zsh; by their names, else files.
ARGUMENTS = {
    "": ("-W ''", "_message 'no argument'"),
    "DIR": ("-d", "_files -/"),
    "PID": ('-W "$(pgrep -x kiln 2>/dev/null)"', "compadd $(pgrep -x kiln 2>/dev/null)"),
}
FILES = "-f", "_files"


def knob_words() -> list[str]:
    """Each knob as -X takes it, with each of its values."""
    words = []
    for _, variable, kind, _, unit, _, _, _ in _kiln.config_rows():
        name = variable.lower().replace("_", "-")
        values = unit.split("|") if kind in ("switch", "choice", "output") else unit.split(",") if kind == "list" else [""]
        words += [f"{name}={'' if value.startswith('FILE') else value}" for value in values]
    return sorted(set(words))


def bash(parser: argparse.ArgumentParser) -> str:
    """The script for bash."""
    commands = commands_of(parser)
    cases = [
        BASH_COMMAND.format(
            name=command.name,
            options=" ".join(command.options),
            words=f"-W '{' '.join(command.words)}'" if command.words else ARGUMENTS.get(command.metavar, FILES)[0],
        )
        for command in commands
    ]
    return BASH.format(
        commands=" ".join(command.name for command in commands),
        command_cases="\n".join(cases),
        knobs=" ".join(knob_words()),
        options=" ".join(PYTHON_OPTIONS),
    )


def zsh(parser: argparse.ArgumentParser) -> str:
    """The script for zsh."""
    commands = commands_of(parser)

    def quoted(text: str) -> str:
        return "'" + text.replace("'", "'\\''") + "'"

    cases = [
        f"    {command.name}) [[ $PREFIX == -* ]] && compadd -- {' '.join(command.options)} || "
        + (f"compadd {' '.join(command.words)}" if command.words else ARGUMENTS.get(command.metavar, FILES)[1])
        + " ;;"
        for command in commands
    ]
    return ZSH.format(
        commands=" ".join(quoted(f"{command.name}:{command.summary}") for command in commands),
        command_cases="\n".join(cases),
        knobs=" ".join(map(quoted, knob_words())),
        options=" ".join(PYTHON_OPTIONS),
    )


SHELLS = {"bash": bash, "zsh": zsh}


def print_script(shell: str, parser: argparse.ArgumentParser) -> int:
    """Prints the script of one of SHELLS."""
    print(SHELLS[shell](parser), end="")
    return 0
