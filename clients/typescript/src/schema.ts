// Generated from gen/openapi/openapi.json by `npm run types`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description AbortGameResponse holds the aborted game. */
        "flipside.game.v1.AbortGameResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description AbsencePolicy is what happens when a player does not move in time. */
        "flipside.game.v1.AbsencePolicy": {
            /** @description Nobody wins. */
            draw?: components["schemas"]["flipside.game.v1.AbsencePolicy.Draw"];
            /** @description The other side wins. */
            forfeit?: components["schemas"]["flipside.game.v1.AbsencePolicy.Forfeit"];
            /**
             * @description This robot takes the seat, with all the time of the time control anew, and the game goes on. A robot that does not move in
             *     time, for which the server would have to be away, loses.
             */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
        };
        /** @description Nobody wins. */
        "flipside.game.v1.AbsencePolicy.Draw": Record<string, unknown>;
        /** @description The other side wins. */
        "flipside.game.v1.AbsencePolicy.Forfeit": Record<string, unknown>;
        /** @description ClaimAbandonmentResponse holds the game without the opponent. */
        "flipside.game.v1.ClaimAbandonmentResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Clocks is how much time each side had when the turn began. That of the side to move runs: it is up at the turn's `deadline`. */
        "flipside.game.v1.Clocks": {
            /** @description The time of SIDE_FIRST. */
            first: string;
            /** @description The time of SIDE_SECOND. */
            second: string;
        };
        /** @description CreateGameResponse holds the new game. */
        "flipside.game.v1.CreateGameResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description CreatePlayerResponse holds the new player and the key. */
        "flipside.game.v1.CreatePlayerResponse": {
            /** @description The secret that identifies the player. It is shown here and never again. */
            key: string;
            /** @description The player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description End says why the stream closes. */
        "flipside.game.v1.End": {
            /** @description Why. */
            reason: components["schemas"]["flipside.game.v1.EndReason"];
        };
        /**
         * @description EndReason is why a stream closes.
         * @enum {string}
         */
        "flipside.game.v1.EndReason": "END_REASON_UNSPECIFIED" | "END_REASON_GAME_OVER" | "END_REASON_SHUTTING_DOWN" | "END_REASON_TOO_SLOW" | "END_REASON_KEY_REVOKED";
        /**
         * @description Ending is how a game ended.
         * @enum {string}
         */
        "flipside.game.v1.Ending": "ENDING_UNSPECIFIED" | "ENDING_SCORE" | "ENDING_RESIGNATION" | "ENDING_TIME" | "ENDING_ABANDONMENT" | "ENDING_AGREEMENT";
        /** @description Event is one entry in the log of a game. The log is all there is: replaying it gives the game. */
        "flipside.game.v1.Event": {
            /** @description The game was called off. */
            aborted?: components["schemas"]["flipside.game.v1.GameAborted"];
            /** @description The game was created. */
            created?: components["schemas"]["flipside.game.v1.GameCreated"];
            /** @description The game ended. */
            finished?: components["schemas"]["flipside.game.v1.GameFinished"];
            /** @description The game. */
            gameId: string;
            /** @description A move was played. */
            movePlayed?: components["schemas"]["flipside.game.v1.MovePlayed"];
            /** @description A robot plays another strategy from now on, or took the seat of a player who did not move in time. */
            robotChanged?: components["schemas"]["flipside.game.v1.RobotChanged"];
            /** @description A player joined. */
            seatTaken?: components["schemas"]["flipside.game.v1.SeatTaken"];
            /** @description The last open seat was filled and the game began. */
            started?: components["schemas"]["flipside.game.v1.GameStarted"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            time: string;
            /**
             * Format: int32
             * @description The place in the log: 1, 2, 3 and so on without a gap.
             */
            version: number;
        };
        /** @description ForkGameResponse holds the new game. */
        "flipside.game.v1.ForkGameResponse": {
            /** @description The new game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Format is how a board is drawn.
         * @enum {string}
         */
        "flipside.game.v1.Format": "FORMAT_UNSPECIFIED" | "FORMAT_TEXT" | "FORMAT_SVG";
        /** @description Game is a game as it stands after `version` events. */
        "flipside.game.v1.Game": {
            /** @description The clocks; left out where there is no limit. */
            clocks?: components["schemas"]["flipside.game.v1.Clocks"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createTime: string;
            /** @description The player who created it. */
            creatorId: string;
            /** @description Changes whenever the game does. */
            etag: string;
            /** @description A lower-case ULID; later games sort after earlier ones. */
            id: string;
            /** @description Which game is played. */
            kind: components["schemas"]["flipside.rules.v1.GameKind"];
            /** @description The last placement or card; left out before the first one. A pass does not change it. */
            lastCell?: components["schemas"]["flipside.rules.v1.Cell"];
            /** @description How it ended; left out unless the game is finished. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /** @description The board. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description What each side owns now, as it lies. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description Who sits where: SIDE_FIRST, then SIDE_SECOND. */
            seats: components["schemas"]["flipside.game.v1.Seat"][];
            /** @description How it was set up, every default filled in. */
            setup?: components["schemas"]["flipside.rules.v1.Setup"];
            /** @description Whether it waits for players, is being played, or has ended. */
            state: components["schemas"]["flipside.game.v1.GameState"];
            /** @description How long the players may take; left out where they have all the time in the world. */
            timeControl?: components["schemas"]["flipside.game.v1.TimeControl"];
            /** @description Whose turn it is; left out unless the game is active. */
            turn?: components["schemas"]["flipside.game.v1.Turn"];
            /**
             * Format: date-time
             * @description When the last event happened.
             */
            updateTime: string;
            /**
             * Format: int32
             * @description How many events the log holds, from 1.
             */
            version: number;
            /** @description Who may see it. */
            visibility: components["schemas"]["flipside.game.v1.Visibility"];
        };
        /** @description GameAborted says that the game was called off. */
        "flipside.game.v1.GameAborted": {
            /** @description The side that called it off; SIDE_UNSPECIFIED for a creator without a seat. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description GameCreated says how a game began. */
        "flipside.game.v1.GameCreated": {
            /** @description Where it was forked off; left out for a game of its own. */
            forkedFrom?: components["schemas"]["flipside.game.v1.GameCreated.ForkedFrom"];
            /** @description The position it starts from. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The seats as they were filled then. */
            seats: components["schemas"]["flipside.game.v1.Seat"][];
            /** @description How long the players may take; left out where they have all the time in the world. */
            timeControl?: components["schemas"]["flipside.game.v1.TimeControl"];
        };
        /** @description ForkedFrom is a point in another game. */
        "flipside.game.v1.GameCreated.ForkedFrom": {
            /** @description The other game. */
            gameId: string;
            /**
             * Format: int32
             * @description Its version there.
             */
            version: number;
        };
        /** @description GameFinished says how the game ended. */
        "flipside.game.v1.GameFinished": {
            /** @description Who won and how it ended. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /** @description The final score, as it lies. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
        };
        /** @description GameOver says that a game ended. */
        "flipside.game.v1.GameOver": {
            /** @description The game. */
            gameId: string;
            /** @description How; left out for a game that was aborted. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /**
             * Format: int32
             * @description The version of the game.
             */
            version: number;
        };
        /** @description GameStarted says that the game began. */
        "flipside.game.v1.GameStarted": {
            /** @description Who moves first. */
            turn: components["schemas"]["flipside.rules.v1.Side"];
        };
        /**
         * @description GameState is the stage of life a game is in.
         * @enum {string}
         */
        "flipside.game.v1.GameState": "GAME_STATE_UNSPECIFIED" | "GAME_STATE_WAITING" | "GAME_STATE_ACTIVE" | "GAME_STATE_FINISHED" | "GAME_STATE_ABORTED";
        /** @description GetGameResponse holds a game. */
        "flipside.game.v1.GetGameResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
        };
        /** @description GetMeResponse holds the caller. */
        "flipside.game.v1.GetMeResponse": {
            /** @description The player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description Heartbeat says that the stream is alive. */
        "flipside.game.v1.Heartbeat": Record<string, unknown>;
        /** @description JoinGameResponse holds the game with the caller in it. */
        "flipside.game.v1.JoinGameResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description ListEventsResponse holds one page of events. */
        "flipside.game.v1.ListEventsResponse": {
            /** @description The events, the oldest first. */
            events: components["schemas"]["flipside.game.v1.Event"][];
            /** @description For the next page; empty on the last one. */
            nextPageToken: string;
        };
        /** @description ListGamesResponse holds one page of games. */
        "flipside.game.v1.ListGamesResponse": {
            /** @description The games, the newest first. */
            games: components["schemas"]["flipside.game.v1.Game"][];
            /** @description For the next page; empty on the last one. */
            nextPageToken: string;
        };
        /** @description ListLegalMovesResponse holds one page of legal moves. */
        "flipside.game.v1.ListLegalMovesResponse": {
            /** @description The moves. */
            moves: components["schemas"]["flipside.rules.v1.LegalMove"][];
            /** @description For the next page; empty on the last one. */
            nextPageToken: string;
            /**
             * Format: int32
             * @description The version of the game they belong to.
             */
            version: number;
        };
        /** @description MovePlayed says what a move did. A pass is a move too. */
        "flipside.game.v1.MovePlayed": {
            /** @description How a robot found it; left out for people. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
            /** @description Whether the server made the move because the side had no placement (`auto_pass`), or a robot's own strategy failed. */
            automatic: boolean;
            /** @description What flipped: wave by wave, inside a wave in reading order. */
            flips: components["schemas"]["flipside.rules.v1.Flip"][];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move as players write it. */
            notation: string;
            /** @description The board after it. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The score after it. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description Who moved. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description Outcome says who won and, apart from that, how the game ended. */
        "flipside.game.v1.Outcome": {
            /** @description Whether nobody won. */
            draw: boolean;
            /** @description How it ended. */
            ending: components["schemas"]["flipside.game.v1.Ending"];
            /** @description Who won; SIDE_UNSPECIFIED in a draw. */
            winner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description PlayMoveResponse holds what the move did. */
        "flipside.game.v1.PlayMoveResponse": {
            /** @description The caller's move. */
            event?: components["schemas"]["flipside.game.v1.Event"];
            /** @description The game after it and after any automatic pass. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Player is somebody who plays. */
        "flipside.game.v1.Player": {
            /**
             * Format: date-time
             * @description When the player was created.
             */
            createTime: string;
            /** @description The name to show. */
            displayName: string;
            /** @description A lower-case ULID. */
            id: string;
        };
        /** @description ResignResponse holds the ended game. */
        "flipside.game.v1.ResignResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Robot is a strategy that holds a seat. */
        "flipside.game.v1.Robot": {
            /** @description The Strategy service to ask, by the name the server's operator gave it, at most 64 characters. Default: the one that comes with the server. */
            provider: string;
            /**
             * Format: int64
             * @description Picks at random among equally good moves, always in the same way for the same number. Default (0): the first
             *     in reading order.
             */
            seed: string;
            /** @description Required. What it plays. */
            strategy?: components["schemas"]["flipside.strategy.v1.Strategy"];
        };
        /** @description RobotChanged says that a robot plays another strategy from now on, or took the seat of a player who did not move in time. */
        "flipside.game.v1.RobotChanged": {
            /** @description The seat of the player whose time was up or who was away; left out where a robot sat there before. */
            replaced?: components["schemas"]["flipside.game.v1.Seat"];
            /** @description What it plays now. */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
            /** @description The robot's seat. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description RobotDelayed says that a robot is late. */
        "flipside.game.v1.RobotDelayed": {
            /**
             * Format: int32
             * @description How many attempts have failed, from 1.
             */
            attempt: number;
            /**
             * Format: date-time
             * @description When the next attempt is made.
             */
            retryTime: string;
            /** @description The robot's seat. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description RotateKeyResponse holds the new key. */
        "flipside.game.v1.RotateKeyResponse": {
            /** @description The new secret. It is shown here and never again. */
            key: string;
            /** @description The player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description Seat is one side of a game and who holds it. In a request, what is left out is an open seat. */
        "flipside.game.v1.Seat": {
            /** @description Input only. Whoever makes the call; may hold both seats. */
            caller?: components["schemas"]["flipside.game.v1.Seat.Caller"];
            /** @description Nobody yet. */
            open?: components["schemas"]["flipside.game.v1.Seat.Open"];
            /** @description A player, who sits at once. */
            player?: components["schemas"]["flipside.game.v1.Seat.SeatedPlayer"];
            /** @description A strategy. */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
            /** @description Output only. The side. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description Whoever makes the call. */
        "flipside.game.v1.Seat.Caller": Record<string, unknown>;
        /** @description Nobody yet. */
        "flipside.game.v1.Seat.Open": Record<string, unknown>;
        /** @description A player. */
        "flipside.game.v1.Seat.SeatedPlayer": {
            /** @description Output only. The name to show. */
            displayName: string;
            /** @description Required. The player's id, at most 64 characters. */
            playerId: string;
        };
        /** @description SeatTaken says that a player took an open seat. */
        "flipside.game.v1.SeatTaken": {
            /** @description The seat as it is now. */
            seat?: components["schemas"]["flipside.game.v1.Seat"];
        };
        /** @description SetRobotResponse holds the changed game. */
        "flipside.game.v1.SetRobotResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the answer to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Theme is the colours of a picture.
         * @enum {string}
         */
        "flipside.game.v1.Theme": "THEME_UNSPECIFIED" | "THEME_LIGHT" | "THEME_DARK";
        /**
         * @description TimeControl is how long the players of a game may take. At least one of `limit` and `claim_after` is given.
         *
         *     The clock of a side runs in its own turns, from its first one on: from the event that gives it the turn to the one that
         *     ends the turn. A pass that the server makes for a side (`auto_pass`) takes no time. A robot's clock runs like any other, and a robot
         *     moves before its time is up. A move counts if it came by the deadline, or in the short lag grace beyond it that the server's
         *     operator chose (1 s by default). When the time is up, the server ends the game or goes on as `on_absence` says, whether anybody is
         *     connected or not.
         */
        "flipside.game.v1.TimeControl": {
            /**
             * @description How long it has to be a player's turn before he counts as away, 1 s to 30 days: from then on his opponent may call
             *     ClaimAbandonment. Default: nobody counts as away.
             */
            claimAfter: string;
            /**
             * Format: int32
             * @description The time for each move in days, 1 to 30, for games by correspondence.
             */
            days?: number;
            /** @description A time for all moves of a side, which grows with each of them. */
            fischer?: components["schemas"]["flipside.game.v1.TimeControl.Fischer"];
            /** @description What happens when a player's time is up, or when he was claimed to be away. Default: he loses. */
            onAbsence?: components["schemas"]["flipside.game.v1.AbsencePolicy"];
            /** @description The time for each move, 1 s to 12 h. */
            perMove?: string;
        };
        /** @description Fischer is a time for all moves of a side. */
        "flipside.game.v1.TimeControl.Fischer": {
            /** @description What each move that a side makes adds, 0 s to 1 h. Default: nothing. */
            increment: string;
            /** @description Required. What each side has at the start, 1 s to 24 h. */
            initial: string;
        };
        /** @description Turn says who is to move. */
        "flipside.game.v1.Turn": {
            /**
             * Format: date-time
             * @description From when on the other side may claim that the player is away; left out where it never may.
             */
            claimTime: string;
            /**
             * Format: date-time
             * @description When the time for this turn is up; left out where there is no limit.
             */
            deadline: string;
            /** @description Whether passing is the only legal move. */
            mustPass: boolean;
            /** @description The side to move. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description TurnNotice says that a game waits for a player. */
        "flipside.game.v1.TurnNotice": {
            /**
             * Format: date-time
             * @description When his time is up; left out where there is no limit.
             */
            deadline: string;
            /** @description The game. */
            gameId: string;
            /** @description The player it waits for. */
            playerId: string;
            /** @description The side he plays. */
            side: components["schemas"]["flipside.rules.v1.Side"];
            /**
             * Format: int32
             * @description The version of the game: what to send as `expected_version`.
             */
            version: number;
        };
        /**
         * @description Visibility says who may see a game.
         * @enum {string}
         */
        "flipside.game.v1.Visibility": "VISIBILITY_UNSPECIFIED" | "VISIBILITY_PUBLIC" | "VISIBILITY_LINK" | "VISIBILITY_PRIVATE";
        /** @description WatchGameResponse is one message of a watched game. */
        "flipside.game.v1.WatchGameResponse": {
            /** @description The last message. */
            end?: components["schemas"]["flipside.game.v1.End"];
            /** @description The next event. */
            event?: components["schemas"]["flipside.game.v1.Event"];
            /** @description Nothing happened. */
            heartbeat?: components["schemas"]["flipside.game.v1.Heartbeat"];
            /** @description The longest silence to expect; only in the first message. */
            heartbeatInterval: string;
            /** @description A robot's strategy did not answer and is asked again. Not in the log. */
            robotDelayed?: components["schemas"]["flipside.game.v1.RobotDelayed"];
            /** @description The game as it stands. */
            snapshot?: components["schemas"]["flipside.game.v1.Game"];
            /**
             * Format: date-time
             * @description When it was sent.
             */
            time: string;
            /**
             * Format: int32
             * @description Everything up to this version has been sent.
             */
            version: number;
        };
        /** @description WatchTurnsResponse is one message about the caller's turns. */
        "flipside.game.v1.WatchTurnsResponse": {
            /** @description Everything up to here has been sent: the point to resume at. */
            cursor: string;
            /** @description The last message. */
            end?: components["schemas"]["flipside.game.v1.End"];
            /** @description A game of the caller ended. */
            gameOver?: components["schemas"]["flipside.game.v1.GameOver"];
            /** @description Nothing happened. */
            heartbeat?: components["schemas"]["flipside.game.v1.Heartbeat"];
            /** @description The longest silence to expect; only in the first message. */
            heartbeatInterval: string;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            time: string;
            /** @description A game waits for the caller. */
            turn?: components["schemas"]["flipside.game.v1.TurnNotice"];
        };
        /** @description Card is a card with its four values, each 1 to 10 (10 is printed `A`). */
        "flipside.rules.v1.Card": {
            /**
             * Format: int32
             * @description The value of the right side.
             */
            east: number;
            /** @description Unique in its deck. */
            name: string;
            /**
             * Format: int32
             * @description The value of the upper side.
             */
            north: number;
            /**
             * Format: int32
             * @description The value of the lower side.
             */
            south: number;
            /**
             * Format: int32
             * @description The value of the left side.
             */
            west: number;
        };
        /**
         * @description Cause is the rule that made a card change sides. Of several rules that explain a flip, the first in this
         *     order is named.
         * @enum {string}
         */
        "flipside.rules.v1.Cause": "CAUSE_UNSPECIFIED" | "CAUSE_GREATER" | "CAUSE_LESS" | "CAUSE_FALLEN_ACE" | "CAUSE_SAME" | "CAUSE_PLUS";
        /** @description Cell names one cell of a board. */
        "flipside.rules.v1.Cell": {
            /** @description A cell of a hexagonal board. */
            hex?: components["schemas"]["flipside.rules.v1.HexCell"];
            /** @description A cell of a square or rectangular board. */
            square?: components["schemas"]["flipside.rules.v1.SquareCell"];
        };
        /** @description Flip is one disc or card that changed sides. */
        "flipside.rules.v1.Flip": {
            /** @description Why it flipped. */
            cause: components["schemas"]["flipside.rules.v1.Cause"];
            /** @description Where it lies. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
            /** @description The cell as players write it. */
            notation: string;
            /**
             * Format: int32
             * @description The step of the chain it flipped in: 0 for what the move itself flipped. Always 0 in Reversi.
             */
            wave: number;
        };
        /**
         * @description GameKind names a game.
         * @enum {string}
         */
        "flipside.rules.v1.GameKind": "GAME_KIND_UNSPECIFIED" | "GAME_KIND_REVERSI" | "GAME_KIND_THREE_TRIOS";
        /** @description GridCell is what one cell of a grid holds. */
        "flipside.rules.v1.GridCell": {
            /** @description The card that lies here. */
            card?: components["schemas"]["flipside.rules.v1.Card"];
            /** @description Always true: a card can be laid here. */
            empty?: boolean;
            /** @description Always true: no card can be laid here. */
            hole?: boolean;
            /** @description Who owns the card; SIDE_UNSPECIFIED where there is none. */
            owner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description HexCell holds axial coordinates; (0, 0) is the centre of the board. */
        "flipside.rules.v1.HexCell": {
            /**
             * Format: int32
             * @description Grows to the right along a row. On a board of n rings: -n to n.
             */
            q: number;
            /**
             * Format: int32
             * @description Grows downwards; r = -n is the top row. On a board of n rings: -n to n.
             */
            r: number;
            /**
             * Format: int32
             * @description The third cube coordinate. Optional on input, where q + r + s must be 0; never in an answer.
             */
            s: number;
        };
        /** @description HexagonBoard is a board of hexagons in rings round a centre cell. */
        "flipside.rules.v1.HexagonBoard": {
            /**
             * Format: int32
             * @description Rings round the centre, which is not counted: 1 to 12. Default (0): 5.
             */
            rings: number;
        };
        /** @description LegalMove is a move together with what it would do. */
        "flipside.rules.v1.LegalMove": {
            /**
             * Format: int32
             * @description How many discs or cards it would flip, chain and all.
             */
            flipCount: number;
            /** @description What it would flip: wave by wave, inside a wave in reading order. */
            flips: components["schemas"]["flipside.rules.v1.Flip"][];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move as players write it. */
            notation: string;
        };
        /** @description Move is what a player does in one turn. */
        "flipside.rules.v1.Move": {
            /** @description Gives the turn away (Reversi). */
            passTurn?: components["schemas"]["flipside.rules.v1.Move.PassTurn"];
            /** @description Places a disc (Reversi). */
            place?: components["schemas"]["flipside.rules.v1.Move.Place"];
            /** @description Plays a card from the hand (Three Trios). */
            playCard?: components["schemas"]["flipside.rules.v1.Move.PlayCard"];
        };
        /** @description Passes. */
        "flipside.rules.v1.Move.PassTurn": Record<string, unknown>;
        /** @description Places a disc on an empty cell. */
        "flipside.rules.v1.Move.Place": {
            /** @description Required. Where. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
        };
        /** @description Lays a card on an empty card cell. */
        "flipside.rules.v1.Move.PlayCard": {
            /** @description Required. The card's name, at most 256 characters. */
            card: string;
            /** @description Required. Where. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
        };
        /**
         * @description PassRule says when a side may pass and when a game of Reversi ends.
         * @enum {string}
         */
        "flipside.rules.v1.PassRule": "PASS_RULE_UNSPECIFIED" | "PASS_RULE_VOLUNTARY" | "PASS_RULE_FORCED";
        /**
         * @description Position is one state of a game. In a request only `notation` is read, so that a position from any answer can
         *     be sent back as it came.
         */
        "flipside.rules.v1.Position": {
            /** @description Required. The canonical line of text, at most 65,536 characters. It reads back to an equal position. */
            notation: string;
            /** @description A Reversi board. */
            reversi?: components["schemas"]["flipside.rules.v1.ReversiPosition"];
            /** @description A Three Trios grid and hands. */
            threeTrios?: components["schemas"]["flipside.rules.v1.ThreeTriosPosition"];
        };
        /** @description ReversiPosition lays out a Reversi board. */
        "flipside.rules.v1.ReversiPosition": {
            /** @description The corner cells, in reading order. */
            corners: components["schemas"]["flipside.rules.v1.Cell"][];
            /** @description One string a row, the top row first, one letter a cell: `X` black, `O` white, `_` empty. */
            rows: string[];
        };
        /** @description ReversiSetup sets up a game of Reversi. */
        "flipside.rules.v1.ReversiSetup": {
            /** @description Whether the server passes for a side that has no placement. */
            autoPass: boolean;
            /** @description Whether the winner is given the empty cells at the end, a draw sharing them. Default: no. */
            emptiesToWinner: boolean;
            /** @description A hexagonal board. */
            hexagon?: components["schemas"]["flipside.rules.v1.HexagonBoard"];
            /**
             * Format: int32
             * @description How many discs a placement must flip at least, 1 to 64. Default (0): 1.
             */
            minFlips: number;
            /**
             * @description When a side may pass and when the game ends. Default: PASS_RULE_VOLUNTARY on hexagons,
             *     PASS_RULE_FORCED on squares.
             */
            passRule: components["schemas"]["flipside.rules.v1.PassRule"];
            /** @description A square board. */
            square?: components["schemas"]["flipside.rules.v1.SquareBoard"];
            /**
             * @description The notation of the position to start from, at most 1,024 characters. Fields that disagree with it are
             *     INVALID_FIELD. Default: the usual start of the board.
             */
            startFrom: string;
        };
        /**
         * @description Rule is one rule of Three Trios. Any may be combined, except RULE_DEFAULT with RULE_REVERSE.
         * @enum {string}
         */
        "flipside.rules.v1.Rule": "RULE_UNSPECIFIED" | "RULE_DEFAULT" | "RULE_REVERSE" | "RULE_FALLEN_ACE" | "RULE_SAME" | "RULE_PLUS";
        /** @description Score counts what each side owns: discs in Reversi; cards on the grid and in hand in Three Trios. */
        "flipside.rules.v1.Score": {
            /**
             * Format: int32
             * @description What SIDE_FIRST owns.
             */
            first: number;
            /**
             * Format: int32
             * @description What SIDE_SECOND owns.
             */
            second: number;
        };
        /**
         * @description Setup says which game is played, on what, and by which rules. A field that is left out has the default
         *     named beside it; a stored game shows every field as it is in force.
         */
        "flipside.rules.v1.Setup": {
            /** @description Reversi. */
            reversi?: components["schemas"]["flipside.rules.v1.ReversiSetup"];
            /** @description Three Trios. */
            threeTrios?: components["schemas"]["flipside.rules.v1.ThreeTriosSetup"];
        };
        /**
         * @description Side is one of the two players of a game.
         * @enum {string}
         */
        "flipside.rules.v1.Side": "SIDE_UNSPECIFIED" | "SIDE_FIRST" | "SIDE_SECOND";
        /** @description SquareBoard is a square board. */
        "flipside.rules.v1.SquareBoard": {
            /**
             * Format: int32
             * @description Cells along one side: even, 4 to 16. Default (0): 8.
             */
            side: number;
            /** @description Which discs lie in the middle. Default: START_STANDARD. */
            start: components["schemas"]["flipside.rules.v1.Start"];
        };
        /** @description SquareCell holds a row and a column, both counted from 0 at the top left. */
        "flipside.rules.v1.SquareCell": {
            /**
             * Format: int32
             * @description From 0, to the right.
             */
            column: number;
            /**
             * Format: int32
             * @description From 0, downwards.
             */
            row: number;
        };
        /**
         * @description Start is the pattern of the four discs in the middle of a square board.
         * @enum {string}
         */
        "flipside.rules.v1.Start": "START_UNSPECIFIED" | "START_STANDARD" | "START_MIRRORED";
        /** @description ThreeTriosPosition lays out a Three Trios grid and both hands. */
        "flipside.rules.v1.ThreeTriosPosition": {
            /** @description rows * columns cells, row by row from the top, each from the left. */
            cells: components["schemas"]["flipside.rules.v1.GridCell"][];
            /**
             * Format: int32
             * @description How many columns, 1 to 16.
             */
            columns: number;
            /** @description The cards not yet played. */
            hands?: components["schemas"]["flipside.rules.v1.ThreeTriosPosition.Hands"];
            /**
             * Format: int32
             * @description How many rows, 1 to 16.
             */
            rows: number;
        };
        /** @description Both hands, open to everybody. */
        "flipside.rules.v1.ThreeTriosPosition.Hands": {
            /** @description Red's cards in order; the index in this list is the hand index. */
            first: components["schemas"]["flipside.rules.v1.Card"][];
            /** @description Blue's cards in order. */
            second: components["schemas"]["flipside.rules.v1.Card"][];
        };
        /** @description ThreeTriosSetup sets up a game of Three Trios. Without grid and deck it is a built-in game on 3 by 3 cells. */
        "flipside.rules.v1.ThreeTriosSetup": {
            /** @description Whether one's own neighbours count towards the two that Same and Plus need. Default: no. */
            countOwnCards: boolean;
            /**
             * @description The deck file, at most 65,536 characters: one card a line, `name north south east west`, values 1 to 10 or `A`. At least one card more
             *     than the grid has card cells.
             */
            deck: string;
            /**
             * @description The grid file, at most 512 characters: rows and columns (1 to 16 each) on the first line, then one line a row of `C` (card cell)
             *     and `X` (hole). The number of card cells is odd.
             */
            grid: string;
            /** @description The rules in force, at most 16; naming a rule twice is naming it once. Default: RULE_DEFAULT. */
            rules: components["schemas"]["flipside.rules.v1.Rule"][];
            /**
             * Format: int64
             * @description Shuffles the deck before the deal, always in the same way for the same number. Default: no shuffle.
             */
            shuffleSeed: string;
            /** @description The notation of the position to start from, at most 65,536 characters. Fields that disagree with it are INVALID_FIELD. */
            startFrom: string;
        };
        /**
         * @description AlphaBeta searches by iterative deepening on the difference in discs or cards. The same depth always gives
         *     the same move; an iteration that time cuts off is thrown away, the first one never is.
         */
        "flipside.strategy.v1.AlphaBeta": {
            /** @description What a position is worth. Default: EVALUATION_DISC_DIFFERENCE. */
            evaluation: components["schemas"]["flipside.strategy.v1.AlphaBeta.Evaluation"];
            /**
             * Format: int32
             * @description How many plies deep, 1 to 64. Default (0): 4, or as deep as `max_time` allows where that is given.
             */
            maxDepth: number;
            /** @description How long to search, up to 60 s. Default: no limit but the call's deadline. */
            maxTime: string;
        };
        /**
         * @description Evaluation is what a search holds a position to be worth.
         * @enum {string}
         */
        "flipside.strategy.v1.AlphaBeta.Evaluation": "EVALUATION_UNSPECIFIED" | "EVALUATION_DISC_DIFFERENCE";
        /** @description Analysis is what a search knows at some depth. */
        "flipside.strategy.v1.Analysis": {
            /**
             * Format: int32
             * @description How sure the search was, in percent, of each branch that it left out on the word of a shallower search: 100 if it left
             *     out none, as whenever `exact`. 0 for a strategy that does not search.
             */
            confidence: number;
            /**
             * Format: int32
             * @description Plies looked ahead. 0 for a strategy that does not search.
             */
            depth: number;
            /** @description Whether `score` is proved: every line was searched to the end of the game. */
            exact: boolean;
            /** @description Whether this is the last word. */
            final: boolean;
            /**
             * Format: int32
             * @description What is proved of the final difference: it is at least this.
             */
            lowerBound: number;
            /** @description The best lines, best first, as many as were asked for. The first is the principal variation. */
            multiPv: components["schemas"]["flipside.strategy.v1.Line"][];
            /**
             * Format: int64
             * @description Positions visited.
             */
            nodes: string;
            /**
             * Format: int64
             * @description Positions visited a second.
             */
            nodesPerSecond: string;
            /** @description The pass rule that the search kept to, which is PASS_RULE_FORCED in Reversi even where passing is voluntary. Not said in other games. */
            passRule: components["schemas"]["flipside.rules.v1.PassRule"];
            /** @description The line of best play, as players write it, from the position asked about. */
            principalVariation: string[];
            /**
             * Format: int32
             * @description The expected difference in discs or cards, for the side to move.
             */
            score: number;
            /** @description Time taken. */
            time: string;
            /**
             * Format: int32
             * @description What is proved of the final difference: it is at most this.
             */
            upperBound: number;
        };
        /** @description AnalyzePositionResponse holds what is known so far. */
        "flipside.strategy.v1.AnalyzePositionResponse": {
            /** @description What is known at this depth. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
        };
        /** @description AvoidNextToCorners drops every cell adjacent to a corner cell. It may keep nothing. */
        "flipside.strategy.v1.AvoidNextToCorners": Record<string, unknown>;
        /** @description Candidate is a move that a strategy holds best, with what speaks for it. */
        "flipside.strategy.v1.Candidate": {
            /** @description What `value` counts. */
            measure: components["schemas"]["flipside.strategy.v1.Measure"];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move as players write it. */
            notation: string;
            /**
             * Format: int32
             * @description What the strategy measures, in the unit of `measure`.
             */
            value: number;
        };
        /** @description ChooseMoveResponse holds the move and the reasons for it. */
        "flipside.strategy.v1.ChooseMoveResponse": {
            /** @description How it was found. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
            /** @description Every move held equally good, in reading order. */
            candidates: components["schemas"]["flipside.strategy.v1.Candidate"][];
            /** @description The move to play: one of `candidates`. */
            chosen?: components["schemas"]["flipside.strategy.v1.Candidate"];
        };
        /** @description Corners takes the free corner where the card's open sides add up highest. */
        "flipside.strategy.v1.Corners": Record<string, unknown>;
        /**
         * @description Engine finds the strongest move it can within its limits. Any of them may be left out; the deadline of the call
         *     always counts.
         */
        "flipside.strategy.v1.Engine": {
            /**
             * Format: int32
             * @description How many plies deep, 1 to 512. Default (0): no limit.
             */
            maxDepth: number;
            /**
             * Format: int64
             * @description How many positions to visit. Default (0): no limit.
             */
            maxNodes: string;
            /** @description How long to search, up to 10 min. */
            maxTime: string;
            /**
             * Format: int32
             * @description How many threads to search with, 1 to 256. Default (0): 1.
             */
            threads: number;
        };
        /** @description Greedy takes the move that flips most; of several the topmost, then the leftmost. */
        "flipside.strategy.v1.Greedy": Record<string, unknown>;
        /** @description LeastExposed takes the cell and card that the fewest of the opponent's cards could beat. */
        "flipside.strategy.v1.LeastExposed": Record<string, unknown>;
        /**
         * @description Level is the strength of a ready-made opponent. In Reversi the levels are strategies made of the simple ones:
         *     easy flips most; medium also avoids cells next to corners; hard takes corners first; expert also looks at
         *     the opponent's replies. In Three Trios they are, in order, most_flips, corners, smallest_reply (hard, with its
         *     limit of 25 card cells), and a search.
         * @enum {string}
         */
        "flipside.strategy.v1.Level": "LEVEL_UNSPECIFIED" | "LEVEL_EASY" | "LEVEL_MEDIUM" | "LEVEL_HARD" | "LEVEL_EXPERT";
        /** @description Line is one line of play and its worth. */
        "flipside.strategy.v1.Line": {
            /** @description Whether `score` is proved. */
            exact: boolean;
            /** @description The moves, as players write them. */
            principalVariation: string[];
            /**
             * Format: int32
             * @description The expected difference in discs or cards, for the side to move.
             */
            score: number;
        };
        /** @description ListPositionMovesResponse holds one page of legal moves. */
        "flipside.strategy.v1.ListPositionMovesResponse": {
            /** @description The moves. */
            moves: components["schemas"]["flipside.rules.v1.LegalMove"][];
            /** @description For the next page; empty on the last one. */
            nextPageToken: string;
            /** @description The position, laid out for drawing. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
        };
        /** @description ListStrategiesResponse holds the strategies. */
        "flipside.strategy.v1.ListStrategiesResponse": {
            /** @description All of them, the simplest first. */
            strategies: components["schemas"]["flipside.strategy.v1.StrategyInfo"][];
        };
        /** @description MatchGame is the record of one game, from which it can be replayed. */
        "flipside.strategy.v1.MatchGame": {
            /** @description The side that `first` played. */
            firstSide: components["schemas"]["flipside.rules.v1.Side"];
            /** @description All moves, as players write them. */
            moves: string[];
            /**
             * Format: int32
             * @description Counts from 1 in the order of starts; games 1 and 2, 3 and 4 and so on are pairs.
             */
            number: number;
            /**
             * Format: int32
             * @description How many of them were the random opening.
             */
            openingPlies: number;
            /** @description The final score, as it lies. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description The notation of the position it started from. */
            start: string;
            /** @description Who won; SIDE_UNSPECIFIED in a draw. */
            winner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description MatchSummary is the result of a match so far, from the point of view of `first`. */
        "flipside.strategy.v1.MatchSummary": {
            /**
             * Format: int32
             * @description Games drawn.
             */
            draws: number;
            /**
             * Format: double
             * @description How much stronger `first` is. A clean sweep is given the value of a score half a point short of it.
             */
            elo: number;
            /**
             * Format: double
             * @description Half the width of the 95 % interval around `elo`.
             */
            eloError: number;
            /** @description Whether the match is over. */
            final: boolean;
            /**
             * Format: double
             * @description The log-likelihood ratio of the test; 0 without one.
             */
            llr: number;
            /**
             * Format: int32
             * @description Games lost.
             */
            losses: number;
            /**
             * Format: int32
             * @description Games won.
             */
            wins: number;
        };
        /** @description MaxCapture keeps the moves that flip most, the placed disc not counted. */
        "flipside.strategy.v1.MaxCapture": Record<string, unknown>;
        /**
         * @description Measure is what a strategy compares moves by.
         * @enum {string}
         */
        "flipside.strategy.v1.Measure": "MEASURE_UNSPECIFIED" | "MEASURE_FLIPS" | "MEASURE_EXPOSURE" | "MEASURE_REPLIES" | "MEASURE_SCORE" | "MEASURE_STRENGTH";
        /**
         * @description Minimax plays each move, asks `assumed` which replies it holds equally good, and keeps the moves after which
         *     those are fewest.
         */
        "flipside.strategy.v1.Minimax": {
            /** @description Required. What the opponent is assumed to play. Strategies nest at most 8 deep. */
            assumed?: components["schemas"]["flipside.strategy.v1.Strategy"];
        };
        /** @description MostFlips takes the cell and card that flip most. */
        "flipside.strategy.v1.MostFlips": Record<string, unknown>;
        /** @description Parameter describes one parameter of a strategy. */
        "flipside.strategy.v1.Parameter": {
            /** @description What holds when it is left out; empty for a parameter that is required. */
            default: string;
            /** @description The largest value. */
            maximum: string;
            /** @description The smallest value, as it is written in JSON; empty where there is none. */
            minimum: string;
            /** @description Its field name, in lowerCamel. */
            name: string;
            /** @description What it means, in one sentence. */
            summary: string;
            /** @description The values there are, for a parameter that names one. */
            values: string[];
        };
        /** @description Sprt is a sequential probability ratio test between two hypotheses about how much stronger `first` is. */
        "flipside.strategy.v1.PlayMatchRequest.Sprt": {
            /**
             * Format: double
             * @description The accepted chance of wrongly deciding for the greater one, below 0.5. Default (0): 0.05.
             */
            alpha: number;
            /**
             * Format: double
             * @description The accepted chance of wrongly deciding for the smaller one, below 0.5. Default (0): 0.05.
             */
            beta: number;
            /**
             * Format: double
             * @description The smaller difference in Elo.
             */
            elo0: number;
            /**
             * Format: double
             * @description The greater difference in Elo.
             */
            elo1: number;
        };
        /** @description PlayMatchResponse is one message of a match. */
        "flipside.strategy.v1.PlayMatchResponse": {
            /** @description A game that ended. */
            game?: components["schemas"]["flipside.strategy.v1.MatchGame"];
            /** @description The result so far. */
            summary?: components["schemas"]["flipside.strategy.v1.MatchSummary"];
        };
        /**
         * @description SmallestReply guesses the opponent's strategy and leaves him the fewest flips. On more than 25 card cells it does not play,
         *     and cannot be a robot.
         */
        "flipside.strategy.v1.SmallestReply": Record<string, unknown>;
        /**
         * @description Strategy names one strategy and its parameters. A strategy that does not play the game of the position is
         *     INVALID_FIELD; ListStrategies tells which plays what.
         */
        "flipside.strategy.v1.Strategy": {
            /** @description Every game: alpha-beta search on the difference in discs or cards. */
            alphaBeta?: components["schemas"]["flipside.strategy.v1.AlphaBeta"];
            /** @description Reversi: all but the cells adjacent to a corner. */
            avoidNextToCorners?: components["schemas"]["flipside.strategy.v1.AvoidNextToCorners"];
            /** @description Three Trios: the corner where the card is hardest to flip. */
            corners?: components["schemas"]["flipside.strategy.v1.Corners"];
            /** @description Every game: the strongest search there is. */
            engine?: components["schemas"]["flipside.strategy.v1.Engine"];
            /** @description Reversi: the move that flips most; of several the topmost, then the leftmost. */
            greedy?: components["schemas"]["flipside.strategy.v1.Greedy"];
            /** @description Three Trios: where the fewest of the opponent's cards could flip it. */
            leastExposed?: components["schemas"]["flipside.strategy.v1.LeastExposed"];
            /** @description A ready-made opponent of some strength, for every game. */
            level?: components["schemas"]["flipside.strategy.v1.Level"];
            /** @description Reversi: the moves that flip most. */
            maxCapture?: components["schemas"]["flipside.strategy.v1.MaxCapture"];
            /** @description Reversi: the moves that leave the opponent the fewest good replies. */
            minimax?: components["schemas"]["flipside.strategy.v1.Minimax"];
            /** @description Three Trios: the most flips at once. */
            mostFlips?: components["schemas"]["flipside.strategy.v1.MostFlips"];
            /** @description Three Trios: the move that leaves the guessed opponent the smallest reply. */
            smallestReply?: components["schemas"]["flipside.strategy.v1.SmallestReply"];
            /** @description Reversi: the corners. */
            takeCorners?: components["schemas"]["flipside.strategy.v1.TakeCorners"];
            /** @description Reversi: one strategy, refined by another or replaced by it. */
            tryTwo?: components["schemas"]["flipside.strategy.v1.TryTwo"];
        };
        /** @description StrategyInfo describes one strategy. */
        "flipside.strategy.v1.StrategyInfo": {
            /** @description The games it plays. */
            games: components["schemas"]["flipside.rules.v1.GameKind"][];
            /** @description Its field name in Strategy, in lowerCamel: `maxCapture`; a level is `level`. */
            name: string;
            /** @description What can be set. */
            parameters: components["schemas"]["flipside.strategy.v1.Parameter"][];
            /** @description What it does, in one sentence. */
            summary: string;
        };
        /** @description TakeCorners keeps the corner cells only. It may keep nothing. */
        "flipside.strategy.v1.TakeCorners": Record<string, unknown>;
        /**
         * @description TryTwo keeps what `second` keeps of what `first` keeps. Where `first` keeps nothing it is `second` alone; where
         *     `second` then keeps nothing it is `first` alone.
         */
        "flipside.strategy.v1.TryTwo": {
            /** @description Required. Asked first. Strategies nest at most 8 deep. */
            first?: components["schemas"]["flipside.strategy.v1.Strategy"];
            /** @description Required. Asked to choose among what `first` keeps. */
            second?: components["schemas"]["flipside.strategy.v1.Strategy"];
        };
        "google.api.HttpBody": {
            contentType: string;
            /** Format: byte */
            data: string;
            extensions: ({
                /** @description A URL/resource name that uniquely identifies the type of the serialized protocol buffer message. */
                "@type"?: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description The Status type defines a logical error model suitable for different programming environments. */
        "google.rpc.Status": {
            /**
             * Format: int32
             * @description The status code, which should be an enum value of google.rpc.Code.
             */
            code: number;
            /** @description A list of messages that carry the error details. */
            details: ({
                "@type"?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description A developer-facing error message. */
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
