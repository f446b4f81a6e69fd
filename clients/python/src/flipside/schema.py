# Generated from gen/openapi/openapi.json by `make generate`. Do not edit.
"""The types of the API: JSON objects as dictionaries, enums as strings."""

from __future__ import annotations

from typing import Literal, TypedDict

from typing_extensions import NotRequired

AlphaBetaEvaluation = Literal[
    "EVALUATION_UNSPECIFIED",
    "EVALUATION_DISC_DIFFERENCE",
]
"""
Evaluation is the static evaluation of a position.

- `EVALUATION_UNSPECIFIED`: No evaluation is given.
- `EVALUATION_DISC_DIFFERENCE`: The own discs or cards minus those of the opponent.
"""

Cause = Literal[
    "CAUSE_UNSPECIFIED",
    "CAUSE_GREATER",
    "CAUSE_LESS",
    "CAUSE_FALLEN_ACE",
    "CAUSE_SAME",
    "CAUSE_PLUS",
]
"""
Cause is the rule that made a card flip. If several rules explain a flip, the cause is the first
of them in the order of this enum.

- `CAUSE_UNSPECIFIED`: The flip of a disc. Discs flip only because they are outflanked.
- `CAUSE_GREATER`: The attacking value is greater.
- `CAUSE_LESS`: The attacking value is less, under RULE_REVERSE.
- `CAUSE_FALLEN_ACE`: A one beat an ace, or under RULE_REVERSE an ace beat a one.
- `CAUSE_SAME`: At least two touching pairs of values are equal, under RULE_SAME.
- `CAUSE_PLUS`: At least two touching pairs of values have the same sum, under RULE_PLUS.
"""

EndReason = Literal[
    "END_REASON_UNSPECIFIED",
    "END_REASON_GAME_OVER",
    "END_REASON_SHUTTING_DOWN",
    "END_REASON_TOO_SLOW",
    "END_REASON_KEY_REVOKED",
]
"""
EndReason is the reason for which the server closes a stream.

- `END_REASON_UNSPECIFIED`: No reason is given.
- `END_REASON_GAME_OVER`: The game ended. It gets no more moves; ListEvents has later offers of a rematch.
- `END_REASON_SHUTTING_DOWN`: The server shuts down. Connect again and resume.
- `END_REASON_TOO_SLOW`: The client read too slowly. Connect again and resume.
- `END_REASON_KEY_REVOKED`: The key that opened the stream is no longer valid.
"""

Ending = Literal[
    "ENDING_UNSPECIFIED",
    "ENDING_SCORE",
    "ENDING_RESIGNATION",
    "ENDING_TIME",
    "ENDING_ABANDONMENT",
    "ENDING_AGREEMENT",
]
"""
Ending is the kind of ending of a game.

- `ENDING_UNSPECIFIED`: No ending is given.
- `ENDING_SCORE`: The game ended by its rules, and the score decided.
- `ENDING_RESIGNATION`: A side resigned.
- `ENDING_TIME`: The time of a side was up.
- `ENDING_ABANDONMENT`: A side was absent, and its opponent claimed this.
- `ENDING_AGREEMENT`: Both sides agreed on the outcome.
"""

ErrorReason = Literal[
    "INVALID_FIELD",
    "UNKNOWN_FIELD",
    "OFF_BOARD",
    "INVALID_GRID",
    "INVALID_DECK",
    "INVALID_NOTATION",
    "CONFLICTING_RULES",
    "BODY_TOO_LARGE",
    "INVALID_KEY",
    "NOT_YOUR_SEAT",
    "GAME_NOT_FOUND",
    "PLAYER_NOT_FOUND",
    "NOT_YOUR_TURN",
    "CELL_TAKEN",
    "HOLE",
    "FLIPS_NOTHING",
    "MUST_PLACE",
    "CARD_NOT_IN_HAND",
    "GAME_NOT_STARTED",
    "GAME_STARTED",
    "GAME_OVER",
    "SEAT_TAKEN",
    "VERSION_MISMATCH",
    "REQUEST_ID_REUSED",
    "RATE_LIMITED",
    "TOO_MANY_STREAMS",
    "BUDGET_EXCEEDED",
    "STORE_UNAVAILABLE",
    "STRATEGY_UNAVAILABLE",
    "UNKNOWN_PATH",
    "METHOD_NOT_ALLOWED",
    "UNSUPPORTED_MEDIA_TYPE",
    "NOT_AWAY",
    "STORE_CONTENDED",
    "NO_SUCH_OFFER",
    "OFFER_DECLINED",
    "NOTHING_TO_TAKE_BACK",
    "GAME_NOT_OVER",
    "TOO_MANY_CHANGES",
    "TOO_MANY_INVITATIONS",
    "GAME_UNAVAILABLE",
    "ISSUER_UNAVAILABLE",
    "TOO_MANY_CONNECTIONS",
    "OVERLOADED",
    "DEADLINE_EXCEEDED",
    "CANCELLED",
    "UNIMPLEMENTED",
    "INTERNAL",
]
"""The cause of a failed call. Later versions can have more."""

Format = Literal[
    "FORMAT_UNSPECIFIED",
    "FORMAT_TEXT",
    "FORMAT_SVG",
    "FORMAT_PNG",
]
"""
Format is the format of a drawing.

- `FORMAT_UNSPECIFIED`: No format is given.
- `FORMAT_TEXT`: Text, with the content type text/plain.
- `FORMAT_SVG`: SVG, with the content type image/svg+xml.
- `FORMAT_PNG`: PNG, with the content type image/png: 960 pixels wide, more for large grids of Three Trios, and at most 1600 wide and high. Letters other than Latin, Greek and Cyrillic are drawn as boxes.
"""

GameKind = Literal[
    "GAME_KIND_UNSPECIFIED",
    "GAME_KIND_REVERSI",
    "GAME_KIND_THREE_TRIOS",
]
"""
GameKind is a game.

- `GAME_KIND_UNSPECIFIED`: No game is given.
- `GAME_KIND_REVERSI`: Reversi, on a hexagonal or a square board.
- `GAME_KIND_THREE_TRIOS`: The card game Three Trios.
"""

GameState = Literal[
    "GAME_STATE_UNSPECIFIED",
    "GAME_STATE_WAITING",
    "GAME_STATE_ACTIVE",
    "GAME_STATE_FINISHED",
    "GAME_STATE_ABORTED",
]
"""
GameState is a state in the life of a game.

- `GAME_STATE_UNSPECIFIED`: No state is given.
- `GAME_STATE_WAITING`: A seat is open.
- `GAME_STATE_ACTIVE`: The game is in progress.
- `GAME_STATE_FINISHED`: The game has an outcome.
- `GAME_STATE_ABORTED`: The game was aborted and has no outcome.
"""

Level = Literal[
    "LEVEL_UNSPECIFIED",
    "LEVEL_EASY",
    "LEVEL_MEDIUM",
    "LEVEL_HARD",
    "LEVEL_EXPERT",
]
"""
Level is the strength of a ready-made opponent. In Reversi, the levels combine simple strategies:
easy flips the most discs; medium also avoids cells next to corners; hard takes corners first;
expert also looks at the opponent's replies. In Three Trios, the levels are most_flips, corners,
smallest_reply (on more than 25 card cells least_exposed), and a search.

- `LEVEL_UNSPECIFIED`: No level is given.
- `LEVEL_EASY`: Chooses the moves with the most flips.
- `LEVEL_MEDIUM`: Avoids bad cells.
- `LEVEL_HARD`: Prefers good cells.
- `LEVEL_EXPERT`: Looks at the replies of the opponent.
"""

MatchGameReason = Literal[
    "REASON_UNSPECIFIED",
    "REASON_NO_ANSWER",
    "REASON_UNAVAILABLE",
    "REASON_REJECTED",
    "REASON_INVALID_ANSWER",
    "REASON_ILLEGAL_MOVE",
]
"""
Reason is the reason of a forfeit.

- `REASON_UNSPECIFIED`: No reason is given.
- `REASON_NO_ANSWER`: The provider did not answer in time.
- `REASON_UNAVAILABLE`: The provider could not be reached, or answered with an error.
- `REASON_REJECTED`: The provider rejected the strategy or the position.
- `REASON_INVALID_ANSWER`: The answer has no move that can be read.
- `REASON_ILLEGAL_MOVE`: The rules do not allow the move.
"""

Measure = Literal[
    "MEASURE_UNSPECIFIED",
    "MEASURE_FLIPS",
    "MEASURE_EXPOSURE",
    "MEASURE_REPLIES",
    "MEASURE_SCORE",
    "MEASURE_STRENGTH",
]
"""
Measure is the meaning of the values that a strategy compares.

- `MEASURE_UNSPECIFIED`: No value: all candidates are equally good.
- `MEASURE_FLIPS`: The number of flips; more is better.
- `MEASURE_EXPOSURE`: The number of the opponent's cards that could beat the card on its cell; fewer is better.
- `MEASURE_REPLIES`: The number of the opponent's best replies, or in Three Trios of the flips of the reply; fewer is better.
- `MEASURE_SCORE`: The difference in discs or cards that a search expects for the side to move; more is better.
- `MEASURE_STRENGTH`: The sum of a card's values on its open sides; more is better.
"""

OfferKind = Literal[
    "OFFER_KIND_UNSPECIFIED",
    "OFFER_KIND_TAKEBACK",
    "OFFER_KIND_DRAW",
    "OFFER_KIND_REMATCH",
]
"""
OfferKind is the subject of an offer.

- `OFFER_KIND_UNSPECIFIED`: No kind.
- `OFFER_KIND_TAKEBACK`: Return to the last turn of the side that makes the offer, with the clocks as at the start of that turn.
- `OFFER_KIND_DRAW`: End the game in a draw.
- `OFFER_KIND_REMATCH`: Play a new game with the same setup, time control and visibility, and with swapped sides.
"""

