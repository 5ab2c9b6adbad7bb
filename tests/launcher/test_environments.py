"""Virtual environments, and where the standard library comes from."""

import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import zipfile

from support import KILN, PYTHON, clean_environment, run_kiln, write_files

PACKAGES = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
SHOW = (
    "import site, sys; print(sys.prefix, sys.exec_prefix, sys.base_prefix, sys.path[1:], site.getsitepackages(), "
    "site.ENABLE_USER_SITE, getattr(sys, '_home', 0) is None, sys._stdlib_dir)"
)
WHERE = "import sys; print(sys.executable, sys.prefix, sys._base_executable, sep='|')"
CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', sys.argv[1]], check=True, env={})"
MEMBER = "import member; print(member.x)"

# With these before it a command runs where /proc is mounted for nobody, as in a chroot.
HIDING = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
# Compiled calls, deeper than the native stack is.
DEEP = """import sys
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)
for _ in range(3000):
    deep(50)
sys.setrecursionlimit(10**6)
print(deep(500000), sys.executable, sys.prefix)
"""


class Environments(unittest.TestCase):
    """Each test has a folder, and in it the environment `env` with a package of one file."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.env = self.make("env")
        self.link = os.path.join(self.env, "bin", "kiln")

    def make(self, name: str, *options: str, maker: str = PYTHON) -> str:
        """A new environment."""
        path = os.path.join(self.folder, name)
        options = options or ("--without-pip",)
        subprocess.run([maker, "-m", "venv", *options, path], check=True, env=clean_environment())
        write_files(path, {f"{PACKAGES}/member.py": f"x = {name!r}\n"})
        return path

    def output(self, *args: str, executable: str = KILN, **env: str) -> str:
        """What a run that must succeed prints."""
        result = run_kiln(*args, executable=executable, cwd=self.folder, **env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()

    def test_link_behaves_as_the_environments_python(self) -> None:
        """Through the link that the command puts there."""
        self.assertEqual(self.output("-m", "kiln", "venv", self.env), f"{self.link} -> {KILN}")
        for options in [], ["-I"], ["-s"], ["-S"]:
            expected = self.output(
                *options, "-c", "import site\n" + SHOW, executable=os.path.join(self.env, "bin", "python")
            )
            self.assertEqual(self.output(*options, "-c", "import site\n" + SHOW, executable=self.link), expected)
        self.assertEqual(self.output("-c", WHERE, executable=self.link), f"{self.link}|{self.env}|{KILN}")
        self.assertEqual(self.output("-c", CHILD, MEMBER, executable=self.link), "env")

    def test_active_environment(self) -> None:
        """A kiln elsewhere belongs to it, makes the link, and so do its children without any variable."""
        self.assertEqual(self.output("-c", WHERE, VIRTUAL_ENV=self.env), f"{self.link}|{self.env}|{KILN}")
        self.assertEqual(os.readlink(self.link), KILN)
        expected = self.output("-c", SHOW, executable=os.path.join(self.env, "bin", "python"))
        self.assertEqual(self.output("-c", SHOW, VIRTUAL_ENV=self.env), expected)
        self.assertEqual(self.output("-I", "-c", MEMBER, VIRTUAL_ENV=self.env), "env")
        self.assertEqual(self.output("-c", CHILD, MEMBER, VIRTUAL_ENV=self.env), "env")

    def test_another_kiln_in_the_environment(self) -> None:
        """It stays; then sys.executable is the launcher, and children find the environment through the variable."""
        with open(self.link, "w", encoding="utf-8") as file:
            file.write("another")
        self.assertEqual(self.output("-c", WHERE, VIRTUAL_ENV=self.env), f"{KILN}|{self.env}|{KILN}")
        self.assertEqual(self.output("-c", CHILD.replace("env={}", "env=None"), MEMBER, VIRTUAL_ENV=self.env), "env")
        with open(self.link, encoding="utf-8") as file:
            self.assertEqual(file.read(), "another")
        refused = run_kiln("-m", "kiln", "venv", self.env)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is a file and not a link", refused.stderr)

    def test_dangling_link(self) -> None:
        """A link to a kiln that is gone is replaced."""
        os.symlink("/nonexistent/kiln", self.link)
        self.assertEqual(self.output("-c", WHERE, VIRTUAL_ENV=self.env), f"{self.link}|{self.env}|{KILN}")
        self.assertEqual(os.readlink(self.link), KILN)
        self.assertEqual(os.listdir(os.path.dirname(self.link)).count("kiln"), 1)

    def test_own_environment_goes_before_the_active_one(self) -> None:
        """As with python."""
        other = self.make("other")
        self.output("-m", "kiln", "venv", other)
        self.assertEqual(
            self.output("-c", MEMBER, executable=os.path.join(other, "bin", "kiln"), VIRTUAL_ENV=self.env), "other"
        )

    def test_environment_of_another_python(self) -> None:
        """It is not used, and doctor says so."""
        with open(os.path.join(self.env, "pyvenv.cfg"), "w", encoding="utf-8") as file:
            file.write("home = /usr/bin\nversion = 3.9.2\n")
        shutil.move(os.path.join(self.env, "lib"), os.path.join(self.env, "lib-of-another"))
        self.assertEqual(
            self.output("-c", "import sys; print(sys.prefix == sys.base_prefix)", VIRTUAL_ENV=self.env), "True"
        )
        self.assertFalse(os.path.lexists(self.link))
        self.assertIn("it is for Python 3.9.2", self.output("-m", "kiln", "doctor", VIRTUAL_ENV=self.env))
        refused = run_kiln("-m", "kiln", "venv", self.env)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("it is for Python 3.9.2", refused.stderr)

    def test_no_environment(self) -> None:
        """A variable that points nowhere changes nothing; the command says what is missing."""
        for value in "/nonexistent", "relative", self.folder:
            self.assertEqual(self.output("-c", "import sys; print(sys.executable)", VIRTUAL_ENV=value), KILN)
        refused = run_kiln("-m", "kiln", "venv", self.folder)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("kiln -m venv", refused.stderr)

    def test_environment_made_by_kiln(self) -> None:
        """Its python is kiln; from within an environment the new one does not hang on the old one."""
        for maker, env in (KILN, {}), (KILN, {"VIRTUAL_ENV": self.env}):
            path = os.path.join(self.folder, f"made{len(env)}")
            self.output("-m", "venv", "--without-pip", path, executable=maker, **env)
            for name in "kiln", "python", "python3":
                self.assertEqual(os.path.realpath(os.path.join(path, "bin", name)), KILN)
            self.assertEqual(
                self.output("-c", "import sys; print(sys.prefix)", executable=os.path.join(path, "bin", "python")), path
            )
            with open(os.path.join(path, "pyvenv.cfg"), encoding="utf-8") as file:
                self.assertIn(f"home = {os.path.dirname(KILN)}\n", file.read())

    def test_pip(self) -> None:
        """Installs into the active environment; the command it installs runs without the variable."""
        path = self.make("piped", "--symlinks", maker=KILN)
        wheel = os.path.join(self.folder, "tool-1.0-py3-none-any.whl")
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("tool.py", "def main():\n    import sys\n    print('tool', sys.prefix)\n")
            archive.writestr("tool-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tool\nVersion: 1.0\n")
            archive.writestr(
                "tool-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr("tool-1.0.dist-info/entry_points.txt", "[console_scripts]\ntool = tool:main\n")
            archive.writestr("tool-1.0.dist-info/RECORD", "tool.py,,\ntool-1.0.dist-info/RECORD,,\n")
        result = run_kiln("-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel, VIRTUAL_ENV=path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.output(executable=os.path.join(path, "bin", "tool")), f"tool {path}")


class StandardLibrary(unittest.TestCase):
    """Copies of the launcher in folders of their own."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.home = sysconfig.get_paths()["stdlib"]

    def copy(self, *folders: str) -> str:
        """The launcher's copy in a folder, with the objects that lie beside it."""
        path = os.path.join(self.folder, *folders)
        os.makedirs(path)
        return shutil.copy(KILN, path)

    def copy_built_in(self, folder: bytes, *folders: str) -> str:
        """A copy that was built on a CPython in another folder."""
        kiln = self.copy(*folders)
        prefix, name = os.path.split(os.path.dirname(os.path.dirname(self.home)).encode())
        if len(prefix) < len(folder):
            self.skipTest(f"kiln was built on a CPython in {prefix.decode()}")
        with open(kiln, "r+b") as file:
            data = file.read().replace(prefix + b"/" + name, folder.ljust(len(prefix), b"/") + b"/" + name)
            file.seek(0)
            file.write(data)
        return kiln

    def test_library_beside(self) -> None:
        """bin/kiln with lib/python3.12 beside uses that one, whatever is active, links to it included."""
        kiln = self.copy("root", "bin")
        library = os.path.join(self.folder, "root", "lib", os.path.basename(self.home))
        os.makedirs(library)
        for path in glob.glob(os.path.join(self.home, "*")):
            os.symlink(path, os.path.join(library, os.path.basename(path)))
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", os.path.join(self.folder, "env")], check=True)
        os.symlink(kiln, os.path.join(self.folder, "link"))
        show = "import os, sys, decimal; print(os.__file__, sys.base_prefix, sys.prefix, decimal.Decimal(1))"
        expected = f"{library}/os.py {self.folder}/root "
        for executable, prefix, env in (
            (kiln, "root", {}),
            (os.path.join(self.folder, "link"), "root", {}),
            (kiln, "env", {"VIRTUAL_ENV": os.path.join(self.folder, "env")}),
        ):
            result = run_kiln("-c", show, executable=executable, **env)
            self.assertEqual(result.stdout, f"{expected}{self.folder}/{prefix} 1\n", result.stderr)

    def test_search_path_file(self) -> None:
        """PROGRAM._pth beside a link to the program is all of sys.path, and nothing of the environment counts."""
        shown = []
        for name, program in ("a", PYTHON), ("b", KILN):
            path = [self.home, os.path.join(self.home, "lib-dynload"), "more"]
            write_files(self.folder, {f"{name}/program._pth": "\n".join(["# all", *path, ""]), f"{name}/more/m.py": ""})
            link = os.path.join(self.folder, name, "program")
            os.symlink(program, link)
            code = "import m, sys; print(m.__file__, sys.path, sys.prefix, sys.flags.isolated, sys.flags.no_site)"
            result = run_kiln("-c", code, executable=link, PYTHONPATH="/none")
            self.assertEqual(result.returncode, 0, result.stderr)
            shown.append(result.stdout.replace(os.path.dirname(link), "FOLDER"))
        self.assertEqual(*shown)

    def test_library_of_the_build(self) -> None:
        """A copy elsewhere uses the library of the CPython that kiln was built on, and no other on its way."""
        kiln = self.copy("a", "b", "bin")
        write_files(
            self.folder, {f"a/lib/{os.path.basename(self.home)}/os.py": "raise SystemExit('the wrong library')\n"}
        )
        result = run_kiln("-c", "import os; print(os.__file__)", executable=kiln)
        self.assertEqual(result.stdout, f"{self.home}/os.py\n", result.stderr)

    def test_no_library(self) -> None:
        """Where there is none the message names both places and what helps."""
        for other, words in (b"/gone", "checkout"), (b"//", "install kiln again, with all its files\n"):
            result = run_kiln("-c", "pass", executable=self.copy_built_in(other, other.decode().strip("/") + "bin"))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, r"\Akiln: error: the standard library of Python 3.12.\d+ is (not|neither) in /.*\n\Z")
            self.assertIn(words, result.stderr)
            self.assertEqual("/gone" in result.stderr, other == b"/gone")

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_forbidden_library(self) -> None:
        """One that another user may not read is not said to be missing."""
        kiln = self.copy_built_in(b"/gone", "root", "bin")
        library = os.path.join(self.folder, "root", "lib", os.path.basename(self.home))
        os.makedirs(library, 0o700)
        write_files(library, {"os.py": ""})
        os.chmod(self.folder, 0o755)
        result = subprocess.run([kiln, "-c", ""], user=65534, cwd="/", env={}, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, rf"Python 3\.12\.\d+, in {library}, may not be read by this user: .*\n\Z")


