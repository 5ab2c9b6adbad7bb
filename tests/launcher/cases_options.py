"""Command lines: python's options and its environment variables."""

from support import Case

FLAGS = "import sys; print(sys.flags, sys.warnoptions, sys._xoptions, sys.argv, sys.orig_argv)"
STATE = """
import gc, os, signal, site, sys, sysconfig, threading
for name in ('api_version', 'byteorder', 'builtin_module_names', 'copyright', 'dont_write_bytecode', 'exec_prefix',
             'base_prefix', 'base_exec_prefix', 'prefix', 'platlibdir', 'executable', '_base_executable',
             '_stdlib_dir', '_home', 'float_info', 'hash_info', 'hexversion', 'implementation', 'int_info', 'maxsize',
             'meta_path', 'path', 'path_hooks', 'platform', 'ps1', 'pycache_prefix', 'thread_info', 'version',
             'version_info', '_git'):
    print(name, getattr(sys, name, 'missing'))
print(sorted(dir(sys)), sorted(sys.modules), sorted(sys.path_importer_cache))
print(sys.getrecursionlimit(), sys.getswitchinterval(), sys.gettrace(), sys.getprofile(), sys.get_asyncgen_hooks())
print([sys.monitoring.get_tool(i) for i in range(6)], sys.getdlopenflags(), sys.getfilesystemencoding())
print(sorted(sys.stdlib_module_names))
print([thread.name for thread in threading.enumerate()], len(os.listdir('/proc/self/task')))
print([(s, signal.getsignal(s)) for s in sorted(signal.valid_signals())], gc.get_threshold(), gc.get_freeze_count())
print(site.PREFIXES, site.ENABLE_USER_SITE, {**sysconfig.get_paths(), 'scripts': ''}, sys.stdin, sys.stdout, sys.stderr)
print(sorted(os.environ), os.getcwd(), __name__, sorted(globals()))
"""
MODULE = {"mod.py": "import sys; print(__name__, __file__, sys.path[0], sys.argv)\n"}


def flags(name: str, *options: str, **env: str) -> Case:
    """A case that prints what became of options and variables."""
    return Case(name, [*options, "-c", FLAGS, "one", "-two"], env=env)