PassRule = Literal[
    "PASS_RULE_UNSPECIFIED",
    "PASS_RULE_VOLUNTARY",
    "PASS_RULE_FORCED",
]
"""
PassRule decides when a side may pass and when a game of Reversi ends.

- `PASS_RULE_UNSPECIFIED`: No rule is given.
- `PASS_RULE_VOLUNTARY`: A pass is always legal. Only two passes in a row end the game.
- `PASS_RULE_FORCED`: A pass is legal only without a placement. The game ends as soon as neither side has a placement.
"""

Rule = Literal[
    "RULE_UNSPECIFIED",
    "RULE_DEFAULT",
    "RULE_REVERSE",
    "RULE_FALLEN_ACE",
    "RULE_SAME",
    "RULE_PLUS",
]
"""
Rule is a rule of Three Trios. Any can be combined, except RULE_DEFAULT with RULE_REVERSE.

- `RULE_UNSPECIFIED`: No rule is given.
- `RULE_DEFAULT`: The greater value beats the smaller value.
- `RULE_REVERSE`: The smaller value beats the greater value.
- `RULE_FALLEN_ACE`: A one also beats an ace (10). Under RULE_REVERSE an ace also beats a one.
- `RULE_SAME`: If at least two touching pairs of values are equal, the opponent's cards of these pairs flip.
- `RULE_PLUS`: If at least two touching pairs of values have the same sum, the opponent's cards of these pairs flip.
"""

Side = Literal[
    "SIDE_UNSPECIFIED",
    "SIDE_FIRST",
    "SIDE_SECOND",
]
"""
Side is one of the two sides of a game.

- `SIDE_UNSPECIFIED`: In a request: no side is given. In a response: neither side.
- `SIDE_FIRST`: The side that moves first: Black in Reversi, Red in Three Trios.
- `SIDE_SECOND`: The side that moves second: White in Reversi, Blue in Three Trios.
"""

Start = Literal[
    "START_UNSPECIFIED",
    "START_STANDARD",
    "START_MIRRORED",
]
"""
Start is the pattern of the four discs in the middle of a square board at the start.

- `START_UNSPECIFIED`: No start is given, or the game starts from a position.
- `START_STANDARD`: White on the falling diagonal, as in Othello: d4 and e5 on a board of side 8.
- `START_MIRRORED`: Black on the falling diagonal.
"""

SubstituteReason = Literal[
    "SUBSTITUTE_REASON_UNSPECIFIED",
    "SUBSTITUTE_REASON_NO_ANSWER",
    "SUBSTITUTE_REASON_UNAVAILABLE",
    "SUBSTITUTE_REASON_REJECTED",
    "SUBSTITUTE_REASON_INVALID_ANSWER",
    "SUBSTITUTE_REASON_ILLEGAL_MOVE",
    "SUBSTITUTE_REASON_SUSPENDED",
]
"""
SubstituteReason is the reason for which a Strategy service gave no usable move. The server
retries a few times first.

- `SUBSTITUTE_REASON_UNSPECIFIED`: No reason is given.
- `SUBSTITUTE_REASON_NO_ANSWER`: The service did not answer in time.
- `SUBSTITUTE_REASON_UNAVAILABLE`: The service could not be reached, or answered with an error.
- `SUBSTITUTE_REASON_REJECTED`: The service rejected the strategy or the position.
- `SUBSTITUTE_REASON_INVALID_ANSWER`: The answer has no move in `chosen.move` or `chosen.notation` that the server can read.
- `SUBSTITUTE_REASON_ILLEGAL_MOVE`: The move in the answer is illegal.
- `SUBSTITUTE_REASON_SUSPENDED`: The server did not ask the service, because its last turns failed. It asks again later.
"""

Theme = Literal[
    "THEME_UNSPECIFIED",
    "THEME_LIGHT",
    "THEME_DARK",
]
"""
Theme is a set of colours for an SVG or a PNG.

- `THEME_UNSPECIFIED`: No theme is given.
- `THEME_LIGHT`: For a light page.
- `THEME_DARK`: For a dark page.
"""

Visibility = Literal[
    "VISIBILITY_UNSPECIFIED",
    "VISIBILITY_PUBLIC",
    "VISIBILITY_LINK",
    "VISIBILITY_PRIVATE",
]
"""
Visibility decides which players can see a game.

- `VISIBILITY_UNSPECIFIED`: No visibility is given.
- `VISIBILITY_PUBLIC`: All players can see it and list it.
- `VISIBILITY_LINK`: All players who know the id can see it. Only its own players can list it.
- `VISIBILITY_PRIVATE`: Only its players, its creator and a player whom a robot replaced can see it. For other callers it does not exist. It has no open seats.
"""


class AbortGameRequest(TypedDict):
    """AbortGameRequest is the request of AbortGame."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""


class AbortGameResponse(TypedDict):
    """AbortGameResponse is the response of AbortGame."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class AbsencePolicy(TypedDict):
    """AbsencePolicy decides a game in which a player does not move in time."""

    draw: NotRequired[AbsencePolicyDraw]
    """The game is a draw."""

    forfeit: NotRequired[AbsencePolicyForfeit]
    """The opponent wins."""

    robot: NotRequired[Robot]
    """
    This robot takes the seat, with a full clock, and the game continues. A robot that does not
    move in time, such as during an outage of the server, loses.
    """


class AbsencePolicyDraw(TypedDict):
    """Draw makes the game a draw."""


class AbsencePolicyForfeit(TypedDict):
    """Forfeit makes the opponent win."""


class AbsencePolicyInput(TypedDict):
    """AbsencePolicy decides a game in which a player does not move in time."""

    draw: NotRequired[AbsencePolicyDraw]
    """The game is a draw."""

    forfeit: NotRequired[AbsencePolicyForfeit]
    """The opponent wins."""

    robot: NotRequired[RobotInput]
    """
    This robot takes the seat, with a full clock, and the game continues. A robot that does not
    move in time, such as during an outage of the server, loses.
    """


class AlphaBeta(TypedDict):
    """
    AlphaBeta searches by iterative deepening for the best difference in discs or cards. The same
    depth always gives the same move. It discards an iteration that runs out of time, except the
    first.
    """

    evaluation: AlphaBetaEvaluation
    """The static evaluation. Default: EVALUATION_DISC_DIFFERENCE."""

    maxDepth: int
    """The search depth in plies, 1 to 64. Default (0): 4, or no limit if `maxTime` is set."""

    maxTime: NotRequired[str]
    """
    The time limit of the search, 0 s to 60 s. Default (0 s): the deadline of the call. The limits of
    the server apply too: a robot thinks at most 30 s about a move, unless the operator changes it.
    """


class AlphaBetaInput(TypedDict):
    """
    AlphaBeta searches by iterative deepening for the best difference in discs or cards. The same
    depth always gives the same move. It discards an iteration that runs out of time, except the
    first.
    """

    evaluation: NotRequired[AlphaBetaEvaluation]
    """The static evaluation. Default: EVALUATION_DISC_DIFFERENCE."""

    maxDepth: NotRequired[int]
    """The search depth in plies, 1 to 64. Default (0): 4, or no limit if `maxTime` is set."""

    maxTime: NotRequired[str]
    """
    The time limit of the search, 0 s to 60 s. Default (0 s): the deadline of the call. The limits of
    the server apply too: a robot thinks at most 30 s about a move, unless the operator changes it.
    """


class Analysis(TypedDict):
    """Analysis is the result of a search at some depth."""

    confidence: int
    """
    The confidence, in percent, with which the search cut branches after a shallower search: 100 if
    it cut none, as always with `exact`. 0 for a strategy that does not search.
    """

    depth: int
    """The search depth in plies. 0 for a strategy that does not search."""

    exact: bool
    """Whether `score` is proved, by a search of every line to the end of the game."""

    final: bool
    """Whether the search is finished."""

    lowerBound: int
    """The proved lower bound of the final difference."""

    multiPv: list[Line]
    """The best lines, best first, as many as the request wants. The first is the principal variation."""

    nodes: str
    """The number of nodes visited."""

    nodesPerSecond: str
    """The number of nodes visited per second."""

    passRule: PassRule
    """
    The pass rule of the search: PASS_RULE_FORCED in Reversi, even if passes are voluntary. Not set
    for other games.
    """

    principalVariation: list[str]
    """The principal variation from the given position, as moves in notation."""

    score: int
    """The expected difference in discs or cards, for the side to move."""

    time: str
    """The time of the search."""

    upperBound: int
    """The proved upper bound of the final difference."""


class AnalyzePositionRequest(TypedDict):
    """AnalyzePositionRequest is the request of AnalyzePosition."""

    multiPv: NotRequired[int]
    """The number of best lines, 1 to 32. Default (0): 1."""

    position: PositionInput
    """Required. The position. Only its notation is needed."""

    strategy: StrategyInput
    """Required. A strategy that searches: `alphaBeta`, `engine`, or a level that searches."""


class AnalyzePositionResponse(TypedDict):
    """AnalyzePositionResponse is a message of an analysis."""

    analysis: Analysis
    """The result at this depth."""


class AnalyzePositionResponseLine(TypedDict):
    """One line of the stream: a message, or the error that ended the stream."""

    error: NotRequired[Status]

    result: NotRequired[AnalyzePositionResponse]


class AvoidNextToCorners(TypedDict):
    """AvoidNextToCorners keeps the cells that are not next to a corner cell. It can keep no move."""


class Candidate(TypedDict):
    """Candidate is one of the moves that a strategy considers best, with its value."""

    measure: Measure
    """The meaning of `value`."""

    move: Move
    """The move."""

    notation: str
    """The move in notation."""

    value: int
    """The value that the strategy compares, in the unit of `measure`."""


