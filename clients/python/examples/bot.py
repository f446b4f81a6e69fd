"""
A bot that takes corners, and otherwise flips as many discs as it can.

Usage: python bot.py [URL]. It keeps its key in the file bot.key.
"""

import os
import sys
from pathlib import Path

import flipside
from flipside.schema import Game, LegalMove


def choose(game: Game, moves: list[LegalMove]) -> LegalMove:
    """Return the best move."""
    corners = game["position"].get("reversi", {}).get("corners", [])

    def value(move: LegalMove) -> tuple[bool, int]:
        cell = move["move"].get("place", {}).get("cell")
        return cell in corners, move["flipCount"]

    return max(moves, key=value)


with flipside.Client(*sys.argv[1:2]) as client:
    key = Path("bot.key")
    if key.exists():
        client.key = key.read_text()
    else:
        created = client.create_player("Corner bot")
        os.close(os.open(key, os.O_CREAT, 0o600))
        key.write_text(created["key"])
    print("This bot is player", client.me()["id"], flush=True)
    for game in flipside.Bot(client).play(choose):
        print(game["gameId"], game.get("outcome"), flush=True)
