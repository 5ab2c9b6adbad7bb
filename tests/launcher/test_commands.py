"""The kiln package and `kiln -m kiln`."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import KILN, run_kiln, write_files

SOURCE = os.environ["TEST_SOURCE"]
CODE_ROW = re.compile(r'^KILN_(?:EXIT_REASON|REFUSAL)\(.*?"([AD]\d{3})".*?"(.*)"\)$', re.MULTILINE)


def table_codes() -> dict[str, str]:
    """Code and text of each row in the JIT's tables."""
    codes = {}
    for name in "exit_reasons.def", "refusals.def":
        with open(os.path.join(SOURCE, "jit", name), encoding="utf-8") as file:
            codes.update(CODE_ROW.findall(file.read()))
    return codes


class Commands(unittest.TestCase):
    """Each test runs commands."""

    def output(self, *args: str, **env: str) -> str:
        """What a command that must succeed prints."""
        result = run_kiln(*args, **env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_package(self) -> None:
        """Version, activity, and no trace before it is imported."""
        self.assertEqual(self.output("-c", "import kiln; print(kiln.__version__, kiln.is_active())"), "0.1.0 True\n")
        self.assertEqual(self.output("-X", "kiln-jit=off", "-c", "import kiln; print(kiln.is_active())"), "False\n")
        self.assertEqual(
            self.output("-c", "import sys; print([n for n in sys.modules if 'kiln' in n or 'numba' in n])"), "[]\n"
        )

    def test_found_behind_everything_else(self) -> None:
        """A folder without __init__.py, such as a clone of the project, does not hide the package; a module does."""
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "kiln"))
            self.assertIn("KILN_JIT", run_kiln("-m", "kiln", "config", cwd=folder).stdout)
            write_files(folder, {"kiln.py": "print('mine')\n"})
            self.assertEqual(run_kiln("-m", "kiln", "config", cwd=folder).stdout, "mine\n")

    def test_usage(self) -> None:
        """No command and an unknown one are usage errors."""
        for arguments in [], ["nonsense"], ["venv"]:
            result = run_kiln("-m", "kiln", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("usage: kiln -m kiln", result.stderr)
        self.assertEqual(self.output("-m", "kiln", "--version"), "kiln 0.1.0\n")

    def test_readme(self) -> None:
        """Names every command and every knob."""
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        commands = re.findall(r"^    (\w+)  ", self.output("-m", "kiln", "--help"), re.MULTILINE)
        self.assertIn("doctor", commands)
        knobs = re.findall(r"^(KILN\w*)=", self.output("-m", "kiln", "config"), re.MULTILINE)
        for text in [f"| `kiln -m kiln {command}" for command in commands] + [f"| `{knob}` |" for knob in knobs]:
            self.assertIn(text, readme)

    def test_pages(self) -> None:
        """What the README links to is there; the page of troubles has every code with its title."""
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            text = file.read()
        headings = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^## (.+)$", text, re.MULTILINE)}
        links = re.findall(r"\]\(([^): ]+)\)", text)
        self.assertGreater(len(links), 20)
        for link in links:
            found = link[1:] in headings if link.startswith("#") else os.path.exists(os.path.join(SOURCE, link.partition("#")[0]))
            self.assertTrue(found, link)
        with open(os.path.join(SOURCE, "examples", "guides", "troubleshooting.md"), encoding="utf-8") as file:
            page = file.read()
        for row in self.output("-m", "kiln", "explain").splitlines():
            self.assertIn("| {} | {} |".format(*row.split("  ", 1)), page)

    def test_config_lists_every_knob(self) -> None:
        """With its reason, in at most 100 columns."""
        text = self.output("-m", "kiln", "config", KILN_JIT="off")
        with open(os.path.join(SOURCE, "interp", "config.def"), encoding="utf-8") as file:
            variables = re.findall(r'^KILN_KNOB\(\w+, +"(\w+)"', file.read(), re.MULTILINE)
        self.assertEqual(re.findall(r"^(KILN\w*)=", text, re.MULTILINE), variables)
        self.assertGreater(len(variables), 10)
        self.assertIn("KILN_JIT=off  (from the environment)", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_cache(self) -> None:
        """Counts kernels and deletes them, and nothing else."""
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, {"a.kernel": "12345", "b.kernel": "", "notes.txt": "mine"})
            show = ("-m", "kiln", "cache")
            self.assertEqual(self.output(*show, KILN_CACHE_DIR=folder), f"{folder} (2 kernels, 0.0 MB)\n")
            self.assertEqual(self.output(*show, "--clear", KILN_CACHE_DIR=folder), f"{folder} (0 kernels, 0.0 MB)\n")
            self.assertEqual(os.listdir(folder), ["notes.txt"])
            path = os.path.join(folder, "notes.txt")
            self.assertEqual(self.output(*show, KILN_CACHE_DIR=path), f"{path} (0 kernels, 0.0 MB); not used: it is no folder\n")
            self.assertEqual(
                self.output(*show, KILN_CACHE_DIR=f"{path}/a/b"),
                f"{path}/a/b (not made yet, and cannot be: {path} is no folder)\n",
            )

    def test_doctor(self) -> None:
        """Names what it found, and what is off and why."""
        text = self.output("-m", "kiln", "doctor")
        self.assertIn(f"executable     {KILN}\n", text)
        for label in "Python", "LLVM", "CPU", "CUDA driver", "NVRTC", "cache", "numpy", "numba", "environment":
            self.assertRegex(text, rf"(?m)^  {label} +\S")
        self.assertRegex(text, r"state +on\n")
        self.assertRegex(text, r"built by (GCC|Clang) .* with(out)? profile-guided optimisation; linked statically\n")
        self.assertRegex(text, r"a distribution's optimised python may .*faster where nothing is hot")
        text = self.output("-m", "kiln", "doctor", KILN_JIT="off", KILN_CACHE_DIR="/nonexistent/cache", KILN_NUMBA="0")
        self.assertRegex(text, r"state +off\n")
        self.assertIn("JIT: KILN_JIT=off", text)
        self.assertIn("/nonexistent/cache (not made yet)", text)
        self.assertIn("none: not installed, and kiln's own is off by KILN_NUMBA=0\n", text)

    def test_off(self) -> None:
        """With KILN=0 config and doctor show what is in effect, whatever the other knobs say."""
        env = {"KILN": "0", "KILN_REPORT": "1", "KILN_NUMBA": "1", "KILN_PERF": "1"}
        text = self.output("-m", "kiln", "doctor", **env)
        self.assertRegex(text, r"state +off by KILN=0\n")
        self.assertRegex(text, r"numba +none: not installed, and kiln's own is off by KILN=0\n")
        self.assertIn("Off\n  everything, by KILN=0", text)
        self.assertNotIn("perf-PID", text)
        text = self.output("-m", "kiln", "config", **env)
        self.assertIn("KILN=0  (from the environment)\n", text)
        self.assertIn("KILN_REPORT=1  (from the environment; off by KILN=0)\n", text)
        self.assertIn("KILN_JIT=on  (default; off by KILN=0)\n", text)
        self.assertNotIn("off by", self.output("-m", "kiln", "config"))

    def test_without_the_compiler(self) -> None:
        """A copy of the launcher alone runs programs, says what is missing, and so does doctor."""
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            os.mkdir(os.path.join(folder, "bin"))
            copy = shutil.copy(KILN, os.path.join(folder, "bin", "kiln"))
            program = "total = 0\nfor i in range(3000): total += i\nprint(total)"
            result = run_kiln("-c", program, executable=copy, KILN_JIT="always")
            self.assertEqual((result.returncode, result.stdout), (0, "4498500\n"))
            self.assertRegex(result.stderr, r"\Akiln: warning: nothing is compiled, .*/lib/libkiln_llvm.so: .*\n\Z")
            text = run_kiln("-m", "kiln", "doctor", executable=copy).stdout
            self.assertRegex(text, r"state +off\n")
            self.assertIn(f"JIT: {folder}/lib/libkiln_llvm.so is missing; scripts/run builds it again\n", text)

    def test_remedies_of_each_installation(self) -> None:
        """Only a checkout has scripts; what a package lacks comes with the package."""
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        kinds = {"tarball": "unpack kiln's tarball again", "wheel/lib/kiln": "/wheel/bin/python -m pip install --force-reinstall kiln-"}
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            write_files(folder, {f"wheel/lib/{version}/site-packages/kiln-1.0.dist-info/RECORD": ""})
            for place, remedy in kinds.items():
                os.makedirs(os.path.join(folder, place, "bin"))
                os.mkdir(os.path.join(folder, place, "lib"))
                os.symlink(os.path.dirname(os.__file__), os.path.join(folder, place, "lib", version))
                copy = shutil.copy(KILN, os.path.join(folder, place, "bin"))
                text = run_kiln("-m", "kiln", "doctor", executable=copy).stdout
                self.assertIn(f"JIT: {folder}/{place}/lib/libkiln_llvm.so is missing; ", text)
                self.assertIn(remedy, text)
                self.assertNotIn("scripts/run builds", text)

    def test_doctor_lists_each_library_once(self) -> None:
        """However many names it has; what cannot be opened is said in one line."""
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, {"lib64/libnvrtc.so.12.1": "no library", "lib64/libnvrtc.so.13": "none either"})
            os.symlink("lib64", os.path.join(folder, "lib"))
            os.symlink("libnvrtc.so.12.1", os.path.join(folder, "lib64", "libnvrtc.so.12"))
            text = self.output("-m", "kiln", "doctor", CUDA_HOME=folder, CUDA_PATH=folder)
            shown = [line.strip() for line in text.splitlines() if folder in line]
            libraries = [f"{folder}/lib64/libnvrtc.so.{version}: file too short" for version in (12, 13)]
            self.assertEqual(shown, [f"{folder}/lib64", *libraries], text)
            self.assertNotIn("No such file", text)

    def test_doctor_with_packages(self) -> None:
        """Installed packages are found without importing them."""
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for name in "numpy", "numba":
                files[f"{name}/__init__.py"] = "raise RuntimeError('imported')\n"
                files[f"{name}-9.8.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.8\n"
            write_files(folder, files)
            text = self.output("-m", "kiln", "doctor", PYTHONPATH=folder)
            self.assertRegex(text, rf"numpy +9.8 in {folder}\n")
            self.assertRegex(text, rf"numba +9.8 in {folder}\n")
            text = self.output("-m", "kiln", "doctor", PYTHONPATH=folder, KILN_NUMBA="1")
            self.assertIn("kiln's own, for every importer", text)

    def test_explain(self) -> None:
        """Every code of the JIT's tables, and no other, is explained under the table's own words."""
        listed = dict(line.split("  ", 1) for line in self.output("-m", "kiln", "explain").splitlines())
        self.assertEqual({code: text for code, text in listed.items() if code[0] != "K"}, table_codes())
        for code, title in listed.items():
            text = self.output("-m", "kiln", "explain", code.lower())
            self.assertTrue(text.startswith(f"{code}  {title}\n\n"))
            self.assertGreater(len(text.split("\n\n")[1]), 80)
            self.assertLessEqual(max(map(len, text.splitlines())), 120)
        result = run_kiln("-m", "kiln", "explain", "D0001")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(
            result.stderr, "kiln: D0001 is no code of kiln's; did you mean D001? `kiln -m kiln explain` lists all\n"
        )
        two = self.output("-m", "kiln", "explain", "D003", "A001")
        self.assertEqual(two, self.output("-m", "kiln", "explain", "D003") + "\n" + self.output("-m", "kiln", "explain", "A001"))
        result = run_kiln("-m", "kiln", "explain", "zzz")
        groups = [[code for code in listed if code[0] == letter] for letter in "DAK"]
        codes = ", ".join(f"{min(group)} to {max(group)}" for group in groups)
        self.assertEqual(
            result.stderr, f"kiln: zzz is no code of kiln's; there are {codes}; `kiln -m kiln explain` lists all\n"
        )

    def test_report(self) -> None:
        """A report that a run wrote is shown; other files are refused."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            run_kiln("-c", "sum(i * i for i in range(300000))", KILN_REPORT=path)
            self.assertIn("samples", self.output("-m", "kiln", "report", path))
            write_files(folder, {"bad.json": "{}", "worse.json": b"\xff\xfe"})
            for name in "bad.json", "worse.json", "missing.json":
                result = run_kiln("-m", "kiln", "report", os.path.join(folder, name))
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(name, result.stderr)

    def test_closed_pipe(self) -> None:
        """Ends quietly when the reader does."""
        command = f"{KILN} -m kiln explain | head -n 1; for i in 1 2 3; do {KILN} -m kiln config | head -n 1; done"
        result = subprocess.run(command, shell=True, capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        self.assertEqual(len(result.stdout.splitlines()), 4)


if __name__ == "__main__":
    unittest.main()
