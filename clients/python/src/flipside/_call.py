"""The parts that the sync and the asyncio client share. They do no I/O."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from .errors import Error

DEFAULT_SILENCE = 25.0
"""Seconds without a message after which a stream with an unknown heartbeat interval is cut."""

FINAL_END = "END_REASON_GAME_OVER"
"""The end after which a stream has no more messages."""

REVOKED_END = "END_REASON_KEY_REVOKED"
"""The end of a stream whose key was revoked. After all further ends it is opened again."""

FIRST_DELAY = 0.2
LONGEST_DELAY = 5.0


@dataclass(frozen=True)
class Call:
    """One HTTP call of the API."""

    method: str
    path: str
    query: Mapping[str, object] | None = None
    body: Mapping[str, object] | None = None
    repeatable: bool = True
    """Whether a retry is safe: the call changes nothing or has a request id."""

    def parameters(self) -> dict[str, str]:
        """Return the query parameters that are set."""
        return {name: str(v) for name, v in (self.query or {}).items() if v not in (None, "")}


class Retries:
    """The retries of one call, which start within ``retry_for`` seconds."""

    def __init__(self, retry_for: float) -> None:
        self._end = time.monotonic() + retry_for
        self._failures = 0

    def delay(self, call: Call, error: Error) -> float:
        """Return the seconds to wait before the next attempt, or raise the error."""
        self._failures += 1
        delay = backoff(self._failures, error.retry_after)
        safe = error.temporary and (call.repeatable or error.not_sent)
        if not safe or time.monotonic() + delay > self._end:
            raise error
        return delay


def backoff(failures: int, retry_after: float = 0) -> float:
    """
    Return the delay after some failures in a row: doubled each time, with jitter, and never shorter
    than the server asked for.
    """
    longest = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(failures - 1, 10))
    return max(retry_after, longest * random.uniform(0.5, 1))


class Lines:
    """Splits chunks of a response into lines. Only a line feed ends a line."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the complete lines, without empty ones."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return filter(None, lines)


class Versions:
    """The latest version of each game, for the last games that changed."""

    def __init__(self, games: int = 100_000) -> None:
        self._versions: dict[str, int] = {}
        self._games = games

    def advance(self, game_id: str, version: int) -> bool:
        """Store the version of a game and report whether it is later than the stored one."""
        last = self._versions.pop(game_id, -1)
        self._versions[game_id] = max(last, version)
        if len(self._versions) > self._games:
            del self._versions[next(iter(self._versions))]
        return version > last


def game_path(game_id: str) -> str:
    """Return the path of a game."""
    return "/v1/games/" + quote(game_id, safe="")


def present(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}
