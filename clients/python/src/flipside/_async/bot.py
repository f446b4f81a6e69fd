from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from .. import schema
from .._call import Versions
from ..errors import Error
from .client import AsyncClient

AsyncChoose = Callable[[schema.Game, list[schema.LegalMove]], Awaitable[schema.LegalMove]]
"""Chooses one of the legal moves of the side to move. The list is never empty."""

TOO_LATE = {"GAME_NOT_FOUND", "GAME_NOT_STARTED", "GAME_OVER", "NOT_YOUR_TURN", "SEAT_TAKEN"}
"""Reasons of a move that the game no longer waits for."""


class AsyncBot:
    """
    A player that accepts every invitation and plays every game that waits for it, one move after
    the other.

    It survives restarts of the server and lost connections. A restarted bot continues its games.
    """

    def __init__(self, client: AsyncClient, *, accept_invitations: bool = True) -> None:
        self._client = client
        self._accept_invitations = accept_invitations

    async def run(self, choose: AsyncChoose) -> None:
        """Play until a call fails with an Error that a retry cannot repair."""
        async for _ in self.play(choose):
            pass

    async def play(self, choose: AsyncChoose) -> AsyncGenerator[schema.GameOver, None]:
        """Play as ``run`` does, and yield the end of every game once."""
        ended = Versions()
        async for message in self._client.turns():
            if "turn" in message:
                await self._answer(message["turn"], choose)
            elif "gameOver" in message and ended.advance(message["gameOver"]["gameId"], 0):
                yield message["gameOver"]

    async def _answer(self, turn: schema.TurnNotice, choose: AsyncChoose) -> None:
        """Answer a turn, however long the server is unavailable."""
        while True:
            try:
                if await self._answer_once(turn, choose):
                    return
            except Error as error:
                if error.reason in TOO_LATE:
                    return
                if error.temporary:
                    await asyncio.sleep(error.retry_after or 1)
                elif error.reason != "VERSION_MISMATCH":
                    raise

    async def _answer_once(self, turn: schema.TurnNotice, choose: AsyncChoose) -> bool:
        """Report whether the game no longer waits for this turn."""
        game_id = turn["gameId"]
        if turn["invitation"]:
            if self._accept_invitations:
                await self._client.join(game_id)
            return True
        game = await self._client.game(game_id)
        if "turn" not in game or game["turn"]["side"] != turn["side"]:
            return True
        legal = await self._client.legal_moves(game_id)
        if legal["version"] != game["version"]:
            return False
        move = await choose(game, legal["moves"])
        await self._client.play(game_id, move["notation"], expected_version=game["version"])
        return True