class Card(TypedDict):
    """Card is a card with its four values, each 1 to 10. Notations have `A` for 10."""

    east: int
    """The value of the right side."""

    name: str
    """The name, unique in its deck."""

    north: int
    """The value of the upper side."""

    south: int
    """The value of the lower side."""

    west: int
    """The value of the left side."""


class Cell(TypedDict):
    """Cell identifies a cell of a board."""

    hex: NotRequired[HexCell]
    """A cell of a hexagonal board."""

    square: NotRequired[SquareCell]
    """A cell of a square board or of a grid."""


class CellInput(TypedDict):
    """Cell identifies a cell of a board."""

    hex: NotRequired[HexCellInput]
    """A cell of a hexagonal board."""

    square: NotRequired[SquareCellInput]
    """A cell of a square board or of a grid."""


class ChooseMoveRequest(TypedDict):
    """ChooseMoveRequest is the request of ChooseMove."""

    clock: NotRequired[Clock]
    """
    The clock of the game. Not set in a game without a time limit. The deadline of the call is the
    limit for this move.
    """

    gameId: NotRequired[str]
    """
    The id of the game for which a robot moves: at most 64 letters, digits and `-._~`. Default:
    no game. The engine uses it to think while the opponent does, if the operator allows that. The
    strategies of this server ignore the following fields: they are for a provider.
    """

    options: NotRequired[dict[str, object]]
    """
    The options of the robot, as the creator of the game has set them: at most 4 KiB in the protobuf
    encoding, objects and lists nested at most 8 deep. Default: none.
    """

    position: PositionInput
    """Required. The position. Only its notation is needed."""

    seed: NotRequired[str]
    """
    The seed for a random choice among equally good moves. The same seed gives the same choice.
    Default (0): the first move in reading order.
    """

    side: NotRequired[Side]
    """The side of the robot, which is the side to move. Default: no game."""

    strategy: StrategyInput
    """Required. The strategy that chooses."""


class ChooseMoveResponse(TypedDict):
    """ChooseMoveResponse is the response of ChooseMove."""

    analysis: Analysis
    """The analysis of the search."""

    candidates: list[Candidate]
    """All equally good moves, in reading order."""

    chosen: Candidate
    """
    The move to play: one of `candidates`. For a robot, `move` or `notation` is enough; `move` is
    used if both are set.
    """


class ClaimAbandonmentRequest(TypedDict):
    """ClaimAbandonmentRequest is the request of ClaimAbandonment."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""


class ClaimAbandonmentResponse(TypedDict):
    """ClaimAbandonmentResponse is the response of ClaimAbandonment."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class Clock(TypedDict):
    """
    Clock is the time of both sides of a game at the time of the request. The time of the side to move
    runs.
    """

    first: NotRequired[str]
    """The time that SIDE_FIRST has left."""

    increment: NotRequired[str]
    """The time that each move of a side adds to its clock. 0 s if the game has none."""

    perMove: NotRequired[str]
    """
    The time for each move: every turn starts with it. Not set if the clock is for all moves of a
    side.
    """

    second: NotRequired[str]
    """The time that SIDE_SECOND has left."""


class Clocks(TypedDict):
    """
    Clocks holds the time of each side when the current turn began. The clock of the side to move
    runs until the `deadline` of the turn.
    """

    first: str
    """The time that SIDE_FIRST had left."""

    second: str
    """The time that SIDE_SECOND had left."""


class Corners(TypedDict):
    """Corners chooses the free corner and the card with the highest sum of values on open sides."""


class CreateGameRequest(TypedDict):
    """CreateGameRequest is the request of CreateGame."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    seats: NotRequired[list[SeatInput]]
    """
    The seats: SIDE_FIRST, then SIDE_SECOND; at most 2. A missing second seat is open. Default: the
    caller and an open seat.
    """

    setup: SetupInput
    """Required. The setup of the game."""

    timeControl: NotRequired[TimeControlInput]
    """The time control. Default: none."""

    visibility: NotRequired[Visibility]
    """The players who can see the game. Default: VISIBILITY_PUBLIC."""


class CreateGameResponse(TypedDict):
    """CreateGameResponse is the response of CreateGame."""

    game: Game
    """The new game."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class CreatePlayerRequest(TypedDict):
    """CreatePlayerRequest is the request of CreatePlayer."""

    displayName: NotRequired[str]
    """
    The name for other players to see, at most 64 characters, without control and format characters
    (Unicode categories Cc, Cf, Zl and Zp). Default: a name made from the id.
    """


class CreatePlayerResponse(TypedDict):
    """CreatePlayerResponse is the response of CreatePlayer."""

    key: str
    """The secret key that authenticates the player. No other response contains it."""

    player: Player
    """The new player."""


class DeclineOfferRequest(TypedDict):
    """DeclineOfferRequest is the request of DeclineOffer."""

    kind: OfferKind
    """Required. The subject of the offer."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    side: NotRequired[Side]
    """The side that declines or withdraws the offer. Required if the caller holds both seats."""


class DeclineOfferResponse(TypedDict):
    """DeclineOfferResponse is the response of DeclineOffer."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class DeleteWebhookRequest(TypedDict):
    """DeleteWebhookRequest is the request of DeleteWebhook."""


class DeleteWebhookResponse(TypedDict):
    """DeleteWebhookResponse is the response of DeleteWebhook."""


class End(TypedDict):
    """End announces that the server closes the stream."""

    reason: EndReason
    """The reason."""


class Engine(TypedDict):
    """
    Engine searches for the strongest move within its limits. All limits are optional. The deadline
    of the call always applies.
    """

    maxDepth: int
    """The search depth in plies, 1 to 512. Default (0): no limit."""

    maxNodes: str
    """The number of nodes to visit. Default (0): no limit."""

    maxTime: NotRequired[str]
    """
    The time limit of the search, 0 s to 10 min. Default (0 s): no limit; 10 s for a robot. The
    limits of the server apply too: a robot thinks at most 30 s about a move, unless the operator
    changes it.
    """

    threads: int
    """The number of threads of the search, 1 to 256. Default (0): 1."""


class EngineInput(TypedDict):
    """
    Engine searches for the strongest move within its limits. All limits are optional. The deadline
    of the call always applies.
    """

    maxDepth: NotRequired[int]
    """The search depth in plies, 1 to 512. Default (0): no limit."""

    maxNodes: NotRequired[str]
    """The number of nodes to visit. Default (0): no limit."""

    maxTime: NotRequired[str]
    """
    The time limit of the search, 0 s to 10 min. Default (0 s): no limit; 10 s for a robot. The
    limits of the server apply too: a robot thinks at most 30 s about a move, unless the operator
    changes it.
    """

    threads: NotRequired[int]
    """The number of threads of the search, 1 to 256. Default (0): 1."""


class ErrorDetail(TypedDict):
    """A detail of an error. Its type decides which other properties are set."""

    domain: NotRequired[str]
    """Always `flipside`."""

    fieldViolations: NotRequired[list[FieldViolation]]
    """The invalid fields."""

    metadata: NotRequired[dict[str, object]]
    """The values in the message."""

    reason: NotRequired[ErrorReason]

    retryDelay: NotRequired[str]
    """The delay after which the same call may succeed, such as `1s`."""


class Event(TypedDict):
    """Event is an entry in the log of a game. The log is complete: its replay gives the game."""

    aborted: NotRequired[GameAborted]
    """The game was aborted."""

    created: NotRequired[GameCreated]
    """The game was created."""

    finished: NotRequired[GameFinished]
    """The game ended with an outcome."""

    gameId: str
    """The id of the game."""

    movePlayed: NotRequired[MovePlayed]
    """A move was played. A pass is a move."""

    movesTakenBack: NotRequired[MovesTakenBack]
    """Both sides agreed to a takeback, and the game returned to an earlier position."""

    offerDeclined: NotRequired[OfferDeclined]
    """A side declined an offer, or withdrew its own."""

    offerMade: NotRequired[OfferMade]
    """A side made an offer."""

    paused: NotRequired[str]
    """
    The part of the turn before the event in which no server process ran. It does not count on the
    clock. Not set for zero.
    """

    rematchCreated: NotRequired[RematchCreated]
    """Both sides agreed to a rematch."""

    robotChanged: NotRequired[RobotChanged]
    """A robot got another strategy, or took the seat of a player who did not move in time."""

    seatTaken: NotRequired[SeatTaken]
    """A player took an open seat, or accepted an invitation."""

    started: NotRequired[GameStarted]
    """The game started, because every seat is filled."""

    time: str
    """The time of the event."""

    version: int
    """The position in the log: 1, 2, 3 and so on without gaps."""


class FieldViolation(TypedDict):
    """An invalid field of a request."""

    description: str
    """The problem."""

    field: str
    """The path of the field, such as `setup.reversi.minFlips`."""

    reason: NotRequired[str]
    """The reason of the problem."""


class Flip(TypedDict):
    """Flip is a disc or a card that changed sides."""

    cause: Cause
    """The rule that caused the flip."""

    cell: Cell
    """The cell of the disc or card."""

    notation: str
    """The cell in notation."""

    wave: int
    """The step of the chain: 0 for a flip that the move itself caused. Always 0 in Reversi."""


