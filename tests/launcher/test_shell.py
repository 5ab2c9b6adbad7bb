"""What a shell's user meets: --help, the manual page, completion."""

import re
import shutil
import subprocess
import tempfile
import unittest

from support import KILN, PYTHON, clean_environment, run_kiln, write_files


def output(*args: str, executable: str = KILN) -> str:
    """What a run that must succeed prints."""
    result = run_kiln(*args, executable=executable)
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout


class Help(unittest.TestCase):
    """kiln's own part."""

    def test_under_pythons(self) -> None:
        """python's text, and then kiln's."""
        for options in ["-h"], ["--help"], ["-?"], ["-Bh"], ["-X", "dev", "--help"], ["-Wignore", "-h"]:
            text, expected = output(*options), output(*options, executable=PYTHON).replace(PYTHON, KILN)
            self.assertTrue(text.startswith(expected), options)
            self.assertIn("kiln -m kiln --help", text[len(expected) :])

    def test_only_when_asked_for(self) -> None:
        """Not for other options that end at once, and not behind the program."""
        for options in ["-V"], ["--help-xoptions"], ["-V", "x", "--help"], ["-X", "-h", "-V"]:
            self.assertNotIn("kiln -m kiln", output(*options))
        self.assertEqual(output("-c", "import sys; print(sys.argv[1:])", "-h"), "['-h']\n")


class Manual(unittest.TestCase):
    """kiln -m kiln manual."""

    def test_names_everything(self) -> None:
        """Every command with its options, and every knob."""
        page = output("-m", "kiln", "manual").replace("\\-", "-")
        commands = re.findall(r"^    (\w+)  ", output("-m", "kiln", "--help"), re.MULTILINE)
        knobs = re.findall(r"^(KILN\w*)=", output("-m", "kiln", "config"), re.MULTILINE)
        self.assertIn("report", commands)
        for command in commands:
            self.assertIn(f"\n.B kiln -m kiln {command}", page)
            for option in re.findall(r"^  (--[a-z-]+)", output("-m", "kiln", command, "--help"), re.MULTILINE):
                self.assertIn(f"\n.B {option}", page)
        for knob in knobs:
            self.assertIn(f"\n.BR {knob} =", page)
        self.assertNotIn("None", page)

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_is_a_page(self) -> None:
        """groff takes it without a warning."""
        page = output("-m", "kiln", "manual")
        result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-rLL=200n"], input=page, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Completion(unittest.TestCase):
    """kiln -m kiln completion."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="shell")
        self.addCleanup(shutil.rmtree, self.folder)
        write_files(self.folder, {"program.py": "", "data.txt": "", "reports/out.json": ""})

    def bash(self, *words: str) -> list[str]:
        """What bash offers for the last word."""
        script = 'source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kiln; printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(
            ["bash", "--norc", "-c", script, "bash", *words], input=output("-m", "kiln", "completion", "bash"),
            capture_output=True, text=True, cwd=self.folder, env=clean_environment(),
        )  # fmt: skip
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split()

    def test_bash(self) -> None:
        """Programs, options, knobs with values, commands, and what follows these."""
        for words, expected in (
            (["kiln", "pro"], ["program.py"]),
            (["kiln", "rep"], ["reports"]),
            (["kiln", "--ver"], ["--version"]),
            (["kiln", "-m", "kil"], ["kiln"]),
            (["kiln", "-X", "kiln-jit="], ["kiln-jit=always", "kiln-jit=off", "kiln-jit=on"]),
            (["kiln", "-m", "kiln", "doc"], ["doctor"]),
            (["kiln", "-B", "-m", "kiln", "explain", "D003"], ["D003"]),
            (["kiln", "-m", "kiln", "report", "--ht"], ["--html"]),
            (["kiln", "-m", "kiln", "report", "dat"], ["data.txt"]),
            (["kiln", "-m", "kiln", "completion", ""], ["bash", "zsh"]),
            (["kiln", "-m", "kiln", "venv", ""], ["reports"]),
            (["kiln", "-m", "kiln", "doctor", ""], []),
        ):
            self.assertEqual(self.bash(*words), expected, words)

    @unittest.skipUnless(shutil.which("pgrep"), "needs pgrep")
    def test_processes(self) -> None:
        """Those that run kiln."""
        with subprocess.Popen([KILN, "-c", "input()"], stdin=subprocess.PIPE) as program:
            while "kiln" not in subprocess.run(["ps", "-o", "comm=", str(program.pid)], capture_output=True, text=True).stdout:
                pass
            self.assertIn(str(program.pid), self.bash("kiln", "-m", "kiln", "top", ""))
            program.communicate(b"\n")

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh(self) -> None:
        """In an interactive zsh, on a terminal: the word is completed."""
        write_files(self.folder, {"_kiln": output("-m", "kiln", "completion", "zsh")})
        for line, expected in (
            ("kiln pro", "kiln program.py"),
            ("kiln -m kiln doc", "kiln -m kiln doctor"),
            ("kiln -X kiln-jit=al", "kiln -X kiln-jit=always"),
            ("kiln -m kiln cache --cl", "kiln -m kiln cache --clear"),
        ):
            script = f"""
                zmodload zsh/zpty; zpty z zsh -f -i
                zpty -w z 'PS1=; unset zle_bracketed_paste; autoload -U compinit; compinit -D -u; source ./_kiln'
                zpty -w z 'show() {{ print -r -- "[$BUFFER]" }}; zle -N show; bindkey "^X" show; print re""ady'
                zpty -r z text '*ready*'
                zpty -w -n z {line!r}$'\\t\\x18'
                zpty -r -m z text '*\\[*\\]*'; print -r -- "$text"
            """
            result = subprocess.run(
                ["zsh", "-f", "-c", script], capture_output=True, text=True, cwd=self.folder, env=clean_environment(), timeout=60
            )
            self.assertIn(f"[{expected} ]", result.stdout, result.stderr)


if __name__ == "__main__":
    unittest.main()
