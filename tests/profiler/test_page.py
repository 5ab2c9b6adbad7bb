"""The HTML report: what is in the file, and what a browser makes of it. Usage: test_page.py KILN [unittest options].

The tests in a browser need Chromium; where there is none they are skipped.
"""

import html.parser
import json
import os
import re
import stat
import tempfile
import unittest

import browser
import report_case
from report_case import ReportTest

PROGRAM = """
import time

def parse(lines):
    for line in lines:
        yield sum(map(int, line.split(",")))

def compute(n):
    s = 0.0
    for i in range(n):
        s += i * 0.5 % 3.0
    return s

def main(seconds):
    end = time.perf_counter() + seconds
    total = 0
    while time.perf_counter() < end:
        total += sum(parse(["1,2,3,4"] * 3000))
        compute(30000)
    return total

main({seconds})
"""
HOSTILE = '<img src=x onerror=document.title="owned"></script><script>document.title="owned"</script><!--'
HOSTILE_PROGRAM = f"""
import time
def wait(seconds):  # {HOSTILE}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end: {HOSTILE!r}
class Odd: pass
def odd(seconds): wait(seconds)
odd.__code__ = odd.__code__.replace(co_qualname={HOSTILE!r}, co_name={HOSTILE!r})
wait.__code__ = wait.__code__.replace(co_qualname={HOSTILE!r})
odd(0.5)
"""


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text of its scripts by their id."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.script: str | None = None
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        self.script = dict(attributes).get("id") or "" if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        self.script = None

    def handle_data(self, data: str) -> None:
        if self.script is not None:
            self.scripts[self.script] = self.scripts.get(self.script, "") + data

    def data(self) -> dict:
        return json.loads(self.scripts["data"])