@unittest.skipIf(subprocess.run([*HIDING, "true"], capture_output=True, check=False).returncode, "no namespaces for mounts")
class WithoutProc(unittest.TestCase):
    """Chroots that packages are installed in often have no /proc."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)

    def hidden(self, *command: str, **variables: str) -> str:
        """What a command prints that runs without /proc, and says nothing else."""
        result = subprocess.run(
            [*HIDING, *command], cwd=self.folder, env=clean_environment(**variables), capture_output=True, text=True, check=False
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_compiles(self) -> None:
        """kiln finds its compiler, and where the native stack ends."""
        write_files(self.folder, {"deep.py": DEEP})
        prefix = os.path.dirname(os.path.dirname(os.path.dirname(os.__file__)))
        self.assertEqual(self.hidden(KILN, "deep.py"), f"500000 {KILN} {prefix}\n")
        os.symlink(KILN, os.path.join(self.folder, "link"))
        self.assertIn("opened at the first compilation", self.hidden("./link", "-m", "kiln", "doctor"))

    def test_scripts(self) -> None:
        """A script names kiln in its first line."""
        write_files(self.folder, {"tool": f"#!{KILN}\nimport _kiln\nprint(_kiln.executable())\n"})
        self.assertEqual(self.hidden("./tool"), os.path.realpath(KILN) + "\n")

    def test_of_a_wheel(self) -> None:
        """The small program goes on as the real one, started by its own name and by a script."""
        own, real = os.path.join(self.folder, "bin", "kiln"), os.path.join(self.folder, "lib", "kiln", "bin", "kiln")
        for path, source in (own, os.path.join(os.path.dirname(KILN), "kiln_forward")), (real, KILN):
            os.makedirs(os.path.dirname(path))
            shutil.copy(source, path)
        write_files(self.folder, {"tool": f"#!{own}\nimport _kiln\nprint(_kiln.executable())\n"})
        self.assertEqual(self.hidden("./tool"), real + "\n")
        self.assertEqual(self.hidden("bin/kiln", "tool"), real + "\n")


if __name__ == "__main__":
    unittest.main()