CASES = [
    Case("state", ["-c", STATE]),
    Case("state_isolated", ["-I", "-c", STATE]),
    Case("state_without_site", ["-S", "-c", STATE]),
    flags("plain"),
    flags("ignore_environment", "-E", PYTHONOPTIMIZE="2", PYTHONPATH="/x"),
    flags("isolated", "-I", PYTHONOPTIMIZE="2"),
    flags("no_user_site", "-s"),
    flags("safe_path", "-P"),
    flags("optimise", "-O"),
    flags("optimise_more", "-OO"),
    flags("bytes_warning", "-b"),
    flags("no_bytecode", "-B"),
    flags("quiet", "-q"),
    flags("hash_randomisation", "-R", PYTHONHASHSEED="0"),
    flags("debug", "-d"),
    flags("unbuffered", "-u"),
    flags("clustered", "-IBs"),
    flags("warnings", "-W", "error", "-Wignore::UserWarning", "-W", "error", PYTHONWARNINGS="default::ImportWarning"),
    flags("warnings_twice", "-Wd", "-Wi", PYTHONWARNINGS="d,i"),
    flags("development", "-X", "dev"),
    flags("development_warnings", "-X", "dev", "-W", "ignore", PYTHONWARNINGS="error::ResourceWarning"),
    flags("utf8", "-X", "utf8"),
    flags("no_utf8", "-X", "utf8=0"),
    flags("digits", "-X", "int_max_str_digits=640"),
    flags("digits_wrong", "-X", "int_max_str_digits=9"),
    flags("default_encoding", "-X", "warn_default_encoding"),
    flags("unknown_x", "-X", "something=1", "-Xother"),
    flags("kiln_like_x", "-X", "kilnish=1"),
    flags("pycache_prefix", "-X", "pycache_prefix=/nowhere"),
    flags("no_debug_ranges", "-X", "no_debug_ranges"),
    flags("frozen_off", "-X", "frozen_modules=off"),
    flags("frozen_wrong", "-X", "frozen_modules=maybe"),
    flags("tracemalloc", "-X", "tracemalloc=3"),
    flags("faulthandler", "-X", "faulthandler"),
    flags("hash_based", "--check-hash-based-pycs", "never"),
    flags("hash_based_wrong", "--check-hash-based-pycs", "sometimes"),
    flags(
        "variables",
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONUNBUFFERED="1",
        PYTHONNOUSERSITE="1",
        PYTHONSAFEPATH="1",
        PYTHONWARNDEFAULTENCODING="1",
        PYTHONINTMAXSTRDIGITS="700",
        PYTHONUTF8="1",
        PYTHONDEVMODE="1",
    ),
    flags("hash_seed_wrong", PYTHONHASHSEED="many"),
    Case("hash_seed", ["-c", "print(hash('x'), {'a', 'b', 'c', 'd'})"], env={"PYTHONHASHSEED": "7"}),
    Case("python_path", ["-c", "import sys; print(sys.path)"], env={"PYTHONPATH": "/one:$FOLDER/two:"}),
    Case("python_home_wrong", ["-c", "1"], env={"PYTHONHOME": "/nonexistent"}),
    Case(
        "io_encoding",
        ["-c", "import sys; print(sys.stdout, ascii(sys.stdin.read())); print('\\u20ac')"],
        stdin="\u20ac",
        env={"PYTHONIOENCODING": "ascii:backslashreplace"},
    ),
    Case(
        "c_locale",
        [
            "-c",
            "import sys, os; print(sys.stdout.encoding, sys.flags.utf8_mode, ascii(sys.argv), os.environ['LC_CTYPE'])",
            "\u20ac".encode(),
            b"\xff",
        ],
        env={"LANG": "", "LC_ALL": ""},
    ),
    Case(
        "posix_locale",
        ["-c", "import sys; print(sys.stdout.encoding, ascii(sys.argv), ascii(sys.orig_argv))", b"\xe4\xff"],
        env={"LC_ALL": "POSIX"},
    ),
    Case(
        "no_coercion",
        ["-c", "import sys; print(sys.stdout.encoding, sys.flags)"],
        env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ),
    Case("coercion_warning", ["-c", "1"], env={"LANG": "C", "PYTHONCOERCECLOCALE": "warn"}),
    Case("assertions_off", ["-O", "-c", "assert 0; print(__debug__)"]),
    Case("docstrings_off", ["-OO", "-c", "def f():\n 'doc'\nprint(f.__doc__)"]),
    Case("bytes_error", ["-bb", "-c", "str(b'x')"]),
    Case("bytes_compared", ["-b", "-c", "print(b'x' == 'x')"]),
    Case("skip_line", ["-x", "s.py"], files={"s.py": "this is no Python\nprint('ran')\n"}),
    Case("version", ["-V"]),
    Case("version_long", ["-VV"]),
    Case("version_word", ["--version"]),
    Case("help_variables", ["--help-env"]),
    Case("help_x", ["--help-xoptions"]),
    Case("help_all", ["--help-all"]),
    Case("unknown_option", ["-Z"]),
    Case("unknown_word", ["--nonsense"]),
    Case("c_without_argument", ["-c"]),
    Case("m_without_argument", ["-m"]),
    Case("x_without_argument", ["-X"]),
    Case("double_dash", ["--", "mod.py", "-x"], files=MODULE),
    Case("options_behind_script", ["mod.py", "-I", "-X", "dev", "--", "-c"], files=MODULE),
    Case("options_behind_m", ["-m", "mod", "-I", "-c", "x"], files=MODULE),
    Case("m_safe_path", ["-P", "-m", "mod"], files=MODULE),
]
