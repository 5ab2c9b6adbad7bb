"""VS Code's debug adapter: a client attaches to a program under kiln, stops in a loop that is hot, looks, steps and goes on."""

import json
import socket
import subprocess
import time
import unittest
from typing import Any

from tool_case import KILN, ToolTest, environment, require

PROGRAM = """\
import time

def work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total

warm = work(300_000)
marker = "before"
result = work(1000)
print(warm, result, flush=True)
"""
CALL_LINE, LOOP_LINE = 11, 6


class Client:
    """The client's end of the debug adapter protocol."""

    def __init__(self, port: int) -> None:
        end = time.monotonic() + 60
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < end, "debugpy does not listen"
                time.sleep(0.1)
        self._file = self._socket.makefile("rb")
        self._number = 0
        self._early: list[dict[str, Any]] = []

    def send(self, command: str, **arguments: Any) -> int:
        """Sends a request; its number."""
        self._number += 1
        data = json.dumps({"seq": self._number, "type": "request", "command": command, "arguments": arguments}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        return self._number

    def receive(self) -> dict[str, Any]:
        """The next message."""
        length = 0
        while line := self._file.readline().strip():
            length = int(line.partition(b":")[2])
        return json.loads(self._file.read(length))

    def wait(self, matches: Any) -> dict[str, Any]:
        """The next message that `matches`; others are kept for later."""
        for index, message in enumerate(self._early):
            if matches(message):
                return self._early.pop(index)
        while True:
            message = self.receive()
            if matches(message):
                return message
            self._early.append(message)

    def event(self, name: str) -> dict[str, Any]:
        """The next event of that name."""
        return self.wait(lambda message: message["type"] == "event" and message["event"] == name).get("body", {})

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """A request's answer."""
        number = self.send(command, **arguments)
        answer = self.wait(lambda message: message["type"] == "response" and message["request_seq"] == number)
        assert answer["success"], answer
        return answer.get("body", {})

    def close(self) -> None:
        """Hangs up."""
        self._file.close()
        self._socket.close()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Debugpy(ToolTest):
    """One session."""

    def stopped_at(self, client: Client) -> tuple[int, dict[str, str]]:
        """Where the program stopped: its line and its locals."""
        thread = client.event("stopped")["threadId"]
        frame = client.ask("stackTrace", threadId=thread)["stackFrames"][0]
        scope = client.ask("scopes", frameId=frame["id"])["scopes"][0]
        variables = client.ask("variables", variablesReference=scope["variablesReference"])["variables"]
        self.thread = thread
        return frame["line"], {variable["name"]: variable["value"] for variable in variables}

    def test_session(self) -> None:
        """Breakpoints in compiled functions hold, locals are right, and the program's result is python's."""
        path, port = self.write("program.py", PROGRAM), free_port()
        program = subprocess.Popen(
            [KILN, "-m", "debugpy", "--listen", str(port), "--wait-for-client", path],
            cwd=self.folder, env=environment(PYDEVD_DISABLE_FILE_VALIDATION="1"), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(program.kill)
        client = Client(port)
        self.addCleanup(client.close)
        client.ask("initialize", adapterID="test", linesStartAt1=True)
        attached = client.send("attach", justMyCode=True)
        client.event("initialized")
        client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": CALL_LINE}])
        client.ask("configurationDone")
        client.wait(lambda message: message["type"] == "response" and message["request_seq"] == attached)
        line, variables = self.stopped_at(client)
        self.assertEqual((line, variables["marker"]), (CALL_LINE, "'before'"))
        client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": LOOP_LINE, "condition": "i == 500"}])
        client.ask("continue", threadId=self.thread)
        line, variables = self.stopped_at(client)
        self.assertEqual((line, variables["i"]), (LOOP_LINE, "500"))
        self.assertEqual(variables["total"], str(sum(i * i % 7 for i in range(500))))
        client.ask("setBreakpoints", source={"path": path}, breakpoints=[])
        client.ask("next", threadId=self.thread)
        self.assertEqual(self.stopped_at(client)[0], LOOP_LINE - 1)
        client.ask("continue", threadId=self.thread)
        client.event("terminated")
        client.ask("disconnect")
        output, _ = program.communicate(timeout=120)
        expected = [sum(i * i % 7 for i in range(n)) for n in (300_000, 1000)]
        self.assertEqual(output.split(), list(map(str, expected)))
        self.assertEqual(program.returncode, 0)


if __name__ == "__main__":
    require("debugpy")
    unittest.main()
