"""How the set-up gets a CPython from source: what it takes, checks, builds and says. Source and network are stand-ins."""

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCE = os.environ["TEST_SOURCE"]
LIBRARY = os.path.join(SOURCE, "scripts", "lib")

# Stands for CPython's: notes its arguments, and installs a command that starts the Python that runs this test.
CONFIGURE = f"""#!/bin/sh
echo "$@" >"$NOTES"
for option; do case $option in --prefix=*) prefix=${{option#--prefix=}} ;; esac; done
printf 'all:\\n\\techo built >>%s\\ninstall:\\n\\tmkdir -p %s/bin\\n\\tprintf "#!/bin/sh\\\\nexec {sys.executable} \\\\"\\\\$$@\\\\"\\\\n" >%s/bin/python3.12\\n\\tchmod +x %s/bin/python3.12\\n' \\
    "$NOTES" "$prefix" "$prefix" "$prefix" >Makefile
"""
DOWNLOADER = """#!/bin/sh
echo "$@" >>"$CALLS"
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
[ -z "$SERVED" ] && { echo "could not resolve host" >&2; exit 6; }
cp "$SERVED" "$out"
"""


class PythonSource(unittest.TestCase):
    """Each test has a checkout of its own, in which nothing is built, and commands of its own before the machine's."""

    def setUp(self) -> None:
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="source"))
        self.addCleanup(shutil.rmtree, self.root)
        os.symlink(os.path.join(SOURCE, "scripts"), os.path.join(self.root, "scripts"))
        for name in ("build", "bin", "pyenv/cache"):
            os.makedirs(os.path.join(self.root, name))
        self.write("bin/curl", DOWNLOADER.encode(), 0o755)
        self.own = os.path.join(self.root, ".cache/python-3.12/bin/python3.12")
        self.tarball = self.make_tarball("served.tar.xz")

    def write(self, name: str, data: bytes, mode: int = 0o644) -> str:
        """Writes a file of the checkout; its path."""
        path = os.path.join(self.root, name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
        return path

    def make_tarball(self, name: str) -> str:
        """A source that can be configured and built; its path."""
        path = os.path.join(self.root, name)
        with tarfile.open(path, "w:xz") as tarball:
            member = tarfile.TarInfo("Python-3.12.99/configure")
            member.size, member.mode = len(CONFIGURE.encode()), 0o755
            tarball.addfile(member, io.BytesIO(CONFIGURE.encode()))
        return path

    def read(self, name: str) -> str:
        """The text of a file of the checkout; empty when there is none."""
        path = os.path.join(self.root, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def set_up(self, code: str, **variables: str) -> subprocess.CompletedProcess:
        """Runs functions of the set-up."""
        names = "".join(f'source "{LIBRARY}/{name}.sh"\n' for name in ("progress", "packages", "python"))
        environment = {
            "PATH": f"{self.root}/bin:/usr/bin:/bin", "HOME": self.root, "PYENV_ROOT": f"{self.root}/pyenv", "SERVED": "",
            "NOTES": f"{self.root}/notes", "CALLS": f"{self.root}/calls", **variables,
        }  # fmt: skip
        script = f'set -euo pipefail\nroot={self.root}\n{names}pythonFound="" pythonRejected=() packages=()\n{code}'
        return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=120)

    def test_build(self) -> None:
        """The source that KILN_PYTHON_SOURCE names is built with a profile and link-time optimisation, into the checkout."""
        done = self.set_up("pythonPlan=source; obtainPython", KILN_PYTHON_SOURCE=self.tarball)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        options, built = self.read("notes").splitlines()
        self.assertEqual(options, f"--prefix={self.root}/.cache/python-3.12 --enable-optimizations --with-lto")
        self.assertEqual(built, "built")
        for step in ("unpacking served.tar.xz", "configuring CPython", "building CPython", "installing CPython"):
            self.assertIn(f"kiln: {step}", done.stderr)
        self.assertTrue(os.access(self.own, os.X_OK))
        self.assertFalse(os.path.exists(os.path.join(self.root, ".cache/python-build")))
        self.assertEqual(self.set_up(f'tryPython "{self.own}"').stdout.split()[0], "ok")

    def test_download(self) -> None:
        """A release is fetched once, from python.org, and kept only with the checksum that is pinned."""
        with open(self.tarball, "rb") as file:
            checksum = hashlib.sha256(file.read()).hexdigest()
        done = self.set_up(f"pythonChecksum={checksum}; fetchSource; localSource", SERVED=self.tarball)
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = done.stdout.strip()
        self.assertRegex(os.path.relpath(kept, self.root), r"\A\.cache/Python-3\.12\.\d+\.tar\.xz\Z")
        self.assertRegex(self.read("calls"), r" https://www\.python\.org/ftp/python/(3\.12\.\d+)/Python-\1\.tar\.xz\n\Z")

    def test_wrong_checksum(self) -> None:
        """Nothing of it is used."""
        done = self.set_up("buildPython", SERVED=self.tarball)
        self.assertEqual((done.returncode, done.stdout, self.read("notes")), (1, "", ""))
        self.assertIn("has a wrong checksum", done.stderr)
        self.assertIn("set KILN_PYTHON_SOURCE to a Python-3.12.*.tar.xz from python.org", done.stderr)
        self.assertEqual(self.set_up("localSource || echo none").stdout, "none\n")

    def test_no_network(self) -> None:
        """The message says what failed, and what to do."""
        done = self.set_up("buildPython")
        self.assertEqual((done.returncode, done.stdout, self.read("notes")), (1, "", ""))
        self.assertIn("no CPython 3.12 that kiln can embed was found", done.stderr)
        self.assertIn("set KILN_PYTHON_SOURCE to", done.stderr)
        self.assertRegex(done.stderr, r"kiln: https://www\.python\.org/ftp/\S+ cannot be downloaded: could not resolve host\n")
        self.assertEqual(os.listdir(os.path.join(self.root, ".cache")), [])

    def test_named_source_that_is_not_there(self) -> None:
        """Is said, not passed over."""
        done = self.set_up("buildPython", KILN_PYTHON_SOURCE="/nowhere.tar.xz", SERVED=self.tarball)
        self.assertEqual((done.returncode, done.stdout, self.read("calls")), (1, "", ""))
        self.assertIn("KILN_PYTHON_SOURCE=/nowhere.tar.xz: there is no such file", done.stderr)

    def test_sources_of_pyenv(self) -> None:
        """The newest is taken, by number; without asking the network only when it is no older than the release that is pinned."""
        for release in ("3.12.9", "3.12.10", "3.11.14", "3.13.1"):
            self.write(f"pyenv/cache/Python-{release}.tar.xz", b"")
        self.assertEqual(self.set_up("pyenvSource").stdout, f"{self.root}/pyenv/cache/Python-3.12.10.tar.xz\n")
        for pinned, is_taken in (("3.12.9", True), ("3.12.10", True), ("3.12.11", False)):
            done = self.set_up(f"pythonRelease={pinned}; localSource || echo none")
            self.assertEqual("none" not in done.stdout, is_taken, done.stdout)

    def test_older_source_of_pyenv(self) -> None:
        """Is built when the newest release can't be had; asked for once."""
        os.rename(self.tarball, f"{self.root}/pyenv/cache/Python-3.12.1.tar.xz")
        done = self.set_up("pythonPlan=source; provideSource; obtainPython")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("unpacking Python-3.12.1.tar.xz", done.stderr)
        self.assertIn("--enable-optimizations --with-lto", self.read("notes"))
        self.assertEqual(len(self.read("calls").splitlines()), 1)

    def test_plan(self) -> None:
        """A machine that has neither a CPython nor one in its distribution gets the source before anything is installed."""
        nothing = "pythonCandidates() { :; }; distributionHasPython() { return 1; }; missingPackages() { echo some; };"
        done = self.set_up(f"{nothing} buildPackages=() pythonSourcePackages=(); planPython", SERVED="")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("cannot be downloaded: could not resolve host", done.stderr)
        done = self.set_up(
            f"{nothing} buildPackages=() pythonSourcePackages=(); planPython; echo $pythonPlan ${{packages[@]}}",
            KILN_PYTHON_SOURCE=self.tarball,
        )
        self.assertEqual((done.returncode, done.stdout), (0, "source some\n"), done.stderr)

    def test_broken_source(self) -> None:
        """A step that fails shows the end of its output."""
        done = self.set_up("buildPython", KILN_PYTHON_SOURCE=self.write("broken.tar.xz", b"no tarball"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: unpacking broken.tar.xz", done.stderr)
        self.assertIn("tar: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
