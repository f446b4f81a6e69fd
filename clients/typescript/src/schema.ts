// Generated from gen/openapi/openapi.json by `npm run types`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description AbortGameResponse is the response of AbortGame. */
        "flipside.game.v1.AbortGameResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description AbsencePolicy decides a game in which a player does not move in time. */
        "flipside.game.v1.AbsencePolicy": {
            /** @description The game is a draw. */
            draw?: components["schemas"]["flipside.game.v1.AbsencePolicy.Draw"];
            /** @description The opponent wins. */
            forfeit?: components["schemas"]["flipside.game.v1.AbsencePolicy.Forfeit"];
            /**
             * @description This robot takes the seat, with a full clock, and the game continues. A robot that does not
             *     move in time, such as during an outage of the server, loses.
             */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
        };
        /** @description Draw makes the game a draw. */
        "flipside.game.v1.AbsencePolicy.Draw": Record<string, unknown>;
        /** @description Forfeit makes the opponent win. */
        "flipside.game.v1.AbsencePolicy.Forfeit": Record<string, unknown>;
        /** @description ClaimAbandonmentResponse is the response of ClaimAbandonment. */
        "flipside.game.v1.ClaimAbandonmentResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Clocks holds the time of each side when the current turn began. The clock of the side to move
         *     runs until the `deadline` of the turn.
         */
        "flipside.game.v1.Clocks": {
            /** @description The time that SIDE_FIRST had left. */
            first: string;
            /** @description The time that SIDE_SECOND had left. */
            second: string;
        };
        /** @description CreateGameResponse is the response of CreateGame. */
        "flipside.game.v1.CreateGameResponse": {
            /** @description The new game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description CreatePlayerResponse is the response of CreatePlayer. */
        "flipside.game.v1.CreatePlayerResponse": {
            /** @description The secret key that authenticates the player. No other response contains it. */
            key: string;
            /** @description The new player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description DeclineOfferResponse is the response of DeclineOffer. */
        "flipside.game.v1.DeclineOfferResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description End announces that the server closes the stream. */
        "flipside.game.v1.End": {
            /** @description The reason. */
            reason: components["schemas"]["flipside.game.v1.EndReason"];
        };
        /**
         * @description EndReason is the reason for which the server closes a stream.
         * @enum {string}
         */
        "flipside.game.v1.EndReason": "END_REASON_UNSPECIFIED" | "END_REASON_GAME_OVER" | "END_REASON_SHUTTING_DOWN" | "END_REASON_TOO_SLOW" | "END_REASON_KEY_REVOKED";
        /**
         * @description Ending is the kind of ending of a game.
         * @enum {string}
         */
        "flipside.game.v1.Ending": "ENDING_UNSPECIFIED" | "ENDING_SCORE" | "ENDING_RESIGNATION" | "ENDING_TIME" | "ENDING_ABANDONMENT" | "ENDING_AGREEMENT";
        /** @description Event is an entry in the log of a game. The log is complete: its replay gives the game. */
        "flipside.game.v1.Event": {
            /** @description The game was aborted. */
            aborted?: components["schemas"]["flipside.game.v1.GameAborted"];
            /** @description The game was created. */
            created?: components["schemas"]["flipside.game.v1.GameCreated"];
            /** @description The game ended with an outcome. */
            finished?: components["schemas"]["flipside.game.v1.GameFinished"];
            /** @description The id of the game. */
            gameId: string;
            /** @description A move was played. A pass is a move. */
            movePlayed?: components["schemas"]["flipside.game.v1.MovePlayed"];
            /** @description Both sides agreed to a takeback, and the game returned to an earlier position. */
            movesTakenBack?: components["schemas"]["flipside.game.v1.MovesTakenBack"];
            /** @description A side declined an offer, or withdrew its own. */
            offerDeclined?: components["schemas"]["flipside.game.v1.OfferDeclined"];
            /** @description A side made an offer. */
            offerMade?: components["schemas"]["flipside.game.v1.OfferMade"];
            /**
             * @description The part of the turn before the event in which no server process ran. It does not count on the
             *     clock. Not set for zero.
             */
            paused: string;
            /** @description Both sides agreed to a rematch. */
            rematchCreated?: components["schemas"]["flipside.game.v1.RematchCreated"];
            /** @description A robot got another strategy, or took the seat of a player who did not move in time. */
            robotChanged?: components["schemas"]["flipside.game.v1.RobotChanged"];
            /** @description A player took an open seat, or accepted an invitation. */
            seatTaken?: components["schemas"]["flipside.game.v1.SeatTaken"];
            /** @description The game started, because every seat is filled. */
            started?: components["schemas"]["flipside.game.v1.GameStarted"];
            /**
             * Format: date-time
             * @description The time of the event.
             */
            time: string;
            /**
             * Format: int32
             * @description The position in the log: 1, 2, 3 and so on without gaps.
             */
            version: number;
        };
        /** @description ForkGameResponse is the response of ForkGame. */
        "flipside.game.v1.ForkGameResponse": {
            /** @description The new game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Format is the format of a drawing.
         * @enum {string}
         */
        "flipside.game.v1.Format": "FORMAT_UNSPECIFIED" | "FORMAT_TEXT" | "FORMAT_SVG" | "FORMAT_PNG";
        /** @description Game is the state of a game after `version` events. */
        "flipside.game.v1.Game": {
            /** @description The clocks. Not set without a time limit. */
            clocks?: components["schemas"]["flipside.game.v1.Clocks"];
            /**
             * Format: date-time
             * @description The time of the creation.
             */
            createTime: string;
            /** @description The id of the player who created the game. */
            creatorId: string;
            /** @description The entity tag, which differs for every version. */
            etag: string;
            /** @description The id, a lower-case ULID. Later games sort after earlier games. */
            id: string;
            /** @description The kind of game. */
            kind: components["schemas"]["flipside.rules.v1.GameKind"];
            /**
             * @description The cell of the last placement or card. Not set before the first one. A pass does not change
             *     it.
             */
            lastCell?: components["schemas"]["flipside.rules.v1.Cell"];
            /** @description The open offers. A move ends all offers. */
            offers: components["schemas"]["flipside.game.v1.Offer"][];
            /** @description The outcome. Set only for a finished game. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /** @description The current position. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The id of the rematch of this game. Empty if there is none. */
            rematch: string;
            /** @description The id of the game that this game is a rematch of. Empty if it is not a rematch. */
            rematchOf: string;
            /** @description The current score, without awarded empty cells. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description Both seats: SIDE_FIRST, then SIDE_SECOND. */
            seats: components["schemas"]["flipside.game.v1.Seat"][];
            /** @description The setup, with every default filled in. */
            setup?: components["schemas"]["flipside.rules.v1.Setup"];
            /** @description The state in the life of the game. */
            state: components["schemas"]["flipside.game.v1.GameState"];
            /** @description The time control. Not set for a game without one. */
            timeControl?: components["schemas"]["flipside.game.v1.TimeControl"];
            /** @description The current turn. Set only while the game is active. */
            turn?: components["schemas"]["flipside.game.v1.Turn"];
            /**
             * Format: date-time
             * @description The time of the last event.
             */
            updateTime: string;
            /**
             * Format: int32
             * @description The number of events in the log, from 1.
             */
            version: number;
            /** @description The players who can see the game. */
            visibility: components["schemas"]["flipside.game.v1.Visibility"];
        };
        /** @description GameAborted records that a game was aborted. */
        "flipside.game.v1.GameAborted": {
            /** @description The side that aborted the game; SIDE_UNSPECIFIED for a creator without a seat. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description GameCreated records the creation of a game. */
        "flipside.game.v1.GameCreated": {
            /** @description The origin of a fork. Not set for other games. */
            forkedFrom?: components["schemas"]["flipside.game.v1.GameCreated.ForkedFrom"];
            /** @description The position at the start. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The seats at the creation. */
            seats: components["schemas"]["flipside.game.v1.Seat"][];
            /** @description The time control. Not set for a game without one. */
            timeControl?: components["schemas"]["flipside.game.v1.TimeControl"];
        };
        /** @description ForkedFrom identifies a position of another game. */
        "flipside.game.v1.GameCreated.ForkedFrom": {
            /** @description The id of the other game. */
            gameId: string;
            /**
             * Format: int32
             * @description The version of the other game.
             */
            version: number;
        };
        /** @description GameFinished records the end of a game. */
        "flipside.game.v1.GameFinished": {
            /** @description The winner and the kind of ending. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /** @description The score at the end, without awarded empty cells. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
        };
        /** @description GameOver announces that a game ended. */
        "flipside.game.v1.GameOver": {
            /** @description The id of the game. */
            gameId: string;
            /** @description The outcome. Not set for an aborted game. */
            outcome?: components["schemas"]["flipside.game.v1.Outcome"];
            /**
             * Format: int32
             * @description The version of the game.
             */
            version: number;
        };
        /** @description GameStarted records the start of a game. */
        "flipside.game.v1.GameStarted": {
            /** @description The side that moves first. */
            turn: components["schemas"]["flipside.rules.v1.Side"];
        };
        /**
         * @description GameState is a state in the life of a game.
         * @enum {string}
         */
        "flipside.game.v1.GameState": "GAME_STATE_UNSPECIFIED" | "GAME_STATE_WAITING" | "GAME_STATE_ACTIVE" | "GAME_STATE_FINISHED" | "GAME_STATE_ABORTED";
        /** @description GetGameResponse is the response of GetGame. */
        "flipside.game.v1.GetGameResponse": {
            /** @description The game. */
            game?: components["schemas"]["flipside.game.v1.Game"];
        };
        /** @description GetMeResponse is the response of GetMe. */
        "flipside.game.v1.GetMeResponse": {
            /** @description The player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description Heartbeat shows that the stream is alive. */
        "flipside.game.v1.Heartbeat": Record<string, unknown>;
        /** @description JoinGameResponse is the response of JoinGame. */
        "flipside.game.v1.JoinGameResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description ListEventsResponse is the response of ListEvents. */
        "flipside.game.v1.ListEventsResponse": {
            /** @description The events, the oldest first. */
            events: components["schemas"]["flipside.game.v1.Event"][];
            /** @description The `page_token` of the next page. Empty on the last page. */
            nextPageToken: string;
        };
        /** @description ListGamesResponse is the response of ListGames. */
        "flipside.game.v1.ListGamesResponse": {
            /** @description The games, the newest first. */
            games: components["schemas"]["flipside.game.v1.Game"][];
            /** @description The `page_token` of the next page. Empty on the last page. */
            nextPageToken: string;
        };
        /** @description ListLegalMovesResponse is the response of ListLegalMoves. */
        "flipside.game.v1.ListLegalMovesResponse": {
            /** @description The moves. */
            moves: components["schemas"]["flipside.rules.v1.LegalMove"][];
            /** @description The `page_token` of the next page. Empty on the last page. */
            nextPageToken: string;
            /**
             * Format: int32
             * @description The version of the game to which the moves belong.
             */
            version: number;
        };
        /** @description MovePlayed records a move and its result. A pass is a move. */
        "flipside.game.v1.MovePlayed": {
            /** @description The analysis of the robot that moved. Not set for other players. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
            /**
             * @description Whether the server made the move: because the side had no placement (`auto_pass`), or because a
             *     robot's strategy failed.
             */
            automatic: boolean;
            /** @description The flips: wave by wave, in reading order inside a wave. */
            flips: components["schemas"]["flipside.rules.v1.Flip"][];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move in notation. */
            notation: string;
            /** @description The position after the move. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The score after the move. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description The side that moved. */
            side: components["schemas"]["flipside.rules.v1.Side"];
            /**
             * @description The reason why the server played a simple move for a robot. Not set for other moves: an
             *     automatic pass has none.
             */
            substitute?: components["schemas"]["flipside.game.v1.Substitute"];
        };
        /** @description MovesTakenBack records a takeback. */
        "flipside.game.v1.MovesTakenBack": {
            /** @description The position after the takeback. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
            /** @description The score after the takeback. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description The side that made the offer. It is to move. */
            side: components["schemas"]["flipside.rules.v1.Side"];
            /**
             * Format: int32
             * @description The version to which the position and the clocks return. Versions still grow.
             */
            toVersion: number;
        };
        /** @description Offer is a proposal of one side, which the other side can accept or decline. */
        "flipside.game.v1.Offer": {
            /** @description The subject of the offer. */
            kind: components["schemas"]["flipside.game.v1.OfferKind"];
            /** @description The side that made the offer. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description OfferDeclined records that a side declined the opponent's offer, or withdrew its own. */
        "flipside.game.v1.OfferDeclined": {
            /** @description The subject of the offer. */
            kind: components["schemas"]["flipside.game.v1.OfferKind"];
            /** @description The side that declined or withdrew the offer. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /**
         * @description OfferKind is the subject of an offer.
         * @enum {string}
         */
        "flipside.game.v1.OfferKind": "OFFER_KIND_UNSPECIFIED" | "OFFER_KIND_TAKEBACK" | "OFFER_KIND_DRAW" | "OFFER_KIND_REMATCH";
        /** @description OfferMade records an offer that the opponent can accept. */
        "flipside.game.v1.OfferMade": {
            /** @description The subject of the offer. */
            kind: components["schemas"]["flipside.game.v1.OfferKind"];
            /** @description The side that made the offer. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description OfferResponse is the response of Offer. */
        "flipside.game.v1.OfferResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Outcome is the winner of a finished game and the kind of its ending. */
        "flipside.game.v1.Outcome": {
            /** @description Whether the game is a draw. */
            draw: boolean;
            /** @description The kind of ending. */
            ending: components["schemas"]["flipside.game.v1.Ending"];
            /** @description The winner; SIDE_UNSPECIFIED for a draw. */
            winner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description PlayMoveResponse is the response of PlayMove. */
        "flipside.game.v1.PlayMoveResponse": {
            /** @description The event of the caller's move. */
            event?: components["schemas"]["flipside.game.v1.Event"];
            /** @description The game after the move and after any automatic pass. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Player is a person or a program that plays games. */
        "flipside.game.v1.Player": {
            /**
             * Format: date-time
             * @description The time of the creation.
             */
            createTime: string;
            /** @description The name for other players to see. */
            displayName: string;
            /** @description The id, a lower-case ULID. */
            id: string;
        };
        /** @description PreviewGameResponse is the response of PreviewGame. */
        "flipside.game.v1.PreviewGameResponse": {
            /** @description What a visitor can do, such as "Watch this game live." */
            description: string;
            /**
             * Format: byte
             * @description A PNG of the board, 1200 by 630 pixels. Empty unless the request asks for it.
             */
            picture: string;
            /**
             * @description The game, the side to move or the winner, and the score, such as "Reversi: Black to move. Black
             *     17, White 23."
             */
            title: string;
        };
        /** @description RematchCreated records that both sides agreed to a rematch. */
        "flipside.game.v1.RematchCreated": {
            /** @description The id of the rematch. */
            gameId: string;
        };
        /** @description ResignResponse is the response of Resign. */
        "flipside.game.v1.ResignResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Robot is a strategy that holds a seat. */
        "flipside.game.v1.Robot": {
            /**
             * @description The Strategy service that runs the strategy, by the name in the server's configuration, at most
             *     64 characters. Default: the service of this server.
             */
            provider: string;
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves. The same seed gives the same choice.
             *     Default (0): the first move in reading order.
             */
            seed: string;
            /** @description Required. The strategy that chooses its moves. */
            strategy?: components["schemas"]["flipside.strategy.v1.Strategy"];
        };
        /**
         * @description RobotChanged records that a robot got another strategy, or took the seat of a player who did not
         *     move in time.
         */
        "flipside.game.v1.RobotChanged": {
            /**
             * @description The former seat of the player who ran out of time or was absent. Not set if a robot held the
             *     seat before.
             */
            replaced?: components["schemas"]["flipside.game.v1.Seat"];
            /** @description The robot with its new strategy. */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
            /** @description The side of the robot. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description RobotDelayed reports that a robot's strategy failed and will be retried. */
        "flipside.game.v1.RobotDelayed": {
            /**
             * Format: int32
             * @description The number of failed attempts, from 1.
             */
            attempt: number;
            /**
             * Format: date-time
             * @description The time of the next attempt.
             */
            retryTime: string;
            /** @description The side of the robot. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description RotateKeyResponse is the response of RotateKey. */
        "flipside.game.v1.RotateKeyResponse": {
            /** @description The new secret key. No other response contains it. */
            key: string;
            /** @description The player. */
            player?: components["schemas"]["flipside.game.v1.Player"];
        };
        /** @description Seat is a side of a game and its holder. In a request, a missing seat is open. */
        "flipside.game.v1.Seat": {
            /** @description Input only. The caller, who can hold both seats. */
            caller?: components["schemas"]["flipside.game.v1.Seat.Caller"];
            /** @description No player yet. */
            open?: components["schemas"]["flipside.game.v1.Seat.Open"];
            /** @description A player. A player other than the caller is invited: the seat is reserved until they accept. */
            player?: components["schemas"]["flipside.game.v1.Seat.SeatedPlayer"];
            /** @description A robot. */
            robot?: components["schemas"]["flipside.game.v1.Robot"];
            /** @description Output only. The side. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description Caller stands for the player who makes the call. */
        "flipside.game.v1.Seat.Caller": Record<string, unknown>;
        /** @description Open marks a seat without a player. */
        "flipside.game.v1.Seat.Open": Record<string, unknown>;
        /** @description SeatedPlayer is a player who holds a seat. */
        "flipside.game.v1.Seat.SeatedPlayer": {
            /** @description Output only. The display name of the player. */
            displayName: string;
            /**
             * @description Output only. Whether the seat is reserved for the player, who has not accepted yet. They accept
             *     with JoinGame and decline with AbortGame.
             */
            invited: boolean;
            /** @description Required. The id of the player: at most 64 letters, digits and `-._~`. */
            playerId: string;
        };
        /** @description SeatTaken records that a player took an open seat. */
        "flipside.game.v1.SeatTaken": {
            /** @description The seat with its player. */
            seat?: components["schemas"]["flipside.game.v1.Seat"];
        };
        /** @description SetRobotResponse is the response of SetRobot. */
        "flipside.game.v1.SetRobotResponse": {
            /** @description The game after the change. */
            game?: components["schemas"]["flipside.game.v1.Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Substitute explains a move that the server played for a robot, because the robot's Strategy
         *     service gave no usable move.
         */
        "flipside.game.v1.Substitute": {
            /** @description The name of the Strategy service, as in Robot. Empty for the service of this server. */
            provider: string;
            /** @description The reason. */
            reason: components["schemas"]["flipside.game.v1.SubstituteReason"];
        };
        /**
         * @description SubstituteReason is the reason for which a Strategy service gave no usable move. The server
         *     retries a few times first.
         * @enum {string}
         */
        "flipside.game.v1.SubstituteReason": "SUBSTITUTE_REASON_UNSPECIFIED" | "SUBSTITUTE_REASON_NO_ANSWER" | "SUBSTITUTE_REASON_UNAVAILABLE" | "SUBSTITUTE_REASON_REJECTED" | "SUBSTITUTE_REASON_INVALID_ANSWER" | "SUBSTITUTE_REASON_ILLEGAL_MOVE" | "SUBSTITUTE_REASON_SUSPENDED";
        /**
         * @description Theme is a set of colours for an SVG or a PNG.
         * @enum {string}
         */
        "flipside.game.v1.Theme": "THEME_UNSPECIFIED" | "THEME_LIGHT" | "THEME_DARK";
        /**
         * @description TimeControl limits the time of the players. A request sets at least one of `limit` and
         *     `claim_after`.
         *
         *     The clock of a side runs in its own turns: from the event that gives it the turn to the event
         *     that ends the turn. A pass that the server makes for a side (`auto_pass`) takes no time. A
         *     robot's clock runs like any other, and a robot moves before its time is up. A move is in time
         *     until the deadline plus a short lag grace, which the operator of the server sets (1 s by
         *     default). When the time is up, the server applies `on_absence`, even if no client is connected.
         *     Time in which no server process serves does not count, unless the operator has set otherwise: it
         *     moves the deadline and the claim time.
         */
        "flipside.game.v1.TimeControl": {
            /**
             * @description The duration of a player's turn, 1 s to 30 days, after which the player counts as absent and
             *     the opponent can call ClaimAbandonment. Default: no player counts as absent.
             */
            claimAfter: string;
            /**
             * Format: int32
             * @description A time for each move in days, 1 to 30, for correspondence games.
             */
            days?: number;
            /** @description A time for all moves of a side, which grows with each move. */
            fischer?: components["schemas"]["flipside.game.v1.TimeControl.Fischer"];
            /** @description The policy for a player whose time is up, or whose absence was claimed. Default: `forfeit`. */
            onAbsence?: components["schemas"]["flipside.game.v1.AbsencePolicy"];
            /** @description A time for each move, 1 s to 12 h. */
            perMove?: string;
        };
        /** @description Fischer is a time for all moves of a side, plus an increment for each move. */
        "flipside.game.v1.TimeControl.Fischer": {
            /** @description The time that each move of a side adds to its clock, 0 s to 1 h. Default: 0 s. */
            increment: string;
            /** @description Required. The time of each side at the start, 1 s to 24 h. */
            initial: string;
        };
        /** @description Turn is the current turn of a game. */
        "flipside.game.v1.Turn": {
            /**
             * Format: date-time
             * @description The time from which on the opponent can claim that the player is absent. Not set without
             *     `claim_after`.
             */
            claimTime: string;
            /**
             * Format: date-time
             * @description The time at which the clock of the side to move is up. Not set without a time limit.
             */
            deadline: string;
            /** @description Whether pass is the only legal move. */
            mustPass: boolean;
            /** @description The side to move. */
            side: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description TurnNotice announces that a player is to move in a game. */
        "flipside.game.v1.TurnNotice": {
            /**
             * Format: date-time
             * @description The time at which the clock of the side is up. Not set without a time limit.
             */
            deadline: string;
            /** @description The id of the game. */
            gameId: string;
            /** @description Whether the game waits for the player to accept an invitation. */
            invitation: boolean;
            /** @description The id of the player. */
            playerId: string;
            /** @description The side to move. */
            side: components["schemas"]["flipside.rules.v1.Side"];
            /**
             * Format: int32
             * @description The version of the game, to send as `expected_version`.
             */
            version: number;
        };
        /**
         * @description Visibility decides which players can see a game.
         * @enum {string}
         */
        "flipside.game.v1.Visibility": "VISIBILITY_UNSPECIFIED" | "VISIBILITY_PUBLIC" | "VISIBILITY_LINK" | "VISIBILITY_PRIVATE";
        /** @description WatchGameResponse is a message of a stream of one game. */
        "flipside.game.v1.WatchGameResponse": {
            /** @description The end of the stream. It is the last message. */
            end?: components["schemas"]["flipside.game.v1.End"];
            /** @description The next event. */
            event?: components["schemas"]["flipside.game.v1.Event"];
            /** @description A heartbeat after a time without other messages. */
            heartbeat?: components["schemas"]["flipside.game.v1.Heartbeat"];
            /** @description The longest time without a message on a live stream. Set only in the first message. */
            heartbeatInterval: string;
            /** @description A robot's strategy failed and will be retried. The log does not contain it. */
            robotDelayed?: components["schemas"]["flipside.game.v1.RobotDelayed"];
            /** @description The current state of the game. */
            snapshot?: components["schemas"]["flipside.game.v1.Game"];
            /**
             * Format: date-time
             * @description The time at which the server sent the message.
             */
            time: string;
            /**
             * Format: int32
             * @description The version up to which the server has sent all events.
             */
            version: number;
        };
        /** @description WatchTurnsResponse is a message of a stream of turns. */
        "flipside.game.v1.WatchTurnsResponse": {
            /** @description The cursor from which the client can resume after this message. */
            cursor: string;
            /** @description The end of the stream. It is the last message. */
            end?: components["schemas"]["flipside.game.v1.End"];
            /** @description A game of the caller ended. */
            gameOver?: components["schemas"]["flipside.game.v1.GameOver"];
            /** @description A heartbeat after a time without other messages. */
            heartbeat?: components["schemas"]["flipside.game.v1.Heartbeat"];
            /** @description The longest time without a message on a live stream. Set only in the first message. */
            heartbeatInterval: string;
            /**
             * Format: date-time
             * @description The time at which the server sent the message.
             */
            time: string;
            /** @description The caller is to move in a game. */
            turn?: components["schemas"]["flipside.game.v1.TurnNotice"];
        };
        /** @description Card is a card with its four values, each 1 to 10. Notations have `A` for 10. */
        "flipside.rules.v1.Card": {
            /**
             * Format: int32
             * @description The value of the right side.
             */
            east: number;
            /** @description The name, unique in its deck. */
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
         * @description Cause is the rule that made a card flip. If several rules explain a flip, the cause is the first
         *     of them in the order of this enum.
         * @enum {string}
         */
        "flipside.rules.v1.Cause": "CAUSE_UNSPECIFIED" | "CAUSE_GREATER" | "CAUSE_LESS" | "CAUSE_FALLEN_ACE" | "CAUSE_SAME" | "CAUSE_PLUS";
        /** @description Cell identifies a cell of a board. */
        "flipside.rules.v1.Cell": {
            /** @description A cell of a hexagonal board. */
            hex?: components["schemas"]["flipside.rules.v1.HexCell"];
            /** @description A cell of a square board or of a grid. */
            square?: components["schemas"]["flipside.rules.v1.SquareCell"];
        };
        /** @description Flip is a disc or a card that changed sides. */
        "flipside.rules.v1.Flip": {
            /** @description The rule that caused the flip. */
            cause: components["schemas"]["flipside.rules.v1.Cause"];
            /** @description The cell of the disc or card. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
            /** @description The cell in notation. */
            notation: string;
            /**
             * Format: int32
             * @description The step of the chain: 0 for a flip that the move itself caused. Always 0 in Reversi.
             */
            wave: number;
        };
        /**
         * @description GameKind is a game.
         * @enum {string}
         */
        "flipside.rules.v1.GameKind": "GAME_KIND_UNSPECIFIED" | "GAME_KIND_REVERSI" | "GAME_KIND_THREE_TRIOS";
        /** @description GridCell is the content of a cell of a grid. */
        "flipside.rules.v1.GridCell": {
            /** @description The card on the cell. */
            card?: components["schemas"]["flipside.rules.v1.Card"];
            /** @description Always true: the cell is an empty card cell. */
            empty?: boolean;
            /** @description Always true: the cell is a hole. */
            hole?: boolean;
            /** @description The owner of the card; SIDE_UNSPECIFIED for a cell without a card. */
            owner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description HexCell holds axial coordinates. (0, 0) is the centre of the board. */
        "flipside.rules.v1.HexCell": {
            /**
             * Format: int32
             * @description The coordinate that grows to the right along a row: -n to n on a board of n rings.
             */
            q: number;
            /**
             * Format: int32
             * @description The coordinate that grows downwards: -n (the top row) to n on a board of n rings.
             */
            r: number;
            /**
             * Format: int32
             * @description The third cube coordinate. Optional in a request, where q + r + s must be 0. Never set in a
             *     response.
             */
            s: number;
        };
        /** @description HexagonBoard is a board of hexagonal cells in rings around a centre cell. */
        "flipside.rules.v1.HexagonBoard": {
            /**
             * Format: int32
             * @description The number of rings around the centre cell, 1 to 12. Default (0): 5.
             */
            rings: number;
        };
        /** @description LegalMove is a legal move and the flips it would cause. */
        "flipside.rules.v1.LegalMove": {
            /**
             * Format: int32
             * @description The number of discs or cards that would flip, in all waves.
             */
            flipCount: number;
            /** @description The flips: wave by wave, in reading order inside a wave. */
            flips: components["schemas"]["flipside.rules.v1.Flip"][];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move in notation. */
            notation: string;
        };
        /** @description Move is one turn of a player. */
        "flipside.rules.v1.Move": {
            /** @description Pass the turn to the opponent (Reversi). */
            passTurn?: components["schemas"]["flipside.rules.v1.Move.PassTurn"];
            /** @description Place a disc (Reversi). */
            place?: components["schemas"]["flipside.rules.v1.Move.Place"];
            /** @description Play a card from the hand (Three Trios). */
            playCard?: components["schemas"]["flipside.rules.v1.Move.PlayCard"];
        };
        /** @description PassTurn passes the turn to the opponent. */
        "flipside.rules.v1.Move.PassTurn": Record<string, unknown>;
        /** @description Place places a disc on an empty cell. */
        "flipside.rules.v1.Move.Place": {
            /** @description Required. The cell. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
        };
        /** @description PlayCard plays a card from the hand on an empty card cell. */
        "flipside.rules.v1.Move.PlayCard": {
            /** @description Required. The name of the card, at most 256 characters. */
            card: string;
            /** @description Required. The cell. */
            cell?: components["schemas"]["flipside.rules.v1.Cell"];
        };
        /**
         * @description PassRule decides when a side may pass and when a game of Reversi ends.
         * @enum {string}
         */
        "flipside.rules.v1.PassRule": "PASS_RULE_UNSPECIFIED" | "PASS_RULE_VOLUNTARY" | "PASS_RULE_FORCED";
        /**
         * @description Position is one state of a game. A request needs only `notation`; the server ignores the other
         *     fields, so that a client can send back a position from any response.
         */
        "flipside.rules.v1.Position": {
            /** @description Required. The position as one line of text, at most 65,536 characters. */
            notation: string;
            /** @description The board of a game of Reversi. */
            reversi?: components["schemas"]["flipside.rules.v1.ReversiPosition"];
            /** @description The grid and the hands of a game of Three Trios. */
            threeTrios?: components["schemas"]["flipside.rules.v1.ThreeTriosPosition"];
        };
        /** @description ReversiPosition is a board of Reversi. */
        "flipside.rules.v1.ReversiPosition": {
            /** @description The corner cells, in reading order. */
            corners: components["schemas"]["flipside.rules.v1.Cell"][];
            /**
             * @description One string for each row from the top, one letter for each cell: `X` black, `O` white, `_`
             *     empty.
             */
            rows: string[];
        };
        /** @description ReversiSetup describes a game of Reversi. */
        "flipside.rules.v1.ReversiSetup": {
            /** @description Whether the server passes for a side that has no placement. */
            autoPass: boolean;
            /**
             * @description Whether the final score includes the empty cells: the winner gets them, in a draw each side
             *     gets half. Default: no.
             */
            emptiesToWinner: boolean;
            /** @description A hexagonal board. */
            hexagon?: components["schemas"]["flipside.rules.v1.HexagonBoard"];
            /**
             * Format: int32
             * @description The least number of discs that a placement must flip, 1 to 64. Default (0): 1.
             */
            minFlips: number;
            /**
             * @description The rule for passes and for the end of the game. Default: PASS_RULE_VOLUNTARY on hexagons,
             *     PASS_RULE_FORCED on squares.
             */
            passRule: components["schemas"]["flipside.rules.v1.PassRule"];
            /** @description A square board. */
            square?: components["schemas"]["flipside.rules.v1.SquareBoard"];
            /**
             * @description The notation of the position to start from, at most 1,024 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: the usual
             *     start of the board.
             */
            startFrom: string;
        };
        /**
         * @description Rule is a rule of Three Trios. Any can be combined, except RULE_DEFAULT with RULE_REVERSE.
         * @enum {string}
         */
        "flipside.rules.v1.Rule": "RULE_UNSPECIFIED" | "RULE_DEFAULT" | "RULE_REVERSE" | "RULE_FALLEN_ACE" | "RULE_SAME" | "RULE_PLUS";
        /**
         * @description Score counts the pieces of each side: discs in Reversi; cards on the grid and in hand in Three
         *     Trios.
         */
        "flipside.rules.v1.Score": {
            /**
             * Format: int32
             * @description The pieces of SIDE_FIRST.
             */
            first: number;
            /**
             * Format: int32
             * @description The pieces of SIDE_SECOND.
             */
            second: number;
        };
        /**
         * @description Setup describes a game to start: its board or cards and its rules. In a request, a missing field
         *     has the default in its comment. In a response, every field is set.
         */
        "flipside.rules.v1.Setup": {
            /** @description Reversi. */
            reversi?: components["schemas"]["flipside.rules.v1.ReversiSetup"];
            /** @description Three Trios. */
            threeTrios?: components["schemas"]["flipside.rules.v1.ThreeTriosSetup"];
        };
        /**
         * @description Side is one of the two sides of a game.
         * @enum {string}
         */
        "flipside.rules.v1.Side": "SIDE_UNSPECIFIED" | "SIDE_FIRST" | "SIDE_SECOND";
        /** @description SquareBoard is a square board. */
        "flipside.rules.v1.SquareBoard": {
            /**
             * Format: int32
             * @description The number of cells along one side, even, 4 to 16. Default (0): 8.
             */
            side: number;
            /** @description The pattern of the discs at the start. Default: START_STANDARD. */
            start: components["schemas"]["flipside.rules.v1.Start"];
        };
        /** @description SquareCell holds a row and a column. */
        "flipside.rules.v1.SquareCell": {
            /**
             * Format: int32
             * @description The column, counted from 0 at the left.
             */
            column: number;
            /**
             * Format: int32
             * @description The row, counted from 0 at the top.
             */
            row: number;
        };
        /**
         * @description Start is the pattern of the four discs in the middle of a square board at the start.
         * @enum {string}
         */
        "flipside.rules.v1.Start": "START_UNSPECIFIED" | "START_STANDARD" | "START_MIRRORED";
        /** @description ThreeTriosPosition is a grid of Three Trios and both hands. */
        "flipside.rules.v1.ThreeTriosPosition": {
            /** @description All rows * columns cells in reading order: row by row from the top, each from the left. */
            cells: components["schemas"]["flipside.rules.v1.GridCell"][];
            /**
             * Format: int32
             * @description The number of columns, 1 to 16.
             */
            columns: number;
            /** @description The cards in hand. */
            hands?: components["schemas"]["flipside.rules.v1.ThreeTriosPosition.Hands"];
            /**
             * Format: int32
             * @description The number of rows, 1 to 16.
             */
            rows: number;
        };
        /** @description Hands holds both hands. Every viewer of the game sees them. */
        "flipside.rules.v1.ThreeTriosPosition.Hands": {
            /** @description Red's cards. The index in this list is the hand index. */
            first: components["schemas"]["flipside.rules.v1.Card"][];
            /** @description Blue's cards. The index in this list is the hand index. */
            second: components["schemas"]["flipside.rules.v1.Card"][];
        };
        /** @description ThreeTriosSetup describes a game of Three Trios. Default: a built-in game on 3 by 3 cells. */
        "flipside.rules.v1.ThreeTriosSetup": {
            /** @description Whether neighbours that the mover owns count for RULE_SAME and RULE_PLUS. Default: no. */
            countOwnCards: boolean;
            /**
             * @description The deck file, at most 65,536 characters: one card on each line, `name north south east west`,
             *     with values 1 to 10 or `A` for 10. It needs at least one card more than the grid has card
             *     cells. Default: the built-in deck.
             */
            deck: string;
            /**
             * @description The grid file, at most 512 characters: the numbers of rows and columns (1 to 16 each) on the
             *     first line, then one line for each row of `C` (card cell) and `X` (hole). The number of card
             *     cells is odd. Default: the built-in grid.
             */
            grid: string;
            /**
             * @description The rules in force, at most 16 entries. Repeated rules count once. RULE_DEFAULT is in force
             *     unless RULE_REVERSE is, whether the list has it or not; a response lists it.
             */
            rules: components["schemas"]["flipside.rules.v1.Rule"][];
            /**
             * Format: int64
             * @description The seed for a shuffle of the deck before the deal. The same seed gives the same order.
             *     Default: no shuffle.
             */
            shuffleSeed: string;
            /**
             * @description The notation of the position to start from, at most 65,536 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: a deal.
             */
            startFrom: string;
        };
        /**
         * @description AlphaBeta searches by iterative deepening for the best difference in discs or cards. The same
         *     depth always gives the same move. It discards an iteration that runs out of time, except the
         *     first.
         */
        "flipside.strategy.v1.AlphaBeta": {
            /** @description The static evaluation. Default: EVALUATION_DISC_DIFFERENCE. */
            evaluation: components["schemas"]["flipside.strategy.v1.AlphaBeta.Evaluation"];
            /**
             * Format: int32
             * @description The search depth in plies, 1 to 64. Default (0): 4, or no limit if `max_time` is set.
             */
            maxDepth: number;
            /**
             * @description The time limit of the search, 0 s to 60 s. Default (0 s): the deadline of the call. The limits of
             *     the server apply too: a robot thinks at most 30 s about a move, unless the operator changes it.
             */
            maxTime: string;
        };
        /**
         * @description Evaluation is the static evaluation of a position.
         * @enum {string}
         */
        "flipside.strategy.v1.AlphaBeta.Evaluation": "EVALUATION_UNSPECIFIED" | "EVALUATION_DISC_DIFFERENCE";
        /** @description Analysis is the result of a search at some depth. */
        "flipside.strategy.v1.Analysis": {
            /**
             * Format: int32
             * @description The confidence, in percent, with which the search cut branches after a shallower search: 100 if
             *     it cut none, as always with `exact`. 0 for a strategy that does not search.
             */
            confidence: number;
            /**
             * Format: int32
             * @description The search depth in plies. 0 for a strategy that does not search.
             */
            depth: number;
            /** @description Whether `score` is proved, by a search of every line to the end of the game. */
            exact: boolean;
            /** @description Whether the search is finished. */
            final: boolean;
            /**
             * Format: int32
             * @description The proved lower bound of the final difference.
             */
            lowerBound: number;
            /** @description The best lines, best first, as many as the request wants. The first is the principal variation. */
            multiPv: components["schemas"]["flipside.strategy.v1.Line"][];
            /**
             * Format: int64
             * @description The number of nodes visited.
             */
            nodes: string;
            /**
             * Format: int64
             * @description The number of nodes visited per second.
             */
            nodesPerSecond: string;
            /**
             * @description The pass rule of the search: PASS_RULE_FORCED in Reversi, even if passes are voluntary. Not set
             *     for other games.
             */
            passRule: components["schemas"]["flipside.rules.v1.PassRule"];
            /** @description The principal variation from the given position, as moves in notation. */
            principalVariation: string[];
            /**
             * Format: int32
             * @description The expected difference in discs or cards, for the side to move.
             */
            score: number;
            /** @description The time of the search. */
            time: string;
            /**
             * Format: int32
             * @description The proved upper bound of the final difference.
             */
            upperBound: number;
        };
        /** @description AnalyzePositionResponse is a message of an analysis. */
        "flipside.strategy.v1.AnalyzePositionResponse": {
            /** @description The result at this depth. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
        };
        /** @description AvoidNextToCorners keeps the cells that are not next to a corner cell. It can keep no move. */
        "flipside.strategy.v1.AvoidNextToCorners": Record<string, unknown>;
        /** @description Candidate is one of the moves that a strategy considers best, with its value. */
        "flipside.strategy.v1.Candidate": {
            /** @description The meaning of `value`. */
            measure: components["schemas"]["flipside.strategy.v1.Measure"];
            /** @description The move. */
            move?: components["schemas"]["flipside.rules.v1.Move"];
            /** @description The move in notation. */
            notation: string;
            /**
             * Format: int32
             * @description The value that the strategy compares, in the unit of `measure`.
             */
            value: number;
        };
        /** @description ChooseMoveResponse is the response of ChooseMove. */
        "flipside.strategy.v1.ChooseMoveResponse": {
            /** @description The analysis of the search. */
            analysis?: components["schemas"]["flipside.strategy.v1.Analysis"];
            /** @description All equally good moves, in reading order. */
            candidates: components["schemas"]["flipside.strategy.v1.Candidate"][];
            /**
             * @description The move to play: one of `candidates`. For a robot, `move` or `notation` is enough; `move` is
             *     used if both are set.
             */
            chosen?: components["schemas"]["flipside.strategy.v1.Candidate"];
        };
        /** @description Corners chooses the free corner and the card with the highest sum of values on open sides. */
        "flipside.strategy.v1.Corners": Record<string, unknown>;
        /**
         * @description Engine searches for the strongest move within its limits. All limits are optional. The deadline
         *     of the call always applies.
         */
        "flipside.strategy.v1.Engine": {
            /**
             * Format: int32
             * @description The search depth in plies, 1 to 512. Default (0): no limit.
             */
            maxDepth: number;
            /**
             * Format: int64
             * @description The number of nodes to visit. Default (0): no limit.
             */
            maxNodes: string;
            /**
             * @description The time limit of the search, 0 s to 10 min. Default (0 s): no limit; 10 s for a robot. The
             *     limits of the server apply too: a robot thinks at most 30 s about a move, unless the operator
             *     changes it.
             */
            maxTime: string;
            /**
             * Format: int32
             * @description The number of threads of the search, 1 to 256. Default (0): 1.
             */
            threads: number;
        };
        /** @description Greedy chooses the first move in reading order with the most flips. */
        "flipside.strategy.v1.Greedy": Record<string, unknown>;
        /** @description LeastExposed chooses the cell and the card that the fewest cards of the opponent could beat. */
        "flipside.strategy.v1.LeastExposed": Record<string, unknown>;
        /**
         * @description Level is the strength of a ready-made opponent. In Reversi, the levels combine simple strategies:
         *     easy flips the most discs; medium also avoids cells next to corners; hard takes corners first;
         *     expert also looks at the opponent's replies. In Three Trios, the levels are most_flips, corners,
         *     smallest_reply (on more than 25 card cells least_exposed), and a search.
         * @enum {string}
         */
        "flipside.strategy.v1.Level": "LEVEL_UNSPECIFIED" | "LEVEL_EASY" | "LEVEL_MEDIUM" | "LEVEL_HARD" | "LEVEL_EXPERT";
        /** @description Line is a line of play and its score. */
        "flipside.strategy.v1.Line": {
            /** @description Whether `score` is proved, by a search of every line to the end of the game. */
            exact: boolean;
            /** @description The moves in notation. */
            principalVariation: string[];
            /**
             * Format: int32
             * @description The expected difference in discs or cards, for the side to move.
             */
            score: number;
        };
        /** @description ListPositionMovesResponse is the response of ListPositionMoves. */
        "flipside.strategy.v1.ListPositionMovesResponse": {
            /** @description The moves. */
            moves: components["schemas"]["flipside.rules.v1.LegalMove"][];
            /** @description The `page_token` of the next page. Empty on the last page. */
            nextPageToken: string;
            /** @description The position with its layout for drawing. */
            position?: components["schemas"]["flipside.rules.v1.Position"];
        };
        /** @description ListStrategiesResponse is the response of ListStrategies. */
        "flipside.strategy.v1.ListStrategiesResponse": {
            /** @description All strategies, the simplest first. */
            strategies: components["schemas"]["flipside.strategy.v1.StrategyInfo"][];
        };
        /** @description MatchGame is the complete record of a game. */
        "flipside.strategy.v1.MatchGame": {
            /** @description The side of the strategy `first`. */
            firstSide: components["schemas"]["flipside.rules.v1.Side"];
            /** @description All moves in notation. */
            moves: string[];
            /**
             * Format: int32
             * @description The number of the game, from 1 in the order of the starts. Games 1 and 2, 3 and 4 and so on are
             *     pairs.
             */
            number: number;
            /**
             * Format: int32
             * @description The number of random moves at the start.
             */
            openingPlies: number;
            /** @description The score at the end, without awarded empty cells. */
            score?: components["schemas"]["flipside.rules.v1.Score"];
            /** @description The notation of the position at the start. */
            start: string;
            /** @description The winner; SIDE_UNSPECIFIED for a draw. */
            winner: components["schemas"]["flipside.rules.v1.Side"];
        };
        /** @description MatchSummary is the result of a match so far, as seen by the strategy `first`. */
        "flipside.strategy.v1.MatchSummary": {
            /**
             * Format: int32
             * @description The number of games drawn.
             */
            draws: number;
            /**
             * Format: double
             * @description The strength of `first` minus that of `second`, in Elo. If one of them won every game, the
             *     rating assumes that it lost half a point.
             */
            elo: number;
            /**
             * Format: double
             * @description Half the width of the 95 % confidence interval around `elo`, in Elo.
             */
            eloError: number;
            /** @description Whether the match is over. */
            final: boolean;
            /**
             * Format: double
             * @description The log-likelihood ratio of the test `sprt`. 0 without a test.
             */
            llr: number;
            /**
             * Format: int32
             * @description The number of games lost.
             */
            losses: number;
            /**
             * Format: int32
             * @description The number of games won.
             */
            wins: number;
        };
        /** @description MaxCapture keeps the moves with the most flips. */
        "flipside.strategy.v1.MaxCapture": Record<string, unknown>;
        /**
         * @description Measure is the meaning of the values that a strategy compares.
         * @enum {string}
         */
        "flipside.strategy.v1.Measure": "MEASURE_UNSPECIFIED" | "MEASURE_FLIPS" | "MEASURE_EXPOSURE" | "MEASURE_REPLIES" | "MEASURE_SCORE" | "MEASURE_STRENGTH";
        /**
         * @description Minimax plays each move, counts the replies that `assumed` considers best, and keeps the moves
         *     with the smallest count.
         */
        "flipside.strategy.v1.Minimax": {
            /** @description Required. The assumed strategy of the opponent. Strategies nest at most 8 deep. */
            assumed?: components["schemas"]["flipside.strategy.v1.Strategy"];
        };
        /** @description MostFlips chooses the cell and the card with the most flips. */
        "flipside.strategy.v1.MostFlips": Record<string, unknown>;
        /** @description Parameter describes a parameter of a strategy. */
        "flipside.strategy.v1.Parameter": {
            /** @description The default. Empty for a required parameter. */
            default: string;
            /** @description The largest value, as in JSON. Empty without a largest value. */
            maximum: string;
            /** @description The smallest value, as in JSON. Empty without a smallest value. */
            minimum: string;
            /** @description The name of its field in lowerCamel. */
            name: string;
            /** @description The meaning of the parameter, in one sentence. */
            summary: string;
            /** @description The allowed values of an enum. */
            values: string[];
        };
        /**
         * @description Sprt is a sequential probability ratio test between two hypotheses about the strength of
         *     `first` compared with `second`.
         */
        "flipside.strategy.v1.PlayMatchRequest.Sprt": {
            /**
             * Format: double
             * @description The accepted probability of a wrong decision for `elo1`, below 0.5. Default (0): 0.05.
             */
            alpha: number;
            /**
             * Format: double
             * @description The accepted probability of a wrong decision for `elo0`, below 0.5. Default (0): 0.05.
             */
            beta: number;
            /**
             * Format: double
             * @description The smaller difference in Elo, -1000 to 1000.
             */
            elo0: number;
            /**
             * Format: double
             * @description The greater difference in Elo, -1000 to 1000.
             */
            elo1: number;
        };
        /** @description PlayMatchResponse is a message of a match. */
        "flipside.strategy.v1.PlayMatchResponse": {
            /** @description A finished game. */
            game?: components["schemas"]["flipside.strategy.v1.MatchGame"];
            /** @description The result so far. */
            summary?: components["schemas"]["flipside.strategy.v1.MatchSummary"];
        };
        /**
         * @description SmallestReply guesses the strategy of the opponent and chooses the move after which its reply has
         *     the fewest flips. It plays on at most 25 card cells. On larger grids it fails with
         *     BUDGET_EXCEEDED and cannot be a robot.
         */
        "flipside.strategy.v1.SmallestReply": Record<string, unknown>;
        /**
         * @description Strategy is a strategy and its parameters. A strategy that does not play the game of the position
         *     fails with INVALID_FIELD. ListStrategies returns the games of each strategy. A strategy with all
         *     strategies inside has at most 512 bytes in the protobuf encoding; a larger one fails with
         *     INVALID_FIELD.
         */
        "flipside.strategy.v1.Strategy": {
            /** @description Every game: an alpha-beta search for the best difference in discs or cards. */
            alphaBeta?: components["schemas"]["flipside.strategy.v1.AlphaBeta"];
            /** @description Reversi: all cells except those next to a corner. */
            avoidNextToCorners?: components["schemas"]["flipside.strategy.v1.AvoidNextToCorners"];
            /** @description Three Trios: the corner where the card is hardest to flip. */
            corners?: components["schemas"]["flipside.strategy.v1.Corners"];
            /** @description Every game: the strongest search. */
            engine?: components["schemas"]["flipside.strategy.v1.Engine"];
            /** @description Reversi: the first move in reading order with the most flips. */
            greedy?: components["schemas"]["flipside.strategy.v1.Greedy"];
            /** @description Three Trios: the cell where the fewest cards of the opponent could flip the card. */
            leastExposed?: components["schemas"]["flipside.strategy.v1.LeastExposed"];
            /** @description Every game: a ready-made opponent of some strength. */
            level?: components["schemas"]["flipside.strategy.v1.Level"];
            /** @description Reversi: the moves with the most flips. */
            maxCapture?: components["schemas"]["flipside.strategy.v1.MaxCapture"];
            /** @description Reversi: the moves that leave the opponent the fewest good replies. */
            minimax?: components["schemas"]["flipside.strategy.v1.Minimax"];
            /** @description Three Trios: the move with the most flips. */
            mostFlips?: components["schemas"]["flipside.strategy.v1.MostFlips"];
            /** @description Three Trios: the move with the fewest flips by the expected reply. */
            smallestReply?: components["schemas"]["flipside.strategy.v1.SmallestReply"];
            /** @description Reversi: the corner cells. */
            takeCorners?: components["schemas"]["flipside.strategy.v1.TakeCorners"];
            /** @description Reversi: one strategy, refined or replaced by another. */
            tryTwo?: components["schemas"]["flipside.strategy.v1.TryTwo"];
        };
        /** @description StrategyInfo describes a strategy. */
        "flipside.strategy.v1.StrategyInfo": {
            /** @description The games that it plays. */
            games: components["schemas"]["flipside.rules.v1.GameKind"][];
            /** @description The name of its field in Strategy in lowerCamel, such as `maxCapture` or `level`. */
            name: string;
            /** @description The parameters of the strategy. */
            parameters: components["schemas"]["flipside.strategy.v1.Parameter"][];
            /** @description The behaviour of the strategy, in one sentence. */
            summary: string;
        };
        /** @description TakeCorners keeps the corner cells. It can keep no move. */
        "flipside.strategy.v1.TakeCorners": Record<string, unknown>;
        /**
         * @description TryTwo applies `second` to the moves that `first` keeps. If `first` keeps no move, TryTwo applies
         *     `second` to all moves. If `second` keeps no move of `first`, TryTwo keeps the moves of `first`.
         */
        "flipside.strategy.v1.TryTwo": {
            /** @description Required. The strategy to apply first. Strategies nest at most 8 deep. */
            first?: components["schemas"]["flipside.strategy.v1.Strategy"];
            /** @description Required. The strategy to apply to the moves that `first` keeps. */
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
