"""
Runs the script of clients/conformance. FLIPSIDE_URL is the address of the server and
FLIPSIDE_CONTROL that of the controller.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import httpx

import flipside

URL, CONTROL = os.environ["FLIPSIDE_URL"], os.environ["FLIPSIDE_CONTROL"]
MISSING = object()


class Case:
    """One case of the script, with players of its own."""

    def __init__(self) -> None:
        self.clients: dict[str, flipside.Client] = {}
        self.streams: dict[str, Iterator[Any]] = {}
        self.saved: dict[str, str] = {}

    def run(self, step: dict[str, Any]) -> None:
        if "fault" in step:
            httpx.post(f"{CONTROL}/{step['fault']}", timeout=None).raise_for_status()
        elif "end" in step:
            assert next(self.streams[step["end"]], MISSING) is MISSING, "the stream goes on"
        elif "open" in step:
            self.streams[step["open"]] = self.call(step)
        else:
            self.check(step)

    def check(self, step: dict[str, Any]) -> None:
        """Compare an answer of a call, or a message of a stream, with the step."""
        try:
            answer = next(self.streams[step["next"]]) if "next" in step else self.call(step)
        except flipside.Error as error:
            assert error.reason == step.get("reason"), f"got {error!r} [{error.reason}]"
            assert step.get("metadata", {}).items() <= error.metadata.items(), error.metadata
            return
        assert "reason" not in step, f"got {answer}"
        for name, field in step.get("save", {}).items():
            self.saved[name] = answer[field]
        if "expect" in step:
            assert contains(answer, self.replace(step["expect"])), f"got {answer}"

    def call(self, step: dict[str, Any]) -> Any:
        arguments = self.replace(step["args"])
        method = getattr(self.client(step), snake(step["call"]))
        return method(**{snake(name): value for name, value in arguments.items()})

    def client(self, step: dict[str, Any]) -> flipside.Client:
        """Return the client of a player, who is new in each case."""
        name = step["as"]
        if name not in self.clients:
            client = self.clients[name] = flipside.Client(URL)
            if "key" in step:
                client.key = step["key"]
            elif "like" in step:
                client.key = self.clients[step["like"]].key
            else:
                client.create_player(name)
        return self.clients[name]

    def replace(self, value: Any) -> Any:
        """Replace the names of saved values by the values."""
        text = json.dumps(value)
        for name, saved in self.saved.items():
            text = text.replace(f'"${name}"', json.dumps(saved))
        return json.loads(text)


def contains(got: Any, want: Any) -> bool:
    """Report whether an answer has all expected fields, and first elements of lists."""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(contains(got.get(k), v) for k, v in want.items())
    if isinstance(want, list):
        return len(got) >= len(want) and all(map(contains, got, want))
    return bool(got == want)


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def main() -> None:
    failed = False
    for case in httpx.get(f"{CONTROL}/script").json()["cases"]:
        state = Case()
        for number, step in enumerate(case["steps"], 1):
            try:
                state.run(step)
            except (AssertionError, flipside.Error, StopIteration) as error:
                failed = True
                print(f"{case['name']}: step {number}: {error!r}", file=sys.stderr)
                break
    sys.exit(failed)


main()
