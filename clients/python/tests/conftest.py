"""The servers of the tests, and clients of both kinds."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import flipside

FLIPSIDED = os.environ.get("FLIPSIDED", "flipsided")

Connect = Callable[..., flipside.Client]
"""Makes a client of one kind: the arguments are those of Client."""


class Server:
    """A flipsided with a store of its own. It keeps its address when it restarts."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.flags = [f"--data={folder / 'flipside.db'}", *flags]
        self.addresses: dict[str, str] = {}
        self.start()

    def start(self) -> None:
        names = ("http", "game", "strategy", "metrics")
        addresses = [f"--{n}-addr={self.addresses.get(n, '127.0.0.1:0')}" for n in names]
        self.process = subprocess.Popen(
            [FLIPSIDED, *addresses, *self.flags], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        log = ""
        for text in self.process.stdout:
            log += text
            line = json.loads(text) if text.startswith("{") else {}
            if line.get("msg") == "listening":
                self.addresses = {name: line[name] for name in names}
                break
        else:
            raise RuntimeError(f"flipsided did not start: {log}")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def url(self) -> str:
        return f"http://{self.addresses['http']}"


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start the server of one test, and kill it after the test."""
    started: list[Server] = []

    def start(*flags: str) -> Server:
        started.append(Server(tmp_path, *flags))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running."""
    started = Server(tmp_path_factory.mktemp("server"))
    yield started
    started.kill()


class Blocking:
    """Calls an object with coroutines and asynchronous iterators as a synchronous one."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target, self._loop = target, loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if not callable(value):
            return value

        def call(*args: Any, **options: Any) -> Any:
            result = value(*args, **options)
            if hasattr(result, "__anext__"):
                return self._iterate(result)
            return self._loop.run_until_complete(result)

        return call

    def _iterate(self, items: Any) -> Iterator[Any]:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(items.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(items.aclose())


@pytest.fixture(params=["sync", "asyncio"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of the client."""
    return str(request.param)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop of one test."""
    made = asyncio.new_event_loop()
    yield made
    made.close()


@pytest.fixture
def connect(kind: str, loop: asyncio.AbstractEventLoop) -> Iterator[Connect]:
    """Makes clients and closes them after the test."""
    made: list[Callable[[], None]] = []

    def make(
        url: str,
        key: str | None = None,
        *,
        lose: Callable[[httpx.Request], bool] | None = None,
        **options: Any,
    ) -> Any:
        """Make a client. A response to a request for which ``lose`` is true gets lost."""
        if kind == "sync":
            http = httpx.Client(transport=Losing(lose))
            client = flipside.Client(url, key, http=http, **options)
            made.append(client.close)
            return client
        other = flipside.AsyncClient(
            url, key, http=httpx.AsyncClient(transport=AsyncLosing(lose)), **options
        )
        made.append(lambda: loop.run_until_complete(other.aclose()))
        return Blocking(other, loop)

    yield make
    for close in made:
        close()


class Losing(httpx.HTTPTransport):
    """Loses responses after the server has carried out the request."""

    def __init__(self, lose: Callable[[httpx.Request], bool] | None) -> None:
        super().__init__()
        self.lose = lose

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if self.lose and self.lose(request):
            response.read()
            raise httpx.ReadError("the response is lost", request=request)
        return response


class AsyncLosing(httpx.AsyncHTTPTransport):
    """Losing for asyncio."""

    def __init__(self, lose: Callable[[httpx.Request], bool] | None) -> None:
        super().__init__()
        self.lose = lose

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if self.lose and self.lose(request):
            await response.aread()
            raise httpx.ReadError("the response is lost", request=request)
        return response


class Script:
    """A server that answers as a test demands, and stores the requests."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                script.requests.append((self.path, json.loads(body) if body else None))
                answer = script.answers.pop(0)
                self.send_response(answer.get("status", 200))
                for name, value in answer.get("headers", {}).items():
                    self.send_header(name, value)
                self.end_headers()
                if "body" in answer:
                    self.wfile.write(json.dumps(answer["body"]).encode())
                for line in answer.get("lines", ()):
                    self.wfile.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                if answer.get("hang"):
                    script.closing.wait(30)

            do_POST = do_GET

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.closing = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def script() -> Iterator[Script]:
    """A scripted server for faults that a real one does not have on demand."""
    started = Script()
    yield started
    started.close()
