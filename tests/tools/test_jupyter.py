"""Jupyter: the kernelspec, and notebooks run by nbclient in it, with %%kiln, interrupts, restarts and plots."""

import json
import os
import unittest

from tool_case import KILN, ToolTest, require

# Runs cells, one of each argument, in the installed kernel; prints what came out as JSON.
DRIVER = """
import json, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in sys.argv[1:]])
client = NotebookClient(notebook, kernel_name="kiln", timeout=120, allow_errors=True)
client.execute()
print(json.dumps([[dict(output) for output in cell.outputs] for cell in notebook.cells]))
"""

# A cell that never ends is interrupted, and the kernel goes on; then it is restarted and has forgotten.
INTERRUPTED = """
import json, queue, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="kiln")
def ask(text):
    return wait(client.execute(text))
def wait(request):
    while True:
        reply = client.get_shell_msg(timeout=60)
        if reply["parent_header"].get("msg_id") == request:
            return reply["content"]
ask("x = 1")
request = client.execute(stop_on_error=False, code="n = 0\\nwhile True:\\n    n += 1")
time.sleep(1)
manager.interrupt_kernel()
shown = [wait(request)["ename"], ask("assert n > 1000")["status"]]
manager.restart_kernel()
client.wait_for_ready(timeout=60)
shown.append(ask("x")["ename"])
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps(shown))
"""

ROUNDS = 70_000_000
TOTAL = ROUNDS // 7 * sum(i * i % 7 for i in range(7))
LOOP = f"""%%kiln
total = 0
for i in range({ROUNDS}):
    total += i * i % 7
total"""


class Jupyter(ToolTest):
    """Each test has a data folder of Jupyter's own with the kernel in it."""

    def setUp(self) -> None:
        super().setUp()
        self.variables = {"JUPYTER_DATA_DIR": self.folder, "IPYTHONDIR": self.folder, "JUPYTER_CONFIG_DIR": self.folder}
        result = self.run_kiln("-m", "kiln", "jupyter", "--user", **self.variables)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.spec = result.stdout.strip()

    def drive(self, driver: str, *arguments: str) -> list:
        """What a driver prints."""
        result = self.run_kiln(self.write("driver.py", driver), *arguments, **self.variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_kernelspec(self) -> None:
        """It starts this kiln; a prefix goes before the user's folder; an older one is replaced."""
        self.assertEqual(self.spec, os.path.join(self.folder, "kernels", "kiln", "kernel.json"))
        with open(self.spec, encoding="utf-8") as file:
            spec = json.load(file)
        self.assertEqual(os.path.realpath(spec["argv"][0]), os.path.realpath(KILN))
        for _ in range(2):
            result = self.run_kiln("-m", "kiln", "jupyter", "--prefix", self.folder)
            self.assertEqual(result.stdout.strip(), os.path.join(self.folder, "share/jupyter/kernels/kiln/kernel.json"))
        refused = self.run_kiln("-m", "kiln", "jupyter", "--prefix", "/proc/nowhere")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))

    def test_cells(self) -> None:
        """A cell's report is a table, in text and HTML, under what the cell itself displays."""
        page = os.path.join(self.folder, "cell.html")
        outputs = self.drive(
            DRIVER, "%load_ext kiln\nimport kiln; kiln.is_active()", LOOP, LOOP.replace("%%kiln", f"%%kiln --html {page}"),
            "%kiln sum(i * i for i in range(1_000_000))", "%%kiln\n1 / 0", "%%kiln --nonsense\n1", "print(total)",
            "%kiln", "%kiln --help", "%%kiln --help\n1 / 0", "%kiln --html x.html",
            f"%kiln --html '{page} of a line' two = 2", "two",
        )  # fmt: skip
        self.assertEqual(outputs[0][0]["data"]["text/plain"], "True")
        value, report = outputs[1]
        self.assertEqual(value["data"]["text/plain"], str(TOTAL))
        self.assertIn("kiln report:", report["data"]["text/plain"])
        self.assertIn("&lt;module&gt; In[2]:1", report["data"]["text/html"])
        self.assertRegex(report["data"]["text/html"], r"native \d\d")
        self.assertRegex(report["data"]["text/html"], r'<span style="color:#[0-9a-f]{6}">■</span> (quick|thorough) native code \d+ %')
        with open(page, encoding="utf-8") as file:
            self.assertIn("total += i * i % 7", file.read())
        self.assertTrue(os.path.exists(f"{page} of a line"))
        self.assertRegex(outputs[3][-1]["data"]["text/plain"], r"kiln report:(?s:.*)<genexpr>.*\n +not native: A001 at .*:1\n")
        self.assertRegex(outputs[3][-1]["data"]["text/html"], r'title="what yields or awaits runs [^"]*">A001 line 1<')
        self.assertEqual([output.get("ename") for output in outputs[4] if output["output_type"] == "error"], ["ZeroDivisionError"])
        self.assertRegex(outputs[5][-1]["text"], r"UsageError: %%kiln takes --html FILE.html, not --nonsense; ")
        for help_output in outputs[7:10]:
            self.assertRegex(help_output[0]["text"], r"\A%kiln STATEMENT runs")
            self.assertEqual(len(help_output), 1)
        self.assertIn("needs a statement", outputs[10][-1]["text"])
        self.assertEqual(outputs[12][-1]["data"]["text/plain"], "2")
        self.assertEqual(outputs[6][0]["text"], f"{TOTAL}\n")

    def test_interrupt_and_restart(self) -> None:
        """Compiled loops can be interrupted; a new kernel comes up."""
        self.assertEqual(self.drive(INTERRUPTED), ["KeyboardInterrupt", "ok", "NameError"])

    def test_plot(self) -> None:
        """A figure comes out as a picture."""
        if self.run_kiln("-c", "import matplotlib").returncode != 0:
            self.skipTest("needs matplotlib")
        outputs = self.drive(DRIVER, "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2, 3]); plt.show()")
        self.assertIn("image/png", outputs[0][-1]["data"])


if __name__ == "__main__":
    require("ipykernel", "nbclient")
    unittest.main()
