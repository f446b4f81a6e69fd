from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, cast

import httpx

from .. import schema
from .._call import Call, Versions, game_path, present
from .transport import AsyncTransport


class AsyncClient:
    """
    A client of one Flipside server for one player.

    Every call that changes something has a request id. The client repeats it with the same id after
    a lost response, and the server carries it out once. A failed call raises an Error.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        key: str | None = None,
        *,
        on_behalf_of: str | None = None,
        timeout: float = 20,
        retry_for: float = 30,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """
        Open no connection yet.

        ``base_url`` is the address of the gateway. ``key`` is the key of the player, a token, or a
        service key, which acts for the user with the external id ``on_behalf_of``. An attempt
        without a response fails after ``timeout`` seconds. Retries of a call start within
        ``retry_for`` seconds. ``http`` replaces the HTTP client, for proxies and certificates.
        """
        headers = {"Flipside-On-Behalf-Of": on_behalf_of} if on_behalf_of else {}
        self._transport = AsyncTransport(base_url, headers, timeout, retry_for, http)
        self.key = key

    @property
    def key(self) -> str | None:
        """The key that is sent with every call."""
        return self._key

    @key.setter
    def key(self, key: str | None) -> None:
        self._key = key
        self._transport.headers.pop("Authorization", None)
        if key:
            self._transport.headers["Authorization"] = f"Bearer {key}"

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def create_player(self, display_name: str = "") -> schema.CreatePlayerResponse:
        """Create a player and use their key from now on. No other call returns it: store it."""
        body = {"displayName": display_name}
        call = Call("POST", "/v1/players", body=body, repeatable=False)
        created = cast(schema.CreatePlayerResponse, await self._transport.call(call))
        self.key = created["key"]
        return created

    async def rotate_key(self) -> str:
        """Replace the key of the player, use the new one from now on and return it: store it."""
        call = Call("POST", "/v1/players/me:rotateKey", body={}, repeatable=False)
        key: str = (await self._transport.call(call))["key"]
        self.key = key
        return key

    async def me(self) -> schema.Player:
        """Return the player of the key."""
        return cast(schema.Player, (await self._get("/v1/players/me"))["player"])

    async def set_webhook(self, url: str, *, new_secret: bool = False) -> schema.SetWebhookResponse:
        """Send the notices of the player, or of all users of the service, to a URL."""
        call = Call("POST", "/v1/webhook", body={"url": url, "newSecret": new_secret})
        return cast(schema.SetWebhookResponse, await self._transport.call(call))

    async def webhook(self) -> schema.Webhook | None:
        """Return the webhook and the state of its deliveries, None if there is none."""
        return cast("schema.Webhook | None", (await self._get("/v1/webhook")).get("webhook"))

    async def delete_webhook(self) -> None:
        """Delete the webhook."""
        await self._transport.call(Call("POST", "/v1/webhook:delete", body={}))

    async def create_game(
        self,
        setup: schema.SetupInput,
        seats: Sequence[schema.SeatInput] | None = None,
        *,
        visibility: schema.Visibility | None = None,
        time_control: schema.TimeControlInput | None = None,
        request_id: str | None = None,
    ) -> schema.Game:
        """Create a game. The seats are the first and the second; default: caller and open."""
        body = present(setup=setup, seats=seats, visibility=visibility, timeControl=time_control)
        return await self._change("/v1/games", body, request_id)

    async def game(self, game_id: str) -> schema.Game:
        """Return a game."""
        return cast(schema.Game, (await self._get(game_path(game_id)))["game"])

    async def games(
        self,
        *,
        state: schema.GameState | None = None,
        kind: schema.GameKind | None = None,
        player_id: str | None = None,
    ) -> AsyncGenerator[schema.Game, None]:
        """Yield games, the newest first. The player id ``me`` stands for the caller."""
        query = present(state=state, kind=kind, playerId=player_id)
        async for page in self._pages("/v1/games", query):
            for game in page["games"]:
                yield game

    async def events(
        self, game_id: str, *, after_version: int = 0
    ) -> AsyncGenerator[schema.Event, None]:
        """Yield the events of a game until now, the oldest first."""
        query = {"afterVersion": after_version}
        async for page in self._pages(game_path(game_id) + "/events", query):
            for event in page["events"]:
                yield event

    async def legal_moves(
        self, game_id: str, *, side: schema.Side | None = None, card: str | None = None
    ) -> schema.ListLegalMovesResponse:
        """Return all legal moves, by default of the side to move, and the version of the game."""
        query = present(side=side, card=card, pageSize=1000)
        moves: list[schema.LegalMove] = []
        async for page in self._pages(game_path(game_id) + "/legalMoves", query):
            moves += page["moves"]
        return {"moves": moves, "nextPageToken": "", "version": page["version"]}

    async def join(self, game_id: str, *, side: schema.Side | None = None) -> schema.Game:
        """Take a seat, by default the first open one, or accept an invitation."""
        return await self._change(game_path(game_id) + ":join", present(side=side))

    async def play(
        self,
        game_id: str,
        notation: str,
        *,
        expected_version: int = 0,
        request_id: str | None = None,
    ) -> schema.PlayMoveResponse:
        """Play a move, for example ``d3``, ``1,-2``, ``anchor@0,1`` or ``pass``."""
        body = {"notation": notation, "expectedVersion": expected_version}
        response = await self._post(game_path(game_id) + "/moves", body, request_id)
        return cast(schema.PlayMoveResponse, response)

    async def resign(self, game_id: str, *, side: schema.Side | None = None) -> schema.Game:
        """Resign. A caller who holds both seats names the side."""
        return await self._change(game_path(game_id) + ":resign", present(side=side))

    async def abort(self, game_id: str) -> schema.Game:
        """Abort a game before both sides have moved, or decline an invitation."""
        return await self._change(game_path(game_id) + ":abort", {})

    async def offer(
        self, game_id: str, kind: schema.OfferKind, *, side: schema.Side | None = None
    ) -> schema.Game:
        """Make an offer to the opponent, or accept their open offer of the same kind."""
        return await self._change(game_path(game_id) + ":offer", present(kind=kind, side=side))

    async def decline_offer(
        self, game_id: str, kind: schema.OfferKind, *, side: schema.Side | None = None
    ) -> schema.Game:
        """Decline an open offer of the opponent, or withdraw one."""
        body = present(kind=kind, side=side)
        return await self._change(game_path(game_id) + ":declineOffer", body)

    async def claim(self, game_id: str) -> schema.Game:
        """Claim the game from an opponent who is absent."""
        return await self._change(game_path(game_id) + ":claim", {})

    async def fork(
        self,
        game_id: str,
        *,
        version: int | None = None,
        seats: Sequence[schema.SeatInput] | None = None,
        visibility: schema.Visibility | None = None,
        time_control: schema.TimeControlInput | None = None,
        request_id: str | None = None,
    ) -> schema.Game:
        """Create a game from the position after a version, by default the latest."""
        body = present(
            version=version, seats=seats, visibility=visibility, timeControl=time_control
        )
        return await self._change(game_path(game_id) + ":fork", body, request_id)

    async def set_robot(
        self,
        game_id: str,
        strategy: schema.StrategyInput,
        *,
        side: schema.Side | None = None,
        provider: str = "",
        seed: int = 0,
        options: dict[str, object] | None = None,
    ) -> schema.Game:
        """Set the strategy of a robot from its next move on. `options` are for the provider."""
        body = present(
            strategy=strategy, side=side, provider=provider, seed=str(seed), options=options
        )
        return await self._change(game_path(game_id) + ":setRobot", body)

    async def strategies(self) -> list[schema.StrategyInfo]:
        """Return all strategies with their parameters."""
        response = await self._get("/v1/strategies")
        return cast("list[schema.StrategyInfo]", response["strategies"])

    async def choose_move(
        self, position: str, strategy: schema.StrategyInput, *, seed: int = 0
    ) -> schema.ChooseMoveResponse:
        """Let a strategy choose a move in a position, given in notation."""
        body = {"position": {"notation": position}, "strategy": strategy, "seed": str(seed)}
        call = Call("POST", "/v1/positions:chooseMove", body=body)
        return cast(schema.ChooseMoveResponse, await self._transport.call(call))

    async def search_move(
        self, position: str, strategy: schema.StrategyInput, *, seed: int = 0
    ) -> AsyncGenerator[schema.SearchMoveResponse, None]:
        """Let a strategy choose a move: a ``progress`` per depth, at last the ``choice``."""
        body = {"position": {"notation": position}, "strategy": strategy, "seed": str(seed)}
        call = Call("POST", "/v1/positions:searchMove", body=body)
        async for message in self._transport.messages(call):
            yield cast(schema.SearchMoveResponse, message)

    async def analyze(
        self, position: str, strategy: schema.StrategyInput, *, multi_pv: int = 1
    ) -> AsyncGenerator[schema.Analysis, None]:
        """Analyze a position, given in notation: an analysis per depth, the last is ``final``."""
        body = {"position": {"notation": position}, "strategy": strategy, "multiPv": multi_pv}
        call = Call("POST", "/v1/positions:analyze", body=body)
        async for message in self._transport.messages(call):
            yield message["analysis"]

    async def watch(
        self, game_id: str, *, after_version: int | None = None
    ) -> AsyncGenerator[schema.WatchGameResponse, None]:
        """
        Follow a game until it ends: first a ``snapshot``, or with ``after_version`` the events
        after it, then every event once. The stream resumes by itself without a gap.
        """
        resume_at = after_version

        def next_call() -> Call:
            return Call("GET", game_path(game_id) + ":watch", {"afterVersion": resume_at})

        async for message in self._transport.resume(next_call):
            event = message.get("event")
            repeated = event and resume_at is not None and event["version"] <= resume_at
            resume_at = max(resume_at or 0, message["version"])
            if not repeated:
                yield message

    async def turns(
        self, *, after_cursor: str | None = None
    ) -> AsyncGenerator[schema.WatchTurnsResponse, None]:
        """
        Follow all games of the player: first a ``turn`` for each game that waits for them, then
        every change once. The stream resumes by itself without a gap.
        """
        cursor = after_cursor
        versions = Versions()

        def next_call() -> Call:
            return Call("GET", "/v1/turns:watch", {"afterCursor": cursor})

        async for message in self._transport.resume(next_call):
            cursor = message["cursor"] or cursor
            change = message.get("turn") or message.get("gameOver")
            if not change or versions.advance(change["gameId"], change["version"]):
                yield message

    async def _get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        return await self._transport.call(Call("GET", path, query))

    async def _pages(self, path: str, query: Mapping[str, object]) -> AsyncGenerator[Any, None]:
        token = ""
        while True:
            page = await self._get(path, {**query, "pageToken": token})
            yield page
            token = page["nextPageToken"]
            if not token:
                return

    async def _post(
        self, path: str, body: Mapping[str, object], request_id: str | None = None
    ) -> Any:
        body = {"requestId": request_id or str(uuid.uuid4()), **body}
        return await self._transport.call(Call("POST", path, body=body))

    async def _change(
        self, path: str, body: Mapping[str, object], request_id: str | None = None
    ) -> schema.Game:
        return cast(schema.Game, (await self._post(path, body, request_id))["game"])
