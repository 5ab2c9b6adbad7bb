"""What scripts/dist makes: the wheel and the Debian package, made of this build.

Making them tries them, too: the wheel is installed, run and uninstalled, the package unpacked and run (scripts/lib/try_*.py).
"""

import base64
import email
import glob
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD, SOURCE, VERSION = (os.environ[name] for name in ("TEST_BUILD", "TEST_SOURCE", "TEST_VERSION"))
sys.path.insert(0, os.path.join(SOURCE, "scripts", "lib"))
import builder_paths  # noqa: E402
TOOLS = "patchelf", "readelf", "strip", "dpkg-deb", "dpkg-shlibdeps"
SKIPPED = 77  # the exit status by which ctest knows a test that was skipped
# GPL, or of the desktop: what the wheel must do without, and the package only recommends or suggests.
OPTIONAL = "readline", "_tkinter"

# CHROOT WORK DEB HIDDEN: installs the package in a copy of this system's files that has no /proc, no /dev and no folder HIDDEN.
CHROOT = """
set -e
mount -t tmpfs none "$1"
cd "$1"
mkdir upper work system
mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" system
for folder in "$1/system/dev" "$1/system$3"; do
    mount -t tmpfs none "$folder"
done
cp "$2" system/kiln.deb
exec chroot system sh -c "$4" sh
"""
INSTALL = """
export DEBIAN_FRONTEND=noninteractive
dpkg --force-depends -i /kiln.deb >/dev/null
kiln -c 'import sys; print(sys.prefix, sum(i * i % 7 for i in range(1000000)))'
find /usr/lib/kiln -name '*.pyc' | grep -q . && echo bytecode
dpkg --remove kiln >/dev/null
ls /usr/lib/kiln 2>/dev/null || echo removed
"""


def output(*command: str) -> str:
    """What a command that must succeed prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Artefacts(unittest.TestCase):
    """Both are made once."""

    folder: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.mkdtemp(prefix="dist")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        script = os.path.join(SOURCE, "scripts", "lib", "make_dist.py")
        subprocess.run([sys.executable, "-B", script, SOURCE, BUILD, VERSION, cls.folder, "wheel", "deb"], check=True)

    def made(self, pattern: str) -> str:
        """The one file of that name."""
        [path] = glob.glob(os.path.join(self.folder, pattern))
        return path

    def test_nothing_else_stays(self) -> None:
        """The two files are all."""
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_record(self) -> None:
        """RECORD names every file with its size and digest."""
        with zipfile.ZipFile(self.made("*.whl")) as wheel:
            record = wheel.read(f"kiln-{VERSION}.dist-info/RECORD").decode().splitlines()
            rows = dict(row.split(",", 1) for row in record)
            self.assertEqual(set(rows), set(wheel.namelist()))
            self.assertEqual(rows.pop(f"kiln-{VERSION}.dist-info/RECORD"), ",")
            for name, row in rows.items():
                data = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual(row, f"sha256={digest},{len(data)}", name)

    def test_metadata(self) -> None:
        """Name, versions, the tag of the file's name, and a licence file for each licence."""
        path = self.made("*.whl")
        with zipfile.ZipFile(path) as wheel:
            info = f"kiln-{VERSION}.dist-info"
            metadata = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
            tag = email.message_from_bytes(wheel.read(f"{info}/WHEEL"))["Tag"]
            self.assertEqual(os.path.basename(path), f"kiln-{VERSION}-{tag}.whl")
            self.assertRegex(tag, r"\Acp312-none-manylinux_2_\d+_x86_64\Z")
            self.assertEqual((metadata["Name"], metadata["Version"]), ("kiln", VERSION))
            self.assertEqual(metadata["Requires-Python"], ">=3.12,<3.13")
            self.assertGreater(len(metadata.get_payload()), 200)
            self.assertIn("\n    kiln program.py\n    KILN_REPORT=out.html kiln program.py  ", metadata.get_payload())
            self.assertNotIn("scripts/", metadata.get_payload())
            licences = metadata.get_all("License-File")
            self.assertLessEqual({"kiln", "cpython", "llvm-19-dev"}, set(licences))
            for name in licences:
                self.assertGreater(len(wheel.read(f"{info}/licenses/{name}")), 100)

    def test_content_of_the_wheel(self) -> None:
        """Programs are executable; modules that need libraries outside the policy of manylinux are left out."""
        with zipfile.ZipFile(self.made("*.whl")) as wheel:
            modes = {entry.filename: entry.external_attr >> 16 for entry in wheel.infolist()}
        for name in f"kiln-{VERSION}.data/scripts/kiln", f"kiln-{VERSION}.data/data/lib/kiln/bin/kiln":
            self.assertTrue(modes[name] & stat.S_IXOTH, name)
        modules = [os.path.basename(name).split(".")[0] for name in modes if "/lib-dynload/" in name]
        self.assertIn("_ssl", modules)
        self.assertFalse(set(modules) & set(OPTIONAL))

    def test_control(self) -> None:
        """The package depends on the libraries that its modules need; those of optional modules are weaker."""
        path = self.made("*.deb")
        fields = email.message_from_string(output("dpkg-deb", "--field", path))
        self.assertEqual((fields["Package"], fields["Version"], fields["Architecture"]), ("kiln", VERSION, "amd64"))
        self.assertRegex(fields["Depends"], r"\blibc6 \(>= .*\blibffi8\b.*\blibssl3")
        self.assertNotIn("readline", fields["Depends"])
        names = output("dpkg-deb", "--contents", path)
        self.assertIn("./usr/bin/kiln -> ../lib/kiln/bin/kiln", names)
        self.assertIn("./usr/share/man/man1/kiln.1.gz", names)
        self.assertNotIn("/lib/bundled/kiln-", names)
        self.assertNotIn(".pyc", names)

    def test_no_folder_of_this_machine(self) -> None:
        """Nothing in them names where they were made."""
        folders = builder_paths.builderPaths(SOURCE, BUILD)
        with tempfile.TemporaryDirectory() as target:
            subprocess.run(["dpkg-deb", "-x", self.made("*.deb"), target], check=True)
            self.assertEqual(builder_paths.findNamed(target, folders), [])
        with tempfile.TemporaryDirectory() as target, zipfile.ZipFile(self.made("*.whl")) as wheel:
            wheel.extractall(target)
            self.assertEqual(builder_paths.findNamed(target, folders), [])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root and unshare")
    def test_installs_in_a_bare_chroot(self) -> None:
        """Without /proc and /dev/shm the package goes in and out, and kiln runs."""
        with tempfile.TemporaryDirectory() as folder:
            command = ["unshare", "--mount", "sh", "-c", CHROOT, "sh", folder, self.made("*.deb"), sys.base_prefix, INSTALL]
            environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}  # no kiln of this machine's
            result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if "mount:" in result.stderr:
            self.skipTest(result.stderr)
        total = sum(i * i % 7 for i in range(1000000))
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(result.stdout, f"/usr/lib/kiln {total}\nbytecode\nremoved\n")

    @unittest.skipUnless(shutil.which("lintian"), "needs lintian")
    def test_lintian(self) -> None:
        """It finds no error."""
        result = subprocess.run(["lintian", "--fail-on", "error", self.made("*.deb")], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    if absent:
        print(f"skipped: {', '.join(absent)} must be installed")
        sys.exit(SKIPPED)
    unittest.main()