class ForkGameRequest(TypedDict):
    """ForkGameRequest is the request of ForkGame."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    seats: NotRequired[list[SeatInput]]
    """
    The seats of the new game, as in CreateGame. Default: the seats of the forked game, with its
    robots, the caller in their own seat, and the other player invited. A caller without a seat takes
    that of the first player.
    """

    timeControl: NotRequired[TimeControlInput]
    """The time control of the new game. Default: none."""

    version: NotRequired[int]
    """The version whose position starts the new game, from 1. Default: the latest."""

    visibility: NotRequired[Visibility]
    """The players who can see the new game. Default: the visibility of the forked game."""


class ForkGameResponse(TypedDict):
    """ForkGameResponse is the response of ForkGame."""

    game: Game
    """The new game."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class Game(TypedDict):
    """Game is the state of a game after `version` events."""

    clocks: NotRequired[Clocks]
    """The clocks. Not set without a time limit."""

    createTime: str
    """The time of the creation."""

    creatorId: str
    """The id of the player who created the game."""

    etag: str
    """The entity tag. It differs for every version, and after an outage that moves the deadline."""

    id: str
    """The id, a lower-case ULID. Later games sort after earlier games."""

    kind: GameKind
    """The kind of game."""

    lastCell: NotRequired[Cell]
    """
    The cell of the last placement or card. Not set before the first one. A pass does not change
    it.
    """

    offers: list[Offer]
    """The open offers. A move ends all offers."""

    outcome: NotRequired[Outcome]
    """The outcome. Set only for a finished game."""

    position: Position
    """The current position."""

    rematch: str
    """The id of the rematch of this game. Empty if there is none."""

    rematchOf: str
    """The id of the game that this game is a rematch of. Empty if it is not a rematch."""

    score: Score
    """The current score, without awarded empty cells."""

    seats: list[Seat]
    """Both seats: SIDE_FIRST, then SIDE_SECOND."""

    setup: Setup
    """The setup, with every default filled in."""

    state: GameState
    """The state in the life of the game."""

    timeControl: NotRequired[TimeControl]
    """The time control. Not set for a game without one."""

    turn: NotRequired[Turn]
    """The current turn. Set only while the game is active."""

    updateTime: str
    """The time of the last event."""

    version: int
    """The number of events in the log, from 1."""

    visibility: Visibility
    """The players who can see the game."""


class GameAborted(TypedDict):
    """GameAborted records that a game was aborted."""

    side: Side
    """The side that aborted the game; SIDE_UNSPECIFIED for a creator without a seat."""


class GameCreated(TypedDict):
    """GameCreated records the creation of a game."""

    forkedFrom: NotRequired[GameCreatedForkedFrom]
    """The origin of a fork. Not set for other games."""

    position: Position
    """The position at the start."""

    seats: list[Seat]
    """The seats at the creation."""

    timeControl: NotRequired[TimeControl]
    """The time control. Not set for a game without one."""


class GameCreatedForkedFrom(TypedDict):
    """ForkedFrom identifies a position of another game."""

    gameId: str
    """The id of the other game."""

    version: int
    """The version of the other game."""


class GameFinished(TypedDict):
    """GameFinished records the end of a game."""

    outcome: Outcome
    """The winner and the kind of ending."""

    score: Score
    """The score at the end, without awarded empty cells."""


class GameOver(TypedDict):
    """GameOver announces that a game ended."""

    gameId: str
    """The id of the game."""

    outcome: NotRequired[Outcome]
    """The outcome. Not set for an aborted game."""

    version: int
    """The version of the game."""


class GameStarted(TypedDict):
    """GameStarted records the start of a game."""

    turn: Side
    """The side that moves first."""


class GetGameResponse(TypedDict):
    """GetGameResponse is the response of GetGame."""

    game: Game
    """The game."""


class GetMeResponse(TypedDict):
    """GetMeResponse is the response of GetMe."""

    player: Player
    """The player."""


class GetWebhookResponse(TypedDict):
    """GetWebhookResponse is the response of GetWebhook."""

    webhook: NotRequired[Webhook]
    """The webhook. Not set if the caller has none."""


class Greedy(TypedDict):
    """Greedy chooses the first move in reading order with the most flips."""


class GridCell(TypedDict):
    """GridCell is the content of a cell of a grid."""

    card: NotRequired[Card]
    """The card on the cell."""

    empty: NotRequired[bool]
    """Always true: the cell is an empty card cell."""

    hole: NotRequired[bool]
    """Always true: the cell is a hole."""

    owner: Side
    """The owner of the card; SIDE_UNSPECIFIED for a cell without a card."""


class Heartbeat(TypedDict):
    """Heartbeat shows that the stream is alive."""


class HexCell(TypedDict):
    """HexCell holds axial coordinates. (0, 0) is the centre of the board."""

    q: int
    """The coordinate that grows to the right along a row: -n to n on a board of n rings."""

    r: int
    """The coordinate that grows downwards: -n (the top row) to n on a board of n rings."""

    s: NotRequired[int]
    """
    The third cube coordinate. Optional in a request, where q + r + s must be 0. Never set in a
    response.
    """


class HexCellInput(TypedDict):
    """HexCell holds axial coordinates. (0, 0) is the centre of the board."""

    q: NotRequired[int]
    """The coordinate that grows to the right along a row: -n to n on a board of n rings."""

    r: NotRequired[int]
    """The coordinate that grows downwards: -n (the top row) to n on a board of n rings."""

    s: NotRequired[int]
    """
    The third cube coordinate. Optional in a request, where q + r + s must be 0. Never set in a
    response.
    """


class HexagonBoard(TypedDict):
    """HexagonBoard is a board of hexagonal cells in rings around a centre cell."""

    rings: int
    """The number of rings around the centre cell, 1 to 12. Default (0): 5."""


class HexagonBoardInput(TypedDict):
    """HexagonBoard is a board of hexagonal cells in rings around a centre cell."""

    rings: NotRequired[int]
    """The number of rings around the centre cell, 1 to 12. Default (0): 5."""


class JoinGameRequest(TypedDict):
    """JoinGameRequest is the request of JoinGame."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    side: NotRequired[Side]
    """The side to take. Default: the first open seat."""


class JoinGameResponse(TypedDict):
    """JoinGameResponse is the response of JoinGame."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class LeastExposed(TypedDict):
    """LeastExposed chooses the cell and the card that the fewest cards of the opponent could beat."""


class LegalMove(TypedDict):
    """LegalMove is a legal move and the flips it would cause."""

    flipCount: int
    """The number of discs or cards that would flip, in all waves."""

    flips: list[Flip]
    """The flips: wave by wave, in reading order inside a wave."""

    move: Move
    """The move."""

    notation: str
    """The move in notation."""


class Line(TypedDict):
    """Line is a line of play and its score."""

    exact: bool
    """Whether `score` is proved, by a search of every line to the end of the game."""

    principalVariation: list[str]
    """The moves in notation."""

    score: int
    """The expected difference in discs or cards, for the side to move."""


class ListEventsResponse(TypedDict):
    """ListEventsResponse is the response of ListEvents."""

    events: list[Event]
    """The events, the oldest first."""

    nextPageToken: str
    """The `pageToken` of the next page. Empty on the last page."""


class ListGamesResponse(TypedDict):
    """ListGamesResponse is the response of ListGames."""

    games: list[Game]
    """The games, the newest first."""

    nextPageToken: str
    """The `pageToken` of the next page. Empty on the last page."""


class ListLegalMovesResponse(TypedDict):
    """ListLegalMovesResponse is the response of ListLegalMoves."""

    moves: list[LegalMove]
    """The moves."""

    nextPageToken: str
    """The `pageToken` of the next page. Empty on the last page."""

    version: int
    """The version of the game to which the moves belong."""


class ListPositionMovesRequest(TypedDict):
    """ListPositionMovesRequest is the request of ListPositionMoves."""

    afterMove: NotRequired[str]
    """
    The notation of a move to play in the position first, as in PlayMove, at most 256 characters.
    The response has the position after it and the moves of that position. Default: none.
    """

    card: NotRequired[str]
    """The name of a card of the game that the listed moves play, at most 256 characters. Default: any."""

    pageSize: NotRequired[int]
    """
    The largest number of moves in the page, 0 to 1000; larger values mean 1000. Default (0): 100.
    A page has at most 1 MiB of moves in the protobuf encoding, but at least one.
    """

    pageToken: NotRequired[str]
    """
    The `nextPageToken` of the previous page, at most 256 characters. It continues the same list:
    the other fields but `pageSize` must be unchanged. Default: the first page.
    """

    position: PositionInput
    """Required. The position. Only its notation is needed."""

    side: NotRequired[Side]
    """The side whose moves to list. Default: the side to move."""


class ListPositionMovesResponse(TypedDict):
    """ListPositionMovesResponse is the response of ListPositionMoves."""

    moves: list[LegalMove]
    """The moves."""

    nextPageToken: str
    """The `pageToken` of the next page. Empty on the last page."""

    position: Position
    """The position, after `afterMove` if the request has one, with its layout for drawing."""


class ListStrategiesResponse(TypedDict):
    """ListStrategiesResponse is the response of ListStrategies."""

    strategies: list[StrategyInfo]
    """All strategies, the simplest first."""


class MatchGame(TypedDict):
    """MatchGame is the complete record of a game."""

    firstSide: Side
    """The side of the strategy `first`."""

    forfeit: NotRequired[MatchGameForfeit]
    """The end of a game that a provider lost without a legal move. Not set for other games."""

    moves: list[str]
    """All moves in notation."""

    number: int
    """
    The number of the game, from 1 in the order of the starts. Games 1 and 2, 3 and 4 and so on are
    pairs.
    """

    openingPlies: int
    """The number of random moves at the start."""

    score: Score
    """The score at the end, without awarded empty cells."""

    start: str
    """The notation of the position at the start."""

    winner: Side
    """The winner; SIDE_UNSPECIFIED for a draw."""


class MatchGameForfeit(TypedDict):
    """Forfeit describes the failure of a provider."""

    message: str
    """The failure in English, for people."""

    reason: MatchGameReason
    """The reason."""

    side: Side
    """The side that lost."""


