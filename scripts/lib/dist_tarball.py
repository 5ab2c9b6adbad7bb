"""The tarball of a tree (dist_tree.py), which runs from any folder that it is unpacked to."""
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile

MAX_BYTES = 35_000_000


def pack(tree: str, name: str, archive: str, time: int) -> None:
    """Packs the files of `tree` below a folder of that name; the same content gives the same bytes."""

    def anonymise(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mtime = time
        info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info

    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9}]
    with lzma.open(archive, "wb", filters=filters) as stream, tarfile.open(fileobj=stream, mode="w") as tar:
        for parent, folders, files in os.walk(tree):
            folders.sort()
            place = os.path.normpath(os.path.join(name, os.path.relpath(parent, tree)))
            for entry in sorted(files):
                tar.add(os.path.join(parent, entry), os.path.join(place, entry), recursive=False, filter=anonymise)
            if not folders and not files:
                tar.add(parent, place, recursive=False, filter=anonymise)


def tryOut(archive: str, name: str) -> None:
    """Unpacks the tarball somewhere else and runs it with an empty environment; ends the program when that fails."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "try_dist.py")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-xJf", archive, "-C", folder], check=True)
        kiln = os.path.join(folder, name, "bin", "kiln")
        result = subprocess.run([kiln, script], env={"PATH": "/usr/bin:/bin", "HOME": folder}, cwd=folder, check=False)
    if result.returncode != 0:
        sys.exit("kiln: the unpacked tarball does not work")


def make(dist: str, tree: str, version: str, time: int) -> str:
    """Makes and tries kiln-VERSION-linux-x86_64.tar.xz of the folder `tree` in `dist`; its path."""
    name = f"kiln-{version}-linux-x86_64"
    archive = os.path.join(dist, name + ".tar.xz")
    pack(tree, name, archive + ".untried", time)
    tryOut(archive + ".untried", name)
    size = os.path.getsize(archive + ".untried")
    if size > MAX_BYTES:
        sys.exit(f"kiln: the tarball has {size / 1e6:.1f} MB; the limit is {MAX_BYTES / 1e6:.0f} MB")
    os.rename(archive + ".untried", archive)
    return archive
