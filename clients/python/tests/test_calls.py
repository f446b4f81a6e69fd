"""Calls: what they return, their retries and their errors."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
from conftest import Connect, Script, Server

import flipside
from flipside.schema import SeatInput, SetupInput

SMALL: SetupInput = {"reversi": {"square": {"side": 4}}}
BOTH: list[SeatInput] = [{"caller": {}}, {"caller": {}}]


@pytest.fixture(scope="session")
def key(server: Server) -> str:
    """The key of a player."""
    with flipside.Client(server.url) as client:
        return client.create_player("Ann")["key"]


def test_a_new_player_plays_with_their_key(connect: Connect, server: Server) -> None:
    client = connect(server.url)
    created = client.create_player("Ann")
    assert client.me() == created["player"]
    game = client.create_game(SMALL, BOTH)
    legal = client.legal_moves(game["id"])
    played = client.play(game["id"], legal["moves"][0]["notation"])
    assert played["game"]["version"] == legal["version"] + 1 == 3
    assert client.resign(game["id"], side="SIDE_SECOND")["outcome"]["winner"] == "SIDE_FIRST"
    assert [e["version"] for e in client.events(game["id"])] == [1, 2, 3, 4]
    assert game["id"] in [g["id"] for g in client.games(player_id="me")]
    position = game["position"]["notation"]
    chosen = client.choose_move(position, {"maxCapture": {}})["chosen"]
    assert chosen["notation"] in [m["notation"] for m in legal["moves"]]
    *progress, last = client.search_move(position, {"alphaBeta": {"maxDepth": 2}})
    assert [m["progress"]["depth"] for m in progress] == [1, 2]
    assert last["choice"]["chosen"]["notation"] in [m["notation"] for m in legal["moves"]]
    analyses = list(client.analyze(position, {"alphaBeta": {"maxDepth": 2}}))
    assert analyses[-1]["final"]
    assert "maxCapture" in [s["name"] for s in client.strategies()]


def test_a_webhook_is_set_read_and_deleted(connect: Connect, server: Server) -> None:
    client = connect(server.url)
    client.create_player()
    made = client.set_webhook("https://example.com/turns")
    assert made["secret"].startswith("whsec_")
    assert client.webhook() == made["webhook"]
    assert client.set_webhook("https://example.com/turns")["secret"] == made["secret"]
    replaced = client.set_webhook("https://example.com/turns", new_secret=True)
    assert replaced["secret"] != made["secret"]
    client.delete_webhook()
    assert client.webhook() is None


def test_a_replaced_key_is_used_from_then_on(connect: Connect, server: Server) -> None:
    client = connect(server.url)
    first = client.create_player()["key"]
    second = client.rotate_key()
    assert second != first
    client.me()


def test_a_retry_after_a_lost_response_plays_once(
    connect: Connect, server: Server, key: str
) -> None:
    lost: list[bytes] = []

    def lose(request: httpx.Request) -> bool:
        if not request.url.path.endswith("/moves") or len(lost) == 2:
            return False
        lost.append(request.content)
        return True

    client = connect(server.url, key, lose=lose)
    game = client.create_game(SMALL, BOTH)
    move = client.legal_moves(game["id"])["moves"][0]["notation"]
    played = client.play(game["id"], move, expected_version=game["version"])
    assert played["replayed"]
    assert len(lost) == 2
    assert lost[0] == lost[1]
    assert client.game(game["id"])["version"] == game["version"] + 1


def status(code: int, reason: str, **metadata: str) -> dict[str, Any]:
    """Return the answer of a scripted server with an error."""
    kind = "type.googleapis.com/google.rpc.ErrorInfo"
    info = {"@type": kind, "reason": reason, "metadata": metadata}
    return {"status": code, "body": {"message": "later", "details": [info]}}


@pytest.mark.parametrize("code, reason", [(503, "STORE_UNAVAILABLE"), (409, "STORE_CONTENDED")])
def test_an_unavailable_store_gets_the_same_request_id_again(
    connect: Connect, script: Script, code: int, reason: str
) -> None:
    script.answers = [status(code, reason), status(code, reason), {"body": {"game": {"id": "g"}}}]
    assert connect(script.url).create_game(SMALL)["id"] == "g"
    bodies = [body for _, body in script.requests]
    assert uuid.UUID(bodies[0]["requestId"])
    assert bodies[0] == bodies[1] == bodies[2]


def test_a_player_is_created_again_only_if_the_first_call_changed_nothing(
    connect: Connect, script: Script
) -> None:
    client = connect(script.url)
    script.answers = [status(503, "STORE_UNAVAILABLE", sent="false"), {"body": {"key": "k"}}]
    assert client.create_player()["key"] == "k"
    script.answers = [status(503, "STORE_UNAVAILABLE")]
    with pytest.raises(flipside.Error) as caught:
        client.create_player()
    assert caught.value.temporary
    assert len(script.requests) == 3


def test_retries_end_in_time(connect: Connect, script: Script) -> None:
    answer = status(429, "RATE_LIMITED") | {"headers": {"Retry-After": "60"}}
    answer["body"]["details"].append({"retryDelay": "59.5s"})
    script.answers = [answer]
    with pytest.raises(flipside.Error) as caught:
        connect(script.url, retry_for=5).game("g")
    assert caught.value.reason == "RATE_LIMITED"
    assert caught.value.retry_after == 59.5


def test_a_limit_that_time_does_not_lift_fails_at_once(connect: Connect, script: Script) -> None:
    script.answers = [status(429, "BUDGET_EXCEEDED") | {"headers": {"Retry-After": "1"}}]
    with pytest.raises(flipside.Error) as caught:
        connect(script.url).create_game(SMALL)
    assert (caught.value.reason, caught.value.temporary) == ("BUDGET_EXCEEDED", False)


def test_errors_have_the_reason_of_the_api(connect: Connect, server: Server, key: str) -> None:
    client = connect(server.url, key)
    game = client.create_game(SMALL, BOTH)["id"]
    robots = client.create_game(SMALL, [{"open": {}}, {"open": {}}])["id"]
    other = connect(server.url)
    other.create_player()
    bad: Any = {"reversi": {"square": {"side": 3}}}
    cases: dict[str, tuple[int, Any]] = {
        "INVALID_KEY": (401, lambda: connect(server.url, "wrong").me()),
        "GAME_NOT_FOUND": (404, lambda: client.game("none")),
        "NOT_YOUR_SEAT": (403, lambda: other.play(game, "a1")),
        "VERSION_MISMATCH": (409, lambda: client.play(game, "a1", expected_version=9)),
        "CELL_TAKEN": (400, lambda: client.play(game, "b2")),
        "OFF_BOARD": (400, lambda: client.play(game, "z9")),
        "GAME_NOT_STARTED": (400, lambda: client.join(robots) and client.play(robots, "a1")),
        "INVALID_FIELD": (400, lambda: client.create_game(bad)),
    }
    errors = {}
    for reason, (code, call) in cases.items():
        with pytest.raises(flipside.Error) as caught:
            call()
        errors[reason] = caught.value
        assert (caught.value.reason, caught.value.status) == (reason, code)
        assert not caught.value.temporary
    assert errors["VERSION_MISMATCH"].metadata["currentVersion"] == "2"
    assert "side" in errors["INVALID_FIELD"].violations[0].field


def test_a_used_request_id_is_rejected_with_another_body(
    connect: Connect, server: Server, key: str
) -> None:
    client = connect(server.url, key)
    request_id = str(uuid.uuid4())
    first = client.create_game(SMALL, request_id=request_id)
    assert client.create_game(SMALL, request_id=request_id)["id"] == first["id"]
    with pytest.raises(flipside.Error) as caught:
        client.create_game(SMALL, BOTH, request_id=request_id)
    assert caught.value.reason == "REQUEST_ID_REUSED"


def test_an_unreachable_server_is_a_temporary_error(connect: Connect) -> None:
    with pytest.raises(flipside.Error) as caught:
        connect("http://127.0.0.1:1", retry_for=0).game("g")
    assert (caught.value.reason, caught.value.temporary) == ("UNREACHABLE", True)
    assert caught.value.not_sent


def test_an_address_without_scheme_is_rejected_at_once(connect: Connect) -> None:
    with pytest.raises(ValueError, match="must start with http"):
        connect("localhost:8080")


def test_a_page_of_another_server_is_an_error(connect: Connect, script: Script) -> None:
    script.answers = [{"lines": ["<html>"]}, {"status": 418, "lines": ["<html>"]}]
    script.answers[0]["lines"] = []
    for answer in (200, 418):
        with pytest.raises(flipside.Error) as caught:
            connect(script.url).game("g")
        assert (caught.value.reason, caught.value.status) == ("UNKNOWN", answer)


def test_ids_are_escaped(connect: Connect, script: Script) -> None:
    script.answers = [{"body": {"game": {}}}]
    connect(script.url).game("a/../b?c")
    assert script.requests == [("/v1/games/a%2F..%2Fb%3Fc", None)]


def test_json_of_a_request_is_the_caller_s(connect: Connect, script: Script) -> None:
    script.answers = [{"body": {"game": {}}}]
    connect(script.url).create_game(SMALL, visibility="VISIBILITY_LINK", request_id="r")
    expected = {"requestId": "r", "setup": SMALL, "visibility": "VISIBILITY_LINK"}
    assert json.loads(json.dumps(script.requests[0][1])) == expected