class MatchSummary(TypedDict):
    """MatchSummary is the result of a match so far, as seen by the strategy `first`."""

    draws: int
    """The number of games drawn."""

    elo: float
    """
    The strength of `first` minus that of `second`, in Elo. If one of them won every game, the
    rating assumes that it lost half a point.
    """

    eloError: float
    """Half the width of the 95 % confidence interval around `elo`, in Elo."""

    final: bool
    """Whether the match is over."""

    firstForfeits: int
    """The number of lost games that the provider of `first` forfeited."""

    llr: float
    """The log-likelihood ratio of the test `sprt`. 0 without a test."""

    losses: int
    """The number of games lost."""

    secondForfeits: int
    """The number of won games that the provider of `second` forfeited."""

    wins: int
    """The number of games won."""


class MaxCapture(TypedDict):
    """MaxCapture keeps the moves with the most flips."""


class Minimax(TypedDict):
    """
    Minimax plays each move, counts the replies that `assumed` considers best, and keeps the moves
    with the smallest count.
    """

    assumed: Strategy
    """Required. The assumed strategy of the opponent. Strategies nest at most 8 deep."""


class MinimaxInput(TypedDict):
    """
    Minimax plays each move, counts the replies that `assumed` considers best, and keeps the moves
    with the smallest count.
    """

    assumed: StrategyInput
    """Required. The assumed strategy of the opponent. Strategies nest at most 8 deep."""


class MostFlips(TypedDict):
    """MostFlips chooses the cell and the card with the most flips."""


class Move(TypedDict):
    """Move is one turn of a player."""

    passTurn: NotRequired[MovePassTurn]
    """Pass the turn to the opponent (Reversi)."""

    place: NotRequired[MovePlace]
    """Place a disc (Reversi)."""

    playCard: NotRequired[MovePlayCard]
    """Play a card from the hand (Three Trios)."""


class MoveInput(TypedDict):
    """Move is one turn of a player."""

    passTurn: NotRequired[MovePassTurn]
    """Pass the turn to the opponent (Reversi)."""

    place: NotRequired[MovePlaceInput]
    """Place a disc (Reversi)."""

    playCard: NotRequired[MovePlayCardInput]
    """Play a card from the hand (Three Trios)."""


class MovePassTurn(TypedDict):
    """PassTurn passes the turn to the opponent."""


class MovePlace(TypedDict):
    """Place places a disc on an empty cell."""

    cell: Cell
    """Required. The cell."""


class MovePlaceInput(TypedDict):
    """Place places a disc on an empty cell."""

    cell: CellInput
    """Required. The cell."""


class MovePlayCard(TypedDict):
    """PlayCard plays a card from the hand on an empty card cell."""

    card: str
    """Required. The name of the card, at most 256 characters."""

    cell: Cell
    """Required. The cell."""


class MovePlayCardInput(TypedDict):
    """PlayCard plays a card from the hand on an empty card cell."""

    card: str
    """Required. The name of the card, at most 256 characters."""

    cell: CellInput
    """Required. The cell."""


class MovePlayed(TypedDict):
    """MovePlayed records a move and its result. A pass is a move."""

    analysis: NotRequired[Analysis]
    """The analysis of the robot that moved. Not set for other players."""

    automatic: bool
    """
    Whether the server made the move: because the side had no placement (`autoPass`), or because a
    robot's strategy failed.
    """

    flips: list[Flip]
    """The flips: wave by wave, in reading order inside a wave."""

    move: Move
    """The move."""

    notation: str
    """The move in notation."""

    position: Position
    """The position after the move."""

    score: Score
    """The score after the move."""

    side: Side
    """The side that moved."""

    substitute: NotRequired[Substitute]
    """
    The reason why the server played a simple move for a robot. Not set for other moves: an
    automatic pass has none.
    """


class MovesTakenBack(TypedDict):
    """MovesTakenBack records a takeback."""

    position: Position
    """The position after the takeback."""

    score: Score
    """The score after the takeback."""

    side: Side
    """The side that made the offer. It is to move."""

    toVersion: int
    """The version to which the position and the clocks return. Versions still grow."""


class Offer(TypedDict):
    """Offer is a proposal of one side, which the other side can accept or decline."""

    kind: OfferKind
    """The subject of the offer."""

    side: Side
    """The side that made the offer."""


class OfferDeclined(TypedDict):
    """OfferDeclined records that a side declined the opponent's offer, or withdrew its own."""

    kind: OfferKind
    """The subject of the offer."""

    side: Side
    """The side that declined or withdrew the offer."""


class OfferMade(TypedDict):
    """OfferMade records an offer that the opponent can accept."""

    kind: OfferKind
    """The subject of the offer."""

    side: Side
    """The side that made the offer."""


class OfferRequest(TypedDict):
    """OfferRequest is the request of Offer."""

    kind: OfferKind
    """Required. The subject of the offer."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    side: NotRequired[Side]
    """The side that makes or accepts the offer. Required if the caller holds both seats."""


class OfferResponse(TypedDict):
    """OfferResponse is the response of Offer."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class Outcome(TypedDict):
    """Outcome is the winner of a finished game and the kind of its ending."""

    draw: bool
    """Whether the game is a draw."""

    ending: Ending
    """The kind of ending."""

    winner: Side
    """The winner; SIDE_UNSPECIFIED for a draw."""


class Parameter(TypedDict):
    """Parameter describes a parameter of a strategy."""

    default: str
    """The default. Empty for a required parameter."""

    maximum: str
    """The largest value, as in JSON. Empty without a largest value."""

    minimum: str
    """The smallest value, as in JSON. Empty without a smallest value."""

    name: str
    """The name of its field in lowerCamel."""

    summary: str
    """The meaning of the parameter, in one sentence."""

    values: list[str]
    """The allowed values of an enum."""


class PlayMatchRequest(TypedDict):
    """PlayMatchRequest is the request of PlayMatch."""

    first: StrategyInput
    """Required. The strategy whose results the summary counts."""

    firstOptions: NotRequired[dict[str, object]]
    """The options for the provider of `first`, as in ChooseMoveRequest. Default: none."""

    firstProvider: NotRequired[str]
    """
    The Strategy service that chooses the moves of `first`, by the name in the server's
    configuration, at most 64 characters. Default: the service of this server.
    """

    games: NotRequired[int]
    """The number of games, 1 to 100,000. Default (0): 100."""

    openingPlies: NotRequired[int]
    """The number of random moves at the start of each pair of games, 0 to 60. Default: 0."""

    parallel: NotRequired[int]
    """
    The number of games to play at the same time, 1 to 256, at most the number of the server's
    cores. Default (0): the number of cores.
    """

    second: StrategyInput
    """Required. The strategy of the opponent."""

    secondOptions: NotRequired[dict[str, object]]
    """The options for the provider of `second`, as in ChooseMoveRequest. Default: none."""

    secondProvider: NotRequired[str]
    """The Strategy service that chooses the moves of `second`, as `firstProvider`."""

    seed: NotRequired[str]
    """
    The seed for openings, deals and choices among equally good moves. 0 chooses the first good
    move. The same seed gives the same games if the strategies are limited by depth or nodes and
    use one thread.
    """

    setup: SetupInput
    """Required. The setup of the games. Without `shuffleSeed`, each pair of games gets another deal."""

    sprt: NotRequired[PlayMatchRequestSprt]
    """The test that can end the match early. Default: none."""


class PlayMatchRequestSprt(TypedDict):
    """
    Sprt is a sequential probability ratio test between two hypotheses about the strength of
    `first` compared with `second`.
    """

    alpha: NotRequired[float]
    """The accepted probability of a wrong decision for `elo1`, below 0.5. Default (0): 0.05."""

    beta: NotRequired[float]
    """The accepted probability of a wrong decision for `elo0`, below 0.5. Default (0): 0.05."""

    elo0: NotRequired[float]
    """The smaller difference in Elo, -1000 to 1000."""

    elo1: NotRequired[float]
    """The greater difference in Elo, -1000 to 1000."""


class PlayMatchResponse(TypedDict):
    """PlayMatchResponse is a message of a match."""

    game: NotRequired[MatchGame]
    """A finished game."""

    summary: NotRequired[MatchSummary]
    """The result so far."""


class PlayMatchResponseLine(TypedDict):
    """One line of the stream: a message, or the error that ended the stream."""

    error: NotRequired[Status]

    result: NotRequired[PlayMatchResponse]


class PlayMoveRequest(TypedDict):
    """PlayMoveRequest is the request of PlayMove."""

    expectedVersion: NotRequired[int]
    """
    The version that the game must have. At another version, the call fails with VERSION_MISMATCH.
    Default (0): any.
    """

    move: NotRequired[MoveInput]
    """The move. Required unless `notation` is set; set only one of them."""

    notation: NotRequired[str]
    """
    The move in notation, such as `d3`, `-1,2`, `pass` or `knight@0,2`, at most 256 characters. On
    squares `pa`, `ps`, `--` and `@@` are a pass too.
    Required unless `move` is set.
    """

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""


