"""Makes the relocatable tarball: make_dist.py ROOT BUILD VERSION, run by the CPython that kiln was built on.

    bin/kiln                 the launcher; it finds everything else from its own place
    lib/libkiln_llvm.so      the compiler, opened at the first compile
    lib/python3.12           the standard library of the CPython inside, compiled, with its extension modules
    lib/bundled              shared libraries that those need, renamed so that they never meet the system's own
    include/python3.12       headers, for packages that pip builds
    share/licenses
"""
import compileall
import lzma
import os
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile

from elf_files import Bundler, findSystemFaults

MAX_BYTES = 35_000_000

# Parts of the standard library that are left out: tests, demonstrations, and what is only for building CPython.
LEFT_OUT_FOLDERS = {"__pycache__", "test", "tests", "idle_test", "idlelib", "turtledemo", "site-packages", "dist-packages"}
LEFT_OUT_EXTENSIONS = ("_test", "_xx", "xx", "_ctypes_test")


def copyStandardLibrary(target: str) -> None:
    """Copies the standard library to target/lib/python3.12, compiled; pip's own wheel, which venv needs, stays."""

    def leaveOut(folder: str, names: list[str]) -> set[str]:
        isDynload = os.path.basename(folder) == "lib-dynload"
        return {
            name
            for name in names
            if name in LEFT_OUT_FOLDERS
            or name.startswith("config-3.12")
            or name.endswith(".a")
            or (isDynload and name.startswith(LEFT_OUT_EXTENSIONS))
        }

    library = os.path.join(target, "lib", "python3.12")
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=leaveOut)
    os.mkdir(os.path.join(library, "site-packages"))
    makeSysconfigRelocatable(library)
    # Unchecked: unpacking gives files new times, and the folder may not be writable for those who run kiln.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    stale = re.compile(r"lib2to3/|bad_coding|badsyntax")
    if not compileall.compile_dir(library, quiet=1, stripdir=target, rx=stale, invalidation_mode=mode, workers=0):
        sys.exit("kiln: compiling the standard library failed")


def makeSysconfigRelocatable(library: str) -> None:
    """The build's own paths in sysconfig's data become those of the place that kiln runs from."""
    for name in os.listdir(library):
        if name.startswith("_sysconfigdata"):
            path = os.path.join(library, name)
            with open(path, encoding="utf-8") as file:
                text = file.read().replace(sys.base_prefix, "@PREFIX@")
            with open(path, "w", encoding="utf-8") as file:
                file.write(
                    text + "\nimport sys\nbuild_time_vars = {name: value.replace('@PREFIX@', sys.base_prefix)"
                    " if isinstance(value, str) else value\n                   for name, value in build_time_vars.items()}\n"
                )


def copyLicences(root: str, target: str, packages: set[str]) -> None:
    """kiln's licence, CPython's, LLVM's and those of the bundled libraries."""
    folder = os.path.join(target, "share", "licenses")
    os.makedirs(folder)
    shutil.copy(os.path.join(root, "LICENSE"), os.path.join(folder, "kiln"))
    shutil.copy(os.path.join(sysconfig.get_path("stdlib"), "LICENSE.txt"), os.path.join(folder, "cpython"))
    for package in sorted(packages | {"llvm-19-dev", "libzstd-dev"}):
        text = f"/usr/share/doc/{package}/copyright"
        if not os.path.exists(text):
            sys.exit(f"kiln: the licence of {package} is not at {text}")
        shutil.copy(text, os.path.join(folder, package))


def fill(root: str, build: str, target: str) -> None:
    """Puts everything below target."""
    os.makedirs(os.path.join(target, "bin"))
    copyStandardLibrary(target)
    shutil.copytree(sysconfig.get_path("include"), os.path.join(target, "include", "python3.12"))
    shutil.copy(os.path.join(build, "bin", "kiln"), os.path.join(target, "bin", "kiln"))
    shutil.copy(os.path.join(build, "lib", "libkiln_llvm.so"), os.path.join(target, "lib", "libkiln_llvm.so"))
    bundler = Bundler(target, os.path.join("lib", "bundled"))
    bundler.addModules(os.path.join("lib", "python3.12", "lib-dynload"))
    bundler.stripPrograms(["bin/kiln", "lib/libkiln_llvm.so"])
    copyLicences(root, target, bundler.packages)
    faults = findSystemFaults(target)
    if faults:
        sys.exit("\n".join(["kiln: this would not run on Debian 12 and Ubuntu 24.04:"] + faults))


def pack(folder: str, name: str, archive: str, time: int) -> None:
    """Packs folder/name; the same content gives the same bytes."""

    def anonymise(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mtime = time
        info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info

    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9}]
    with lzma.open(archive, "wb", filters=filters) as stream, tarfile.open(fileobj=stream, mode="w") as tar:
        for parent, folders, files in os.walk(os.path.join(folder, name)):
            folders.sort()
            for entry in sorted(files):
                path = os.path.join(parent, entry)
                tar.add(path, os.path.relpath(path, folder), recursive=False, filter=anonymise)
            if not folders and not files:
                tar.add(parent, os.path.relpath(parent, folder), recursive=False, filter=anonymise)


def tryOut(archive: str, name: str) -> None:
    """Unpacks the tarball somewhere else and runs it with an empty environment; ends the program when that fails."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "try_dist.py")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-xJf", archive, "-C", folder], check=True)
        kiln = os.path.join(folder, name, "bin", "kiln")
        result = subprocess.run([kiln, script], env={"PATH": "/usr/bin:/bin", "HOME": folder}, cwd=folder, check=False)
    if result.returncode != 0:
        sys.exit("kiln: the unpacked tarball does not work")


def main() -> None:
    """Makes and tries the tarball; ends with a message and status 1 when it can't be made."""
    root, build, version = sys.argv[1:]
    name = f"kiln-{version}-linux-x86_64"
    dist = os.path.join(root, "build", "dist")
    archive = os.path.join(dist, name + ".tar.xz")
    shutil.rmtree(dist, ignore_errors=True)
    target = os.path.join(dist, name)
    commit = subprocess.run(["git", "-C", root, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or commit.stdout.strip() or 0)
    print("kiln: collecting ...", file=sys.stderr)
    fill(root, build, target)
    print("kiln: packing ...", file=sys.stderr)
    pack(dist, name, archive + ".untried", time)
    tryOut(archive + ".untried", name)
    size = os.path.getsize(archive + ".untried")
    if size > MAX_BYTES:
        sys.exit(f"kiln: the tarball has {size / 1e6:.1f} MB; the limit is {MAX_BYTES / 1e6:.0f} MB")
    os.rename(archive + ".untried", archive)
    print(f"{archive}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