class PageTest(ReportTest):
    def page(self, source: str, **variables: str) -> Page:
        done = self.run_source(source, "out.html", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return Page(os.path.join(self.directory, "out.html"))

    def path(self, name: str = "out.html") -> str:
        return os.path.join(self.directory, name)


class File(PageTest):
    def test_is_one_private_file_that_loads_nothing(self) -> None:
        page = self.page(PROGRAM.format(seconds=0.5))
        self.assertEqual(stat.S_IMODE(os.stat(self.path()).st_mode), 0o600)
        self.assertLess(os.path.getsize(self.path()), 5_000_000)
        self.assert_no_leftovers()
        for tag, attributes in page.tags:
            self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base", "form", "video", "audio"})
            self.assertNotIn("src", attributes)
            self.assertFalse([name for name in attributes if name.startswith("on")], tag)
            self.assertTrue((attributes.get("href") or "#").startswith("#"))
        policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe-inline'; script", policy.replace("style-src 'unsafe-inline'", ""))
        self.assertNotIn("http", page.scripts[""].replace("http://www.w3.org/2000/svg", ""))

    def test_has_the_report_with_source(self) -> None:
        data = self.page(PROGRAM.format(seconds=0.5)).data()
        index = next(i for i, function in enumerate(data["functions"]) if function["name"] == "parse")
        [lines] = [source["lines"] for source in data["sources"] if source["function"] == index]
        self.assertEqual(lines[0], [4, "def parse(lines):"])
        self.assertEqual(lines[-1], [6, '        yield sum(map(int, line.split(",")))'])
        self.assertIn("A001", data["reasons"])

    def test_tiers_of_notebooks(self) -> None:
        """Each tier has the name and the colour that it has in the tables of notebooks."""
        self.page("pass")
        with open(self.path(), encoding="utf-8") as file:
            text = file.read()
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", text[text.index(":root") : text.index("@media")]))
        titles = dict(re.findall(r'\b(\w+): "([^"]*)"', text[text.index("tierTitles = ") : text.index("function make(")]))
        shown = self.run_kiln("-c", "import json; from kiln import notebook; print(json.dumps(notebook.TIERS))", report="0")
        self.assertEqual(shown.stderr, "")
        notebooks = {tier: (colour, title) for tier, colour, title in json.loads(shown.stdout)}
        self.assertGreater(len(titles), 5)
        for tier, title in titles.items():
            self.assertEqual(notebooks.get(tier), (colours[tier], title))

    def test_without_source(self) -> None:
        for values in ({"KILN_REPORT_SOURCE": "0"}, {}):
            self.run_source(PROGRAM.format(seconds=0.2), "out.html", **values)
            with open(self.path(), encoding="utf-8") as file:
                self.assertEqual("line.split" in file.read(), not values)

    def test_from_a_file(self) -> None:
        self.run_source(PROGRAM.format(seconds=0.3), "out.json")
        for source in "1", "0":
            done = self.run_kiln("-m", "kiln", "report", "out.json", "--html", "made.html", report="0", KILN_REPORT_SOURCE=source)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            data = Page(self.path("made.html")).data()
            self.assertEqual("sources" in data, source == "1")
            self.assertEqual(data["samples"], self.read()["samples"])
            self.assertEqual(stat.S_IMODE(os.stat(self.path("made.html")).st_mode), 0o600)
        refused = self.run_kiln("-m", "kiln", "report", "program.py", "--html", "no.html", report="0")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertFalse(os.path.exists(self.path("no.html")))
        refused = self.run_kiln("-m", "kiln", "report", "out.json", "--html", "no/such/place.html", report="0")
        self.assertIn("cannot write no/such/place.html: there is no folder no/such\n", refused.stderr)

    def test_children_are_in_it(self) -> None:
        source = "import os\npid = os.fork()\n" + PROGRAM.format(seconds=0.3) + "if pid: os.waitpid(pid, 0)\nelse: os._exit(0)\n"
        source += "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'sum(range(3000000))'], cwd='/', check=True)\n"
        data = self.page(source).data()
        self.assertEqual(len(data["processes"]), 3)
        self.assertEqual(sorted(os.listdir(self.directory)), ["out.html", "program.py", "temporary"])
        self.assert_no_leftovers()

    def test_ends_of_all_kinds(self) -> None:
        spin = PROGRAM.format(seconds=0.2)
        for source, status in {"import os; os._exit(4)": 4, "1 / 0": 1, "import os, signal; os.kill(os.getpid(), 15)": -15}.items():
            done = self.run_source(spin + source, "out.html")
            self.assertEqual(done.returncode, status)
            self.assertGreater(len(Page(self.path()).data()["functions"]), 2)
            os.remove(self.path())

    def test_hostile_names_stay_data(self) -> None:
        plain = self.page(PROGRAM.format(seconds=0.2))
        hostile = self.page(HOSTILE_PROGRAM)
        self.assertEqual([tag for tag, _ in plain.tags], [tag for tag, _ in hostile.tags])
        self.assertIn(HOSTILE, {function["name"] for function in hostile.data()["functions"]})


@unittest.skipUnless(browser.CHROMIUM, "no Chromium")
class InBrowser(PageTest):
    def setUp(self) -> None:
        super().setUp()
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        self.browser = browser.Browser(profile.name)
        self.addCleanup(self.browser.__exit__)
        self.browser.resize(1400, 1000)

    def open(self, source: str, **variables: str) -> None:
        self.page(source, **variables)
        self.browser.open(self.path())
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([url for url in self.browser.requested() if not url.startswith("file://" + self.path())], [])

    def texts(self, selector: str) -> list[str]:
        return self.browser.run(f"[...document.querySelectorAll({selector!r})].map((element) => element.textContent)")

    def test_shows_everything(self) -> None:
        self.open(PROGRAM.format(seconds=0.7))
        [verdict] = self.texts("#verdict")
        self.assertRegex(verdict, r"^\d+ % of [\d.]+ m?s native; \d+ % of the time is lost to parse line 5: .*, A001\.$")
        self.assertIn("program.py", self.texts("h1")[0])
        self.assertTrue(any("parse" in row for row in self.texts("#functions tbody tr")))
        self.assertTrue(any(text.startswith("parse") for text in self.texts("#flame button")))
        self.assertTrue(any("yield sum" in text for text in self.texts("#source .text")))
        self.assertTrue(any("A001 not native" in text for text in self.texts("#source .note")))
        self.assertTrue(any("yields or awaits" in text for text in self.texts("#source details details summary")))
        shares = [float(text.split("%")[0].split()[-1]) for text in self.texts("#source > details > summary")]
        self.assertGreater(len(shares), 1)
        self.assertEqual(shares, sorted(shares, reverse=True))  # the hottest first
        self.assertGreater(self.browser.run("document.querySelectorAll('#timeline svg rect').length"), 10)
        self.assertTrue(any("3.12." in text for text in self.texts("#environment td")))

    def test_sorts(self) -> None:
        self.open(PROGRAM.format(seconds=0.7))
        names = "[...document.querySelectorAll('#functions tbody tr')].map((row) => row.querySelector('.code').textContent)"
        by_time = self.browser.run(names)
        self.browser.run("document.querySelector('#functions th button').click()")
        self.assertEqual(self.browser.run(names), sorted(by_time, key=lambda name: name))
        self.assertEqual(self.browser.run("document.querySelector('#functions th').getAttribute('aria-sort')"), "ascending")
        self.browser.run("document.querySelector('#functions th button').click()")
        self.assertEqual(self.browser.run(names), sorted(by_time, reverse=True))
        self.browser.run("document.querySelectorAll('#functions th button')[1].click()")
        self.assertEqual(self.browser.run(names), by_time)

    def test_searches_by_keyboard(self) -> None:
        self.open(PROGRAM.format(seconds=0.7))
        for key in "/comp":
            self.browser.press(key)
        shown = "[...document.querySelectorAll('#functions tbody tr')].filter((row) => !row.hidden).length"
        self.assertEqual(self.browser.run("document.getElementById('search').value"), "comp")
        self.assertEqual(self.browser.run(shown), 1)
        self.assertRegex(self.texts("#found")[0], "^1 function, ")
        dim = self.texts("#flame button.unmatched")
        self.assertIn("parse", dim)
        self.assertNotIn("compute", dim)

    def test_zooms_by_keyboard(self) -> None:
        self.open(PROGRAM.format(seconds=0.7))
        self.browser.run("document.querySelector('#flame button[tabindex=\"0\"]').focus()")
        focused = "document.activeElement.textContent"
        path = [self.browser.run(focused)]
        for _ in range(3):
            self.browser.press("ArrowDown")
            path.append(self.browser.run(focused))
        self.assertEqual(path[:3], ["all", "<module>", "main"])
        self.assertIn(path[3], {"parse", "compute"})
        self.browser.press("Enter")
        self.assertEqual(self.browser.run(focused), path[3])
        self.assertEqual(self.browser.run("document.activeElement.style.width"), "100%")
        self.browser.press("Escape")
        self.assertEqual(self.browser.run(focused), "main")

    def test_themes_and_widths(self) -> None:
        """Text and ground keep their distance in both themes; nothing but the parts that may scroll is wider than the window."""
        self.open(PROGRAM.format(seconds=0.5))
        colours = """[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]
            .map((text) => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"""
        for dark in False, True:
            for width in 400, 1400, 4000:
                self.browser.resize(width, 900, dark)
                text, ground = self.browser.run(colours)
                self.assertGreater(abs(text - ground), 400)
                self.assertEqual(ground < 200, dark)
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)
        self.browser.run("document.getElementById('theme').click()")
        self.assertGreater(self.browser.run(colours)[1], 600, "the button goes before the system's wish")

    def test_labels_of_the_timeline_have_room(self) -> None:
        """However narrow the window is, and however long the run; it is drawn anew when the window changes."""
        self.open(PROGRAM.format(seconds=0.5))
        boxes = """[...document.querySelectorAll('#timeline svg text')].map((text) => text.getBoundingClientRect())
            .map((box) => [box.left, box.top, box.right, box.bottom])"""
        for width in 400, 1400, 4000:
            self.browser.resize(width, 900)
            found = self.browser.run(boxes)
            self.assertGreater(len(found), 4)
            for i, one in enumerate(found):
                self.assertGreaterEqual(one[0], 0)
                self.assertLessEqual(one[2], width)
                for other in found[:i]:
                    apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
                    self.assertTrue(apart, (width, one, other))
        labels = "(length, most) => JSON.stringify(ticks(length, most))"
        for length in 1e-6, 0.00999, 0.3, 1, 7.3, 99.9, 12345:
            for most in 1, 3, 8, 40:
                shown = json.loads(self.browser.run(f"({labels})({length}, {most})"))
                self.assertLessEqual(len(shown), most + 1)
                self.assertEqual(len({label for _, label in shown}), len(shown), shown)
                self.assertLessEqual(max(len(label) for _, label in shown), 9, shown)

    def test_name_of_several_processes(self) -> None:
        """Programs by name, files first, each once, and how many processes there were."""
        names = []
        for number, arguments in enumerate((("-c", "import time; time.sleep(0.1)"), ("program.py",), ("program.py",), ("-m", "this"))):
            with open(self.path("program.py"), "w", encoding="utf-8") as file:
                file.write("sum(range(3000000))")
            names.append(f"part.{number}.json")
            self.assertEqual(self.run_kiln(*arguments, report=names[-1]).returncode, 0)
        made = self.run_kiln("-m", "kiln", "report", *names, "--html", "out.html", "--export", "out.speedscope.json", report="0")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.browser.open(self.path())
        name = "program.py, -c import time; time.sleep(0.1), -m this · 4 processes"
        self.assertEqual(self.browser.run("document.title"), f"kiln report: {name}")
        self.assertEqual(self.texts("#command"), [name])
        self.assertEqual(self.read("out.speedscope.json")["name"], name)

    def test_long_names(self) -> None:
        """They are cut into lines; the numbers beside them stay in sight."""
        name = "compute_" + "very_" * 60 + "long"
        self.open(PROGRAM.format(seconds=0.5).replace("compute", name))
        for width in 400, 1400:
            self.browser.resize(width, 900)
            right = "document.querySelector('#functions tbody td:nth-child(2)').getBoundingClientRect().right"
            self.assertLessEqual(self.browser.run(right), width)
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)

    def test_everything_has_a_name(self) -> None:
        """What the Tab key stops at says what it is."""
        self.open(PROGRAM.format(seconds=0.5))
        named = "(element) => element.getAttribute('aria-label') || (element.tagName !== 'DIV' && element.textContent.trim())"
        stops = "document.querySelectorAll('a[href], button, input, summary, [tabindex=\"0\"]')"
        self.assertEqual(self.browser.run(f"[...{stops}].filter((element) => !({named})(element)).map((element) => element.outerHTML)"), [])

    def test_hostile_text_does_nothing(self) -> None:
        self.open(HOSTILE_PROGRAM)
        self.assertEqual(self.browser.run("document.title"), "kiln report: program.py")
        self.assertEqual(self.browser.run("document.querySelectorAll('img, main script').length"), 0)
        self.assertTrue(any(HOSTILE in row for row in self.texts("#functions tbody tr")))
        self.assertTrue(any(HOSTILE in row for row in self.texts("#source .text")))

    def test_an_empty_report(self) -> None:
        self.open("pass")
        self.assertEqual(len(self.texts("#verdict")), 1)


if __name__ == "__main__":
    report_case.main()