class PlayMoveResponse(TypedDict):
    """PlayMoveResponse is the response of PlayMove."""

    event: Event
    """The event of the caller's move."""

    game: Game
    """The game after the move and after any automatic pass."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class Player(TypedDict):
    """Player is a person or a program that plays games."""

    createTime: str
    """The time of the creation."""

    displayName: str
    """The name for other players to see."""

    id: str
    """The id, a lower-case ULID."""


class Position(TypedDict):
    """
    Position is one state of a game. A request needs only `notation`; the server ignores the other
    fields, so that a client can send back a position from any response.
    """

    notation: str
    """Required. The position as one line of text, at most 65,536 characters."""

    reversi: NotRequired[ReversiPosition]
    """The board of a game of Reversi."""

    threeTrios: NotRequired[ThreeTriosPosition]
    """The grid and the hands of a game of Three Trios."""


class PositionInput(TypedDict):
    """
    Position is one state of a game. A request needs only `notation`; the server ignores the other
    fields, so that a client can send back a position from any response.
    """

    notation: str
    """Required. The position as one line of text, at most 65,536 characters."""

    reversi: NotRequired[ReversiPosition]
    """The board of a game of Reversi."""

    threeTrios: NotRequired[ThreeTriosPosition]
    """The grid and the hands of a game of Three Trios."""


class PreviewGameResponse(TypedDict):
    """PreviewGameResponse is the response of PreviewGame."""

    description: str
    """
    What a visitor can do, such as "Watch this game live."
    """

    picture: str
    """A PNG of the board, 1200 by 630 pixels. Empty unless the request asks for it."""

    title: str
    """
    The game, the side to move or the winner, and the score, such as "Reversi: Black to move. Black
    17, White 23."
    """


class RematchCreated(TypedDict):
    """RematchCreated records that both sides agreed to a rematch."""

    gameId: str
    """The id of the rematch."""


class ResignRequest(TypedDict):
    """ResignRequest is the request of Resign."""

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    side: NotRequired[Side]
    """The side that resigns. Required if the caller holds both seats."""


class ResignResponse(TypedDict):
    """ResignResponse is the response of Resign."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class ReversiPosition(TypedDict):
    """ReversiPosition is a board of Reversi."""

    corners: list[Cell]
    """The corner cells, in reading order."""

    rows: list[str]
    """
    One string for each row from the top, one letter for each cell: `X` black, `O` white, `_`
    empty.
    """


class ReversiSetup(TypedDict):
    """ReversiSetup describes a game of Reversi."""

    autoPass: bool
    """Whether the server passes for a side that has no placement."""

    emptiesToWinner: NotRequired[bool]
    """
    Whether the final score includes the empty cells: the winner gets them, in a draw each side
    gets half. Default: no.
    """

    hexagon: NotRequired[HexagonBoard]
    """A hexagonal board."""

    minFlips: int
    """The least number of discs that a placement must flip, 1 to 64. Default (0): 1."""

    passRule: PassRule
    """
    The rule for passes and for the end of the game. Default: PASS_RULE_VOLUNTARY on hexagons,
    PASS_RULE_FORCED on squares.
    """

    square: NotRequired[SquareBoard]
    """A square board."""

    startFrom: str
    """
    The notation of the position to start from, at most 1,024 characters. The other fields must
    agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: the usual
    start of the board.
    """


class ReversiSetupInput(TypedDict):
    """ReversiSetup describes a game of Reversi."""

    autoPass: NotRequired[bool]
    """Whether the server passes for a side that has no placement."""

    emptiesToWinner: NotRequired[bool]
    """
    Whether the final score includes the empty cells: the winner gets them, in a draw each side
    gets half. Default: no.
    """

    hexagon: NotRequired[HexagonBoardInput]
    """A hexagonal board."""

    minFlips: NotRequired[int]
    """The least number of discs that a placement must flip, 1 to 64. Default (0): 1."""

    passRule: NotRequired[PassRule]
    """
    The rule for passes and for the end of the game. Default: PASS_RULE_VOLUNTARY on hexagons,
    PASS_RULE_FORCED on squares.
    """

    square: NotRequired[SquareBoardInput]
    """A square board."""

    startFrom: NotRequired[str]
    """
    The notation of the position to start from, at most 1,024 characters. The other fields must
    agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: the usual
    start of the board.
    """


class Robot(TypedDict):
    """Robot is a strategy that holds a seat."""

    options: NotRequired[dict[str, object]]
    """
    The options for the provider, which gets them with each request for a move: at most 4 KiB in the
    protobuf encoding, objects and lists nested at most 8 deep. The service of this server ignores
    them. All callers who can see the game can read them. Default: none.
    """

    provider: str
    """
    The Strategy service that runs the strategy, by the name in the server's configuration, at most
    64 characters. Default: the service of this server.
    """

    seed: str
    """
    The seed for a random choice among equally good moves. The same seed gives the same choice.
    Default (0): the first move in reading order, and for a skill other errors in each game.
    """

    strategy: Strategy
    """Required. The strategy that chooses its moves."""


class RobotChanged(TypedDict):
    """
    RobotChanged records that a robot got another strategy, or took the seat of a player who did not
    move in time.
    """

    replaced: NotRequired[Seat]
    """
    The former seat of the player who ran out of time or was absent. Not set if a robot held the
    seat before.
    """

    robot: Robot
    """The robot with its new strategy."""

    side: Side
    """The side of the robot."""


class RobotDelayed(TypedDict):
    """RobotDelayed reports that a robot's strategy failed and will be retried."""

    attempt: int
    """The number of failed attempts, from 1."""

    retryTime: str
    """The time of the next attempt."""

    side: Side
    """The side of the robot."""


class RobotInput(TypedDict):
    """Robot is a strategy that holds a seat."""

    options: NotRequired[dict[str, object]]
    """
    The options for the provider, which gets them with each request for a move: at most 4 KiB in the
    protobuf encoding, objects and lists nested at most 8 deep. The service of this server ignores
    them. All callers who can see the game can read them. Default: none.
    """

    provider: NotRequired[str]
    """
    The Strategy service that runs the strategy, by the name in the server's configuration, at most
    64 characters. Default: the service of this server.
    """

    seed: NotRequired[str]
    """
    The seed for a random choice among equally good moves. The same seed gives the same choice.
    Default (0): the first move in reading order, and for a skill other errors in each game.
    """

    strategy: StrategyInput
    """Required. The strategy that chooses its moves."""


class RobotThinking(TypedDict):
    """
    RobotThinking reports the progress of a robot's search, at most twice a second. A client may miss
    such messages. The event of the move has the final analysis.
    """

    analysis: Analysis
    """
    The result of the search at the last finished depth, without its lines. Its time is the time
    until that depth was finished.
    """

    side: Side
    """The side of the robot."""


class RotateKeyRequest(TypedDict):
    """RotateKeyRequest is the request of RotateKey."""


class RotateKeyResponse(TypedDict):
    """RotateKeyResponse is the response of RotateKey."""

    key: str
    """The new secret key. No other response contains it."""

    player: Player
    """The player."""


class Score(TypedDict):
    """
    Score counts the pieces of each side: discs in Reversi; cards on the grid and in hand in Three
    Trios.
    """

    first: int
    """The pieces of SIDE_FIRST."""

    second: int
    """The pieces of SIDE_SECOND."""


class SearchMoveRequest(TypedDict):
    """SearchMoveRequest is the request of SearchMove."""

    clock: NotRequired[Clock]
    """
    The clock of the game. Not set in a game without a time limit. The deadline of the call is the
    limit for this move.
    """

    gameId: NotRequired[str]
    """
    The id of the game for which a robot moves: at most 64 letters, digits and `-._~`. Default:
    no game. The engine uses it to think while the opponent does, if the operator allows that. The
    strategies of this server ignore the following fields: they are for a provider.
    """

    options: NotRequired[dict[str, object]]
    """
    The options of the robot, as the creator of the game has set them: at most 4 KiB in the protobuf
    encoding, objects and lists nested at most 8 deep. Default: none.
    """

    position: PositionInput
    """Required. The position. Only its notation is needed."""

    seed: NotRequired[str]
    """
    The seed for a random choice among equally good moves. The same seed gives the same choice.
    Default (0): the first move in reading order.
    """

    side: NotRequired[Side]
    """The side of the robot, which is the side to move. Default: no game."""

    strategy: StrategyInput
    """Required. The strategy that chooses."""


class SearchMoveResponse(TypedDict):
    """SearchMoveResponse is a message of a search for a move."""

    choice: NotRequired[ChooseMoveResponse]
    """The chosen move, as ChooseMove returns it. It is the last message."""

    progress: NotRequired[Analysis]
    """The result of the search at the last finished depth."""


class SearchMoveResponseLine(TypedDict):
    """One line of the stream: a message, or the error that ended the stream."""

    error: NotRequired[Status]

    result: NotRequired[SearchMoveResponse]


class Seat(TypedDict):
    """Seat is a side of a game and its holder. In a request, a missing seat is open."""

    open: NotRequired[SeatOpen]
    """No player yet."""

    player: NotRequired[SeatSeatedPlayer]
    """A player. A player other than the caller is invited: the seat is reserved until they accept."""

    robot: NotRequired[Robot]
    """A robot."""

    side: Side
    """Output only. The side. A request may repeat it, but the order of the seats determines it."""


class SeatCaller(TypedDict):
    """Caller stands for the player who makes the call."""


class SeatInput(TypedDict):
    """Seat is a side of a game and its holder. In a request, a missing seat is open."""

    caller: NotRequired[SeatCaller]
    """Input only. The caller, who can hold both seats."""

    open: NotRequired[SeatOpen]
    """No player yet."""

    player: NotRequired[SeatSeatedPlayerInput]
    """A player. A player other than the caller is invited: the seat is reserved until they accept."""

    robot: NotRequired[RobotInput]
    """A robot."""

    side: NotRequired[Side]
    """Output only. The side. A request may repeat it, but the order of the seats determines it."""


class SeatOpen(TypedDict):
    """Open marks a seat without a player."""


class SeatSeatedPlayer(TypedDict):
    """SeatedPlayer is a player who holds a seat."""

    displayName: str
    """Output only. The display name of the player."""

    invited: bool
    """
    Output only. Whether the seat is reserved for the player, who has not accepted yet. They accept
    with JoinGame and decline with AbortGame.
    """

    playerId: str
    """Required. The id of the player: at most 64 letters, digits and `-._~`."""


class SeatSeatedPlayerInput(TypedDict):
    """SeatedPlayer is a player who holds a seat."""

    displayName: NotRequired[str]
    """Output only. The display name of the player."""

    invited: NotRequired[bool]
    """
    Output only. Whether the seat is reserved for the player, who has not accepted yet. They accept
    with JoinGame and decline with AbortGame.
    """

    playerId: str
    """Required. The id of the player: at most 64 letters, digits and `-._~`."""


