"""Streams: they resume without gaps and without repeats."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Connect, Script, Server

import flipside
from flipside.schema import SeatInput, SetupInput

SMALL: SetupInput = {"reversi": {"square": {"side": 4}}}
BOTH: list[SeatInput] = [{"caller": {}}, {"caller": {}}]


def event(version: int, **fields: Any) -> dict[str, Any]:
    content = {"version": version, "cursor": str(version), "event": {"version": version}}
    return {"result": content | fields}


def end(reason: str) -> dict[str, Any]:
    return {"result": {"version": 9, "cursor": "9", "end": {"reason": f"END_REASON_{reason}"}}}


OVER = end("GAME_OVER")


def test_a_game_is_watched_to_its_end(connect: Connect, server: Server) -> None:
    client = connect(server.url)
    client.create_player()
    robot: SeatInput = {"robot": {"strategy": {"maxCapture": {}}}}
    game = client.create_game(SMALL, [robot, robot])
    messages = list(client.watch(game["id"], after_version=0))
    versions = [m["event"]["version"] for m in messages if "event" in m]
    assert versions == list(range(1, len(versions) + 1))
    assert messages[-1]["end"]["reason"] == "END_REASON_GAME_OVER"
    assert "snapshot" in next(iter(client.watch(game["id"])))


def test_a_stream_resumes_after_a_cut(connect: Connect, script: Script) -> None:
    script.answers = [
        {"lines": [event(1), event(2)]},
        {"status": 503},
        {"lines": [event(2), event(3), end("SHUTTING_DOWN")]},
        {"lines": [OVER]},
    ]
    messages = connect(script.url).watch("g", after_version=0)
    assert [m["version"] for m in messages if "event" in m] == [1, 2, 3]
    paths = [path.partition("?")[2] for path, _ in script.requests]
    assert paths == [f"afterVersion={version}" for version in (0, 2, 2, 9)]


def test_a_stream_that_ends_with_a_temporary_error_resumes(
    connect: Connect, script: Script
) -> None:
    away = {"code": 14, "message": "away", "details": [{"reason": "GAME_UNAVAILABLE"}]}
    script.answers = [{"lines": [event(1), {"error": away}]}, {"lines": [event(2), OVER]}]
    messages = connect(script.url).watch("g", after_version=0)
    assert [m["version"] for m in messages] == [1, 2, 9]


def test_a_silent_stream_is_cut_after_two_and_a_half_heartbeats(
    connect: Connect, script: Script
) -> None:
    script.answers = [
        {"lines": [event(1, heartbeatInterval="0.200s")], "hang": True},
        {"lines": [event(2)], "hang": True},
        {"lines": [event(3), OVER]},
    ]
    begin = time.monotonic()
    messages = list(connect(script.url).watch("g", after_version=0))
    assert [m["version"] for m in messages] == [1, 2, 3, 9]
    assert 0.5 <= time.monotonic() - begin < 10


def test_heartbeats_keep_a_stream_and_are_not_yielded(connect: Connect, script: Script) -> None:
    heartbeat = {"result": {"version": 1, "heartbeat": {}}}
    script.answers = [{"lines": [event(1), heartbeat, heartbeat, OVER]}]
    messages = list(connect(script.url).watch("g"))
    assert [m["version"] for m in messages] == [1, 9]
    assert len(script.requests) == 1


def test_a_turn_is_yielded_once(connect: Connect, script: Script) -> None:
    def turn(cursor: str, game: str, version: int) -> dict[str, Any]:
        return {"result": {"cursor": cursor, "turn": {"gameId": game, "version": version}}}

    script.answers = [
        {"lines": [turn("1", "a", 2), turn("2", "b", 2)]},
        {"lines": [turn("3", "a", 2), turn("4", "a", 4), turn("5", "b", 2), OVER]},
    ]
    messages = connect(script.url).turns()
    turns = [(m["turn"]["gameId"], m["turn"]["version"]) for m in messages if "turn" in m]
    assert turns == [("a", 2), ("b", 2), ("a", 4)]
    assert script.requests[1][0] == "/v1/turns:watch?afterCursor=2"


def test_only_a_line_feed_ends_a_message(connect: Connect, script: Script) -> None:
    script.answers = [{"lines": [event(1, name="a\u2028b\u0085c"), OVER]}]
    first: Any = next(iter(connect(script.url).watch("g")))
    assert first["name"] == "a\u2028b\u0085c"


@pytest.mark.parametrize("answer", [{"status": 404}, {"lines": [{"error": {"message": "no"}}]}])
def test_a_stream_raises_an_error_that_a_retry_cannot_repair(
    connect: Connect, script: Script, answer: dict[str, Any]
) -> None:
    script.answers = [answer]
    with pytest.raises(flipside.Error):
        list(connect(script.url).watch("g"))


def test_a_revoked_key_is_an_error(connect: Connect, script: Script) -> None:
    script.answers = [{"lines": [event(1), end("KEY_REVOKED")]}]
    with pytest.raises(flipside.Error) as caught:
        list(connect(script.url, "secret").turns())
    assert (caught.value.reason, caught.value.status) == ("KEY_REVOKED", 401)


def test_a_client_that_replaces_its_own_key_resumes(connect: Connect, server: Server) -> None:
    client = connect(server.url)
    client.create_player()
    game = client.create_game(SMALL, BOTH)["id"]
    seen = []
    for message in client.turns():
        seen.append(next(iter(message.keys() & {"turn", "end", "gameOver"})))
        if seen == ["turn"]:
            client.rotate_key()
        if seen == ["turn", "end"]:
            client.resign(game, side="SIDE_FIRST")
        if "gameOver" in message:
            break
    assert seen == ["turn", "end", "gameOver"]


def test_streams_survive_a_killed_server(
    connect: Connect, start_server: Callable[..., Server], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "flipside")
    server = start_server()
    client = connect(server.url)
    client.create_player()
    game = client.create_game(SMALL, BOTH)["id"]
    turns = iter(client.turns())
    messages = iter(client.watch(game, after_version=0))
    versions = []
    while True:
        message = next(messages)
        versions.append(message["version"])
        if "finished" in message.get("event", {}):
            break
        if message["version"] == 4:
            server.kill()
            restart = threading.Timer(0.5, server.start)
            restart.start()
        if message["version"] >= 2:
            if message["version"] > 2 and "finished" not in message["event"]:
                assert message["event"]["movePlayed"]
            turn = next(turns)
            if "gameOver" in turn:
                continue
            assert turn["turn"]["version"] == message["version"]
            client.play(game, client.legal_moves(game)["moves"][0]["notation"])
    restart.join()
    assert versions == list(range(1, len(versions) + 1))
    assert "stream interrupted, reconnect in" in caplog.text
