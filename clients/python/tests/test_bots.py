"""Bots, and the examples."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import Server

import flipside
from flipside.schema import Game, LegalMove, SeatInput, SetupInput

SMALL: SetupInput = {"reversi": {"square": {"side": 4}}}
ROBOT: SeatInput = {"robot": {"strategy": {"level": "LEVEL_EASY"}}}
EXAMPLES = Path(__file__).parents[1] / "examples"
ROOT = Path(__file__).parents[3]
PROTOS = ROOT / "gen/proto"


def against(bot: str, first: bool = True) -> list[SeatInput]:
    """Return the seats of a game of a bot with a robot."""
    seats: list[SeatInput] = [{"player": {"playerId": bot}}, ROBOT]
    return seats if first else seats[::-1]


def test_a_bot_plays_every_game_that_waits_for_it(server: Server) -> None:
    with flipside.Client(server.url) as client:
        me = client.create_player()["player"]["id"]
        games = {client.create_game(SMALL, [ROBOT, {"caller": {}}])["id"]}
        with flipside.Client(server.url) as other:
            other.create_player()
            games |= {other.create_game(SMALL, against(me))["id"]}
            trios = other.create_game({"threeTrios": {}}, against(me, False))["id"]
        games |= {client.create_game(SMALL, [{"caller": {}}, {"caller": {}}])["id"], trios}
        for over in flipside.Bot(client).play(lambda game, moves: moves[0]):
            games.remove(over["gameId"])
            if not games:
                break


def test_an_asyncio_bot_plays_every_game_that_waits_for_it(server: Server) -> None:
    async def choose(game: Game, moves: list[LegalMove]) -> LegalMove:
        return moves[-1]

    async def play() -> None:
        async with flipside.AsyncClient(server.url) as client:
            await client.create_player()
            game = await client.create_game(SMALL, [{"caller": {}}, ROBOT])
            async for over in flipside.AsyncBot(client).play(choose):
                assert over["gameId"] == game["id"]
                break

    asyncio.run(play())


def test_a_bot_raises_the_error_of_an_illegal_move(server: Server) -> None:
    with flipside.Client(server.url) as client:
        client.create_player()
        client.create_game(SMALL, [{"caller": {}}, ROBOT])
        with pytest.raises(flipside.Error) as caught:
            flipside.Bot(client).run(lambda game, moves: {**moves[0], "notation": "b2"})
        assert caught.value.reason == "CELL_TAKEN"


def test_a_bot_chooses_again_when_the_game_has_changed(server: Server) -> None:
    with flipside.Client(server.url) as client, flipside.Client(server.url) as opponent:
        me = client.create_player()["player"]["id"]
        opponent.create_player()
        seats: list[SeatInput] = [{"player": {"playerId": me}}, {"caller": {}}]
        game = opponent.create_game(SMALL, seats)["id"]
        choices = []
        resign = threading.Timer(0.1, opponent.resign, [game])

        def choose(game: Game, moves: list[LegalMove]) -> LegalMove:
            choices.append(game["version"])
            if len(choices) == 1:
                opponent.offer(game["id"], "OFFER_KIND_DRAW")
            else:
                resign.start()
            return moves[0]

        assert next(flipside.Bot(client).play(choose))["gameId"] == game
        assert choices == [3, 4]
        resign.join()


@contextmanager
def running(example: str, *arguments: str, **options: object) -> Iterator[tuple[str, int]]:
    """Run an example and yield the last word of its first line."""
    command = [sys.executable, str(EXAMPLES / example), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
    assert process.stdout is not None
    line = process.stdout.readline()
    threading.Thread(target=process.stdout.read, daemon=True).start()
    try:
        yield line.split()[-1], process.pid
    finally:
        process.kill()
        process.wait()


def wait_for_end(client: flipside.Client, games: list[str], seconds: float = 120) -> None:
    """Wait until all games are finished."""
    deadline = time.monotonic() + seconds
    left = games
    while left:
        assert time.monotonic() < deadline, f"{len(left)} of {len(games)} games hang: {left[:3]}"
        time.sleep(0.2)
        active = client.games(state="GAME_STATE_ACTIVE"), client.games(state="GAME_STATE_WAITING")
        open_games = {game["id"] for listed in active for game in listed}
        left = [game for game in left if game in open_games]
    assert {client.game(game)["state"] for game in games} == {"GAME_STATE_FINISHED"}


def test_the_example_bot_plays_a_hundred_games_through_a_restart(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = start_server()
    with running("bot.py", server.url, cwd=tmp_path) as (bot, _), flipside.Client(server.url) as me:
        me.create_player("Challenger")
        games = [me.create_game(SMALL, against(bot, n % 2 == 0))["id"] for n in range(50)]
        server.kill()
        server.start()
        games += [me.create_game(SMALL, against(bot, n % 2 == 0))["id"] for n in range(50)]
        wait_for_end(me, games)


def test_the_example_provider_plays_for_a_robot(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    protos = [str(path) for path in PROTOS.rglob("*.proto")]
    outs = [f"--python_out={tmp_path}", f"--grpc_python_out={tmp_path}"]
    compiler = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTOS}"]
    subprocess.run([*compiler, *outs, *protos], check=True)
    address = f"unix:{tmp_path}/provider.sock"
    server = start_server(f"--strategy-provider=mine={address}")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    strategy = server.addresses["strategy"]
    with (
        running("provider.py", address, strategy, env=environment),
        flipside.Client(server.url) as client,
    ):
        client.create_player()
        games = []
        styles: list[dict[str, object]] = [{}, {"flips": "most"}]
        for options in styles:
            mine: SeatInput = {
                "robot": {
                    "provider": "mine",
                    "strategy": {"level": "LEVEL_EASY"},
                    "options": options,
                }
            }
            game = client.create_game(SMALL, [mine, mine])["id"]
            moves = [
                m["event"]["movePlayed"]
                for m in client.watch(game)
                if "movePlayed" in m.get("event", {})
            ]
            assert [move["substitute"] for move in moves if "substitute" in move] == []
            games.append([move["notation"] for move in moves])
        assert games[0] != games[1]


@pytest.mark.parametrize("example", ["bot.py", "provider.py"])
def test_the_guide_shows_the_examples(example: str) -> None:
    code = (EXAMPLES / example).read_text()
    assert len(code.splitlines()) < 40
    assert f"```python\n{code}```" in (ROOT / "docs/bots.md").read_text()