class SeatTaken(TypedDict):
    """SeatTaken records that a player took an open seat."""

    seat: Seat
    """The seat with its player."""


class SetRobotRequest(TypedDict):
    """SetRobotRequest is the request of SetRobot."""

    options: NotRequired[dict[str, object]]
    """The options for the provider, as in Robot. Default: none."""

    provider: NotRequired[str]
    """
    The Strategy service that runs the strategy, as in Robot, at most 64 characters. Default: the
    service of this server.
    """

    requestId: NotRequired[str]
    """A UUID that makes a retry of this call safe."""

    seed: NotRequired[str]
    """The seed for a random choice among equally good moves, as in Robot."""

    side: NotRequired[Side]
    """The side of the robot. Required if both seats have robots."""

    strategy: StrategyInput
    """Required. The new strategy."""


class SetRobotResponse(TypedDict):
    """SetRobotResponse is the response of SetRobot."""

    game: Game
    """The game after the change."""

    replayed: bool
    """Whether this is the response to an earlier call with the same request id."""


class SetWebhookRequest(TypedDict):
    """SetWebhookRequest is the request of SetWebhook."""

    newSecret: NotRequired[bool]
    """Whether to replace the secret of the signatures. A new webhook gets a secret in any case."""

    url: str
    """
    Required. The URL to send requests to, at most 2048 characters: https, without a user name and
    without a fragment. A host in a private network is rejected unless the operator allows it.
    """


class SetWebhookResponse(TypedDict):
    """SetWebhookResponse is the response of SetWebhook."""

    secret: str
    """The secret of the signatures, such as `whsec_…`. GetWebhook does not return it."""

    webhook: Webhook
    """The webhook."""


class Setup(TypedDict):
    """
    Setup describes a game to start: its board or cards and its rules. In a request, a missing field
    has the default in its comment. In a response, every field is set, except that a game from a
    position has no `start` of a square board.
    """

    reversi: NotRequired[ReversiSetup]
    """Reversi."""

    threeTrios: NotRequired[ThreeTriosSetup]
    """Three Trios."""


class SetupInput(TypedDict):
    """
    Setup describes a game to start: its board or cards and its rules. In a request, a missing field
    has the default in its comment. In a response, every field is set, except that a game from a
    position has no `start` of a square board.
    """

    reversi: NotRequired[ReversiSetupInput]
    """Reversi."""

    threeTrios: NotRequired[ThreeTriosSetupInput]
    """Three Trios."""


class SmallestReply(TypedDict):
    """
    SmallestReply guesses the strategy of the opponent and chooses the move after which its reply has
    the fewest flips. It plays on at most 25 card cells. On larger grids it fails with
    BUDGET_EXCEEDED and cannot be a robot.
    """


class SquareBoard(TypedDict):
    """SquareBoard is a square board."""

    side: int
    """The number of cells along one side, even, 4 to 16. Default (0): 8."""

    start: Start
    """
    The pattern of the discs at the start. In a response, it is START_UNSPECIFIED if the game starts
    from a position: `startFrom` has its discs. Default: START_STANDARD.
    """


class SquareBoardInput(TypedDict):
    """SquareBoard is a square board."""

    side: NotRequired[int]
    """The number of cells along one side, even, 4 to 16. Default (0): 8."""

    start: NotRequired[Start]
    """
    The pattern of the discs at the start. In a response, it is START_UNSPECIFIED if the game starts
    from a position: `startFrom` has its discs. Default: START_STANDARD.
    """


class SquareCell(TypedDict):
    """SquareCell holds a row and a column."""

    column: int
    """The column, counted from 0 at the left."""

    row: int
    """The row, counted from 0 at the top."""


class SquareCellInput(TypedDict):
    """SquareCell holds a row and a column."""

    column: NotRequired[int]
    """The column, counted from 0 at the left."""

    row: NotRequired[int]
    """The row, counted from 0 at the top."""


class Status(TypedDict):
    """An error. Programs use `code` and the `reason` in `details`; the message is for people."""

    code: int
    """The number of the gRPC code: 3 for INVALID_ARGUMENT and so on."""

    details: list[ErrorDetail]
    """The description of the error for programs."""

    message: str
    """The description of the error for people."""


class Strategy(TypedDict):
    """
    Strategy is a strategy and its parameters. A strategy that does not play the game of the position
    fails with INVALID_FIELD. ListStrategies returns the games of each strategy. A strategy with all
    strategies inside has at most 512 bytes in the protobuf encoding; a larger one fails with
    INVALID_FIELD.
    """

    alphaBeta: NotRequired[AlphaBeta]
    """Every game: an alpha-beta search for the best difference in discs or cards."""

    avoidNextToCorners: NotRequired[AvoidNextToCorners]
    """Reversi: all cells except those next to a corner."""

    corners: NotRequired[Corners]
    """Three Trios: the corner where the card is hardest to flip."""

    engine: NotRequired[Engine]
    """Every game: the strongest search."""

    greedy: NotRequired[Greedy]
    """Reversi: the first move in reading order with the most flips."""

    leastExposed: NotRequired[LeastExposed]
    """Three Trios: the cell where the fewest cards of the opponent could flip the card."""

    level: NotRequired[Level]
    """Every game: a ready-made opponent of some strength."""

    maxCapture: NotRequired[MaxCapture]
    """Reversi: the moves with the most flips."""

    minimax: NotRequired[Minimax]
    """Reversi: the moves that leave the opponent the fewest good replies."""

    mostFlips: NotRequired[MostFlips]
    """Three Trios: the move with the most flips."""

    skill: NotRequired[int]
    """
    Every game: a strength for people, from 1, a beginner, to 20. Weak players overlook moves and
    misjudge them; strong ones search further. Each seed gives other errors. A robot waits up to
    2.5 s before it moves, longer if it has more choices, and less if its clock is short.
    """

    smallestReply: NotRequired[SmallestReply]
    """Three Trios: the move with the fewest flips by the expected reply."""

    takeCorners: NotRequired[TakeCorners]
    """Reversi: the corner cells."""

    tryTwo: NotRequired[TryTwo]
    """Reversi: one strategy, refined or replaced by another."""


class StrategyInfo(TypedDict):
    """StrategyInfo describes a strategy."""

    games: list[GameKind]
    """The games that it plays."""

    name: str
    """The name of its field in Strategy in lowerCamel, such as `maxCapture` or `level`."""

    parameters: list[Parameter]
    """The parameters of the strategy."""

    summary: str
    """The behaviour of the strategy, in one sentence."""


class StrategyInput(TypedDict):
    """
    Strategy is a strategy and its parameters. A strategy that does not play the game of the position
    fails with INVALID_FIELD. ListStrategies returns the games of each strategy. A strategy with all
    strategies inside has at most 512 bytes in the protobuf encoding; a larger one fails with
    INVALID_FIELD.
    """

    alphaBeta: NotRequired[AlphaBetaInput]
    """Every game: an alpha-beta search for the best difference in discs or cards."""

    avoidNextToCorners: NotRequired[AvoidNextToCorners]
    """Reversi: all cells except those next to a corner."""

    corners: NotRequired[Corners]
    """Three Trios: the corner where the card is hardest to flip."""

    engine: NotRequired[EngineInput]
    """Every game: the strongest search."""

    greedy: NotRequired[Greedy]
    """Reversi: the first move in reading order with the most flips."""

    leastExposed: NotRequired[LeastExposed]
    """Three Trios: the cell where the fewest cards of the opponent could flip the card."""

    level: NotRequired[Level]
    """Every game: a ready-made opponent of some strength."""

    maxCapture: NotRequired[MaxCapture]
    """Reversi: the moves with the most flips."""

    minimax: NotRequired[MinimaxInput]
    """Reversi: the moves that leave the opponent the fewest good replies."""

    mostFlips: NotRequired[MostFlips]
    """Three Trios: the move with the most flips."""

    skill: NotRequired[int]
    """
    Every game: a strength for people, from 1, a beginner, to 20. Weak players overlook moves and
    misjudge them; strong ones search further. Each seed gives other errors. A robot waits up to
    2.5 s before it moves, longer if it has more choices, and less if its clock is short.
    """

    smallestReply: NotRequired[SmallestReply]
    """Three Trios: the move with the fewest flips by the expected reply."""

    takeCorners: NotRequired[TakeCorners]
    """Reversi: the corner cells."""

    tryTwo: NotRequired[TryTwoInput]
    """Reversi: one strategy, refined or replaced by another."""


class Substitute(TypedDict):
    """
    Substitute explains a move that the server played for a robot, because the robot's Strategy
    service gave no usable move.
    """

    provider: str
    """The name of the Strategy service, as in Robot. Empty for the service of this server."""

    reason: SubstituteReason
    """The reason."""


class TakeCorners(TypedDict):
    """TakeCorners keeps the corner cells. It can keep no move."""


class ThreeTriosPosition(TypedDict):
    """ThreeTriosPosition is a grid of Three Trios and both hands."""

    cells: list[GridCell]
    """All rows * columns cells in reading order: row by row from the top, each from the left."""

    columns: int
    """The number of columns, 1 to 16."""

    hands: ThreeTriosPositionHands
    """The cards in hand."""

    rows: int
    """The number of rows, 1 to 16."""


class ThreeTriosPositionHands(TypedDict):
    """Hands holds both hands. Every viewer of the game sees them."""

    first: list[Card]
    """Red's cards. The index in this list is the hand index."""

    second: list[Card]
    """Blue's cards. The index in this list is the hand index."""


class ThreeTriosSetup(TypedDict):
    """ThreeTriosSetup describes a game of Three Trios. Default: a built-in game on 3 by 3 cells."""

    countOwnCards: NotRequired[bool]
    """Whether neighbours that the mover owns count for RULE_SAME and RULE_PLUS. Default: no."""

    deck: str
    """
    The deck file, at most 65,536 characters: one card on each line, `name north south east west`,
    with values 1 to 10 or `A` for 10. It needs at least one card more than the grid has card
    cells. Default: the built-in deck.
    """

    grid: str
    """
    The grid file, at most 512 characters: the numbers of rows and columns (1 to 16 each) on the
    first line, then one line for each row of `C` (card cell) and `X` (hole). The number of card
    cells is odd. Default: the built-in grid.
    """

    rules: list[Rule]
    """
    The rules in force, at most 16 entries. Repeated rules count once. RULE_DEFAULT is in force
    unless RULE_REVERSE is, whether the list has it or not; a response lists it.
    """

    shuffleSeed: NotRequired[str]
    """
    The seed for a shuffle of the deck before the deal. The same seed gives the same order.
    Default: no shuffle.
    """

    startFrom: str
    """
    The notation of the position to start from, at most 65,536 characters. The other fields must
    agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: a deal.
    """


class ThreeTriosSetupInput(TypedDict):
    """ThreeTriosSetup describes a game of Three Trios. Default: a built-in game on 3 by 3 cells."""

    countOwnCards: NotRequired[bool]
    """Whether neighbours that the mover owns count for RULE_SAME and RULE_PLUS. Default: no."""

    deck: NotRequired[str]
    """
    The deck file, at most 65,536 characters: one card on each line, `name north south east west`,
    with values 1 to 10 or `A` for 10. It needs at least one card more than the grid has card
    cells. Default: the built-in deck.
    """

    grid: NotRequired[str]
    """
    The grid file, at most 512 characters: the numbers of rows and columns (1 to 16 each) on the
    first line, then one line for each row of `C` (card cell) and `X` (hole). The number of card
    cells is odd. Default: the built-in grid.
    """

    rules: NotRequired[list[Rule]]
    """
    The rules in force, at most 16 entries. Repeated rules count once. RULE_DEFAULT is in force
    unless RULE_REVERSE is, whether the list has it or not; a response lists it.
    """

    shuffleSeed: NotRequired[str]
    """
    The seed for a shuffle of the deck before the deal. The same seed gives the same order.
    Default: no shuffle.
    """

    startFrom: NotRequired[str]
    """
    The notation of the position to start from, at most 65,536 characters. The other fields must
    agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: a deal.
    """


class TimeControl(TypedDict):
    """
    TimeControl limits the time of the players. A request sets at least one of `limit` and
    `claimAfter`.

    The clock of a side runs in its own turns: from the event that gives it the turn to the event
    that ends the turn. A pass that the server makes for a side (`autoPass`) takes no time. A
    robot's clock runs like any other, and a robot moves before its time is up. A move is in time
    until the deadline plus a short lag grace, which the operator of the server sets (1 s by
    default). When the time is up, the server applies `onAbsence`, even if no client is connected.
    Time in which no server process serves does not count, unless the operator has set otherwise: it
    moves the deadline and the claim time.
    """

    claimAfter: NotRequired[str]
    """
    The duration of a player's turn, 1 s to 30 days, after which the player counts as absent and
    the opponent can call ClaimAbandonment. Default: no player counts as absent.
    """

    days: NotRequired[int]
    """A time for each move in days, 1 to 30, for correspondence games."""

    fischer: NotRequired[TimeControlFischer]
    """A time for all moves of a side, which grows with each move."""

    onAbsence: NotRequired[AbsencePolicy]
    """The policy for a player whose time is up, or whose absence was claimed. Default: `forfeit`."""

    perMove: NotRequired[str]
    """A time for each move, 1 s to 12 h."""


class TimeControlFischer(TypedDict):
    """Fischer is a time for all moves of a side, plus an increment for each move."""

    increment: NotRequired[str]
    """The time that each move of a side adds to its clock, 0 s to 1 h. Default: 0 s."""

    initial: str
    """Required. The time of each side at the start, 1 s to 24 h."""


class TimeControlFischerInput(TypedDict):
    """Fischer is a time for all moves of a side, plus an increment for each move."""

    increment: NotRequired[str]
    """The time that each move of a side adds to its clock, 0 s to 1 h. Default: 0 s."""

    initial: str
    """Required. The time of each side at the start, 1 s to 24 h."""


class TimeControlInput(TypedDict):
    """
    TimeControl limits the time of the players. A request sets at least one of `limit` and
    `claimAfter`.

    The clock of a side runs in its own turns: from the event that gives it the turn to the event
    that ends the turn. A pass that the server makes for a side (`autoPass`) takes no time. A
    robot's clock runs like any other, and a robot moves before its time is up. A move is in time
    until the deadline plus a short lag grace, which the operator of the server sets (1 s by
    default). When the time is up, the server applies `onAbsence`, even if no client is connected.
    Time in which no server process serves does not count, unless the operator has set otherwise: it
    moves the deadline and the claim time.
    """

    claimAfter: NotRequired[str]
    """
    The duration of a player's turn, 1 s to 30 days, after which the player counts as absent and
    the opponent can call ClaimAbandonment. Default: no player counts as absent.
    """

    days: NotRequired[int]
    """A time for each move in days, 1 to 30, for correspondence games."""

    fischer: NotRequired[TimeControlFischerInput]
    """A time for all moves of a side, which grows with each move."""

    onAbsence: NotRequired[AbsencePolicyInput]
    """The policy for a player whose time is up, or whose absence was claimed. Default: `forfeit`."""

    perMove: NotRequired[str]
    """A time for each move, 1 s to 12 h."""


class TryTwo(TypedDict):
    """
    TryTwo applies `second` to the moves that `first` keeps. If `first` keeps no move, TryTwo applies
    `second` to all moves. If `second` keeps no move of `first`, TryTwo keeps the moves of `first`.
    """

    first: Strategy
    """Required. The strategy to apply first. Strategies nest at most 8 deep."""

    second: Strategy
    """Required. The strategy to apply to the moves that `first` keeps."""


class TryTwoInput(TypedDict):
    """
    TryTwo applies `second` to the moves that `first` keeps. If `first` keeps no move, TryTwo applies
    `second` to all moves. If `second` keeps no move of `first`, TryTwo keeps the moves of `first`.
    """

    first: StrategyInput
    """Required. The strategy to apply first. Strategies nest at most 8 deep."""

    second: StrategyInput
    """Required. The strategy to apply to the moves that `first` keeps."""


class Turn(TypedDict):
    """Turn is the current turn of a game."""

    claimTime: NotRequired[str]
    """
    The time from which on the opponent can claim that the player is absent. Not set without
    `claimAfter`.
    """

    deadline: NotRequired[str]
    """The time at which the clock of the side to move is up. Not set without a time limit."""

    mustPass: bool
    """Whether pass is the only legal move."""

    side: Side
    """The side to move."""


class TurnNotice(TypedDict):
    """TurnNotice announces that a player is to move in a game."""

    deadline: NotRequired[str]
    """The time at which the clock of the side is up. Not set without a time limit."""

    gameId: str
    """The id of the game."""

    invitation: bool
    """Whether the game waits for the player to accept an invitation."""

    playerId: str
    """The id of the player."""

    side: Side
    """The side to move."""

    version: int
    """The version of the game, to send as `expectedVersion`."""


class WatchGameResponse(TypedDict):
    """WatchGameResponse is a message of a stream of one game."""

    end: NotRequired[End]
    """The end of the stream. It is the last message."""

    event: NotRequired[Event]
    """The next event."""

    heartbeat: NotRequired[Heartbeat]
    """A heartbeat after a time without other messages."""

    heartbeatInterval: NotRequired[str]
    """The longest time without a message on a live stream. Set only in the first message."""

    robotDelayed: NotRequired[RobotDelayed]
    """A robot's strategy failed and will be retried. The log does not contain it."""

    robotThinking: NotRequired[RobotThinking]
    """The progress of the robot that chooses a move. The log does not contain it."""

    snapshot: NotRequired[Game]
    """The current state of the game."""

    time: str
    """The time at which the server sent the message."""

    version: int
    """The version up to which the server has sent all events."""


class WatchGameResponseLine(TypedDict):
    """One line of the stream: a message, or the error that ended the stream."""

    error: NotRequired[Status]

    result: NotRequired[WatchGameResponse]


class WatchTurnsResponse(TypedDict):
    """WatchTurnsResponse is a message of a stream of turns."""

    cursor: str
    """The cursor from which the client can resume after this message."""

    end: NotRequired[End]
    """The end of the stream. It is the last message."""

    gameOver: NotRequired[GameOver]
    """A game of the caller ended."""

    heartbeat: NotRequired[Heartbeat]
    """A heartbeat after a time without other messages."""

    heartbeatInterval: NotRequired[str]
    """The longest time without a message on a live stream. Set only in the first message."""

    time: str
    """The time at which the server sent the message."""

    turn: NotRequired[TurnNotice]
    """The caller is to move in a game."""


class WatchTurnsResponseLine(TypedDict):
    """One line of the stream: a message, or the error that ended the stream."""

    error: NotRequired[Status]

    result: NotRequired[WatchTurnsResponse]


class Webhook(TypedDict):
    """Webhook is a URL that receives the notices of a player, or of all users of a service."""

    createTime: str
    """The time of the creation."""

    disabled: bool
    """
    Whether the server has given up: the URL returned 410, or all deliveries failed for a long time.
    SetWebhook enables the webhook again.
    """

    failingSince: NotRequired[str]
    """The time of the first failure since the last successful delivery. Not set if failures is 0."""

    failures: int
    """The number of failed deliveries since the last successful one."""

    lastFailure: str
    """The reason of the last failure, such as `HTTP 500`. Empty if failures is 0."""

    retryTime: NotRequired[str]
    """
    The time of the next delivery after a failure. Not set if failures is 0 or the webhook is
    disabled.
    """

    url: str
    """The URL."""
