// Generated from gen/openapi/openapi.json by `npm run types`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description AbortGameRequest is the request of AbortGame. */
        AbortGameRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
        };
        /** @description AbortGameResponse is the response of AbortGame. */
        AbortGameResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description AbsencePolicy decides a game in which a player does not move in time. */
        AbsencePolicy: {
            /** @description The game is a draw. */
            draw?: components["schemas"]["AbsencePolicyDraw"];
            /** @description The opponent wins. */
            forfeit?: components["schemas"]["AbsencePolicyForfeit"];
            /**
             * @description This robot takes the seat, with a full clock, and the game continues. A robot that does not
             *     move in time, such as during an outage of the server, loses.
             */
            robot?: components["schemas"]["Robot"];
        };
        /** @description Draw makes the game a draw. */
        AbsencePolicyDraw: Record<string, unknown>;
        /** @description Forfeit makes the opponent win. */
        AbsencePolicyForfeit: Record<string, unknown>;
        /** @description AbsencePolicy decides a game in which a player does not move in time. */
        AbsencePolicyInput: {
            /** @description The game is a draw. */
            draw?: components["schemas"]["AbsencePolicyDraw"];
            /** @description The opponent wins. */
            forfeit?: components["schemas"]["AbsencePolicyForfeit"];
            /**
             * @description This robot takes the seat, with a full clock, and the game continues. A robot that does not
             *     move in time, such as during an outage of the server, loses.
             */
            robot?: components["schemas"]["RobotInput"];
        };
        /**
         * @description AlphaBeta searches by iterative deepening for the best difference in discs or cards. The same
         *     depth always gives the same move. It discards an iteration that runs out of time, except the
         *     first.
         */
        AlphaBeta: {
            /** @description The static evaluation. Default: EVALUATION_DISC_DIFFERENCE. */
            evaluation: components["schemas"]["AlphaBetaEvaluation"];
            /**
             * Format: int32
             * @description The search depth in plies, 1 to 64. Default (0): 4, or no limit if `maxTime` is set.
             */
            maxDepth: number;
            /**
             * @description The time limit of the search, 0 s to 60 s. Default (0 s): the deadline of the call. The limits of
             *     the server apply too: a robot thinks at most 30 s about a move, unless the operator changes it.
             */
            maxTime?: string;
        };
        /**
         * @description Evaluation is the static evaluation of a position.
         *
         *     - `EVALUATION_UNSPECIFIED`: No evaluation is given.
         *     - `EVALUATION_DISC_DIFFERENCE`: The own discs or cards minus those of the opponent.
         * @enum {string}
         */
        AlphaBetaEvaluation: "EVALUATION_UNSPECIFIED" | "EVALUATION_DISC_DIFFERENCE";
        /**
         * @description AlphaBeta searches by iterative deepening for the best difference in discs or cards. The same
         *     depth always gives the same move. It discards an iteration that runs out of time, except the
         *     first.
         */
        AlphaBetaInput: {
            /** @description The static evaluation. Default: EVALUATION_DISC_DIFFERENCE. */
            evaluation?: components["schemas"]["AlphaBetaEvaluation"];
            /**
             * Format: int32
             * @description The search depth in plies, 1 to 64. Default (0): 4, or no limit if `maxTime` is set.
             */
            maxDepth?: number;
            /**
             * @description The time limit of the search, 0 s to 60 s. Default (0 s): the deadline of the call. The limits of
             *     the server apply too: a robot thinks at most 30 s about a move, unless the operator changes it.
             */
            maxTime?: string;
        };
        /** @description Analysis is the result of a search at some depth. */
        Analysis: {
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
            multiPv: components["schemas"]["Line"][];
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
            passRule: components["schemas"]["PassRule"];
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
        /** @description AnalyzePositionRequest is the request of AnalyzePosition. */
        AnalyzePositionRequest: {
            /**
             * Format: int32
             * @description The number of best lines, 1 to 32. Default (0): 1.
             */
            multiPv?: number;
            /** @description Required. The position. Only its notation is needed. */
            position: components["schemas"]["PositionInput"];
            /** @description Required. A strategy that searches: `alphaBeta`, `engine`, or a level that searches. */
            strategy: components["schemas"]["StrategyInput"];
        };
        /** @description AnalyzePositionResponse is a message of an analysis. */
        AnalyzePositionResponse: {
            /** @description The result at this depth. */
            analysis: components["schemas"]["Analysis"];
        };
        /** @description One line of the stream: a message, or the error that ended the stream. */
        AnalyzePositionResponseLine: {
            error?: components["schemas"]["Status"];
            result?: components["schemas"]["AnalyzePositionResponse"];
        };
        /** @description AvoidNextToCorners keeps the cells that are not next to a corner cell. It can keep no move. */
        AvoidNextToCorners: Record<string, unknown>;
        /** @description Candidate is one of the moves that a strategy considers best, with its value. */
        Candidate: {
            /** @description The meaning of `value`. */
            measure: components["schemas"]["Measure"];
            /** @description The move. */
            move: components["schemas"]["Move"];
            /** @description The move in notation. */
            notation: string;
            /**
             * Format: int32
             * @description The value that the strategy compares, in the unit of `measure`.
             */
            value: number;
        };
        /** @description Card is a card with its four values, each 1 to 10. Notations have `A` for 10. */
        Card: {
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
         *
         *     - `CAUSE_UNSPECIFIED`: The flip of a disc. Discs flip only because they are outflanked.
         *     - `CAUSE_GREATER`: The attacking value is greater.
         *     - `CAUSE_LESS`: The attacking value is less, under RULE_REVERSE.
         *     - `CAUSE_FALLEN_ACE`: A one beat an ace, or under RULE_REVERSE an ace beat a one.
         *     - `CAUSE_SAME`: At least two touching pairs of values are equal, under RULE_SAME.
         *     - `CAUSE_PLUS`: At least two touching pairs of values have the same sum, under RULE_PLUS.
         * @enum {string}
         */
        Cause: "CAUSE_UNSPECIFIED" | "CAUSE_GREATER" | "CAUSE_LESS" | "CAUSE_FALLEN_ACE" | "CAUSE_SAME" | "CAUSE_PLUS";
        /** @description Cell identifies a cell of a board. */
        Cell: {
            /** @description A cell of a hexagonal board. */
            hex?: components["schemas"]["HexCell"];
            /** @description A cell of a square board or of a grid. */
            square?: components["schemas"]["SquareCell"];
        };
        /** @description Cell identifies a cell of a board. */
        CellInput: {
            /** @description A cell of a hexagonal board. */
            hex?: components["schemas"]["HexCellInput"];
            /** @description A cell of a square board or of a grid. */
            square?: components["schemas"]["SquareCellInput"];
        };
        /** @description ChooseMoveRequest is the request of ChooseMove. */
        ChooseMoveRequest: {
            /**
             * @description The clock of the game. Not set in a game without a time limit. The deadline of the call is the
             *     limit for this move.
             */
            clock?: components["schemas"]["Clock"];
            /**
             * @description The id of the game for which a robot moves: at most 64 letters, digits and `-._~`. Default:
             *     no game. The engine uses it to think while the opponent does, if the operator allows that. The
             *     strategies of this server ignore the following fields: they are for a provider.
             */
            gameId?: string;
            /**
             * @description The options of the robot, as the creator of the game has set them: at most 4 KiB in the protobuf
             *     encoding, objects and lists nested at most 8 deep. Default: none.
             */
            options?: {
                [key: string]: unknown;
            };
            /** @description Required. The position. Only its notation is needed. */
            position: components["schemas"]["PositionInput"];
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves. The same seed gives the same choice.
             *     Default (0): the first move in reading order.
             */
            seed?: string;
            /** @description The side of the robot, which is the side to move. Default: no game. */
            side?: components["schemas"]["Side"];
            /** @description Required. The strategy that chooses. */
            strategy: components["schemas"]["StrategyInput"];
        };
        /** @description ChooseMoveResponse is the response of ChooseMove. */
        ChooseMoveResponse: {
            /** @description The analysis of the search. */
            analysis: components["schemas"]["Analysis"];
            /** @description All equally good moves, in reading order. */
            candidates: components["schemas"]["Candidate"][];
            /**
             * @description The move to play: one of `candidates`. For a robot, `move` or `notation` is enough; `move` is
             *     used if both are set.
             */
            chosen: components["schemas"]["Candidate"];
        };
        /** @description ClaimAbandonmentRequest is the request of ClaimAbandonment. */
        ClaimAbandonmentRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
        };
        /** @description ClaimAbandonmentResponse is the response of ClaimAbandonment. */
        ClaimAbandonmentResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Clock is the time of both sides of a game at the time of the request. The time of the side to move
         *     runs.
         */
        Clock: {
            /** @description The time that SIDE_FIRST has left. */
            first?: string;
            /** @description The time that each move of a side adds to its clock. 0 s if the game has none. */
            increment?: string;
            /**
             * @description The time for each move: every turn starts with it. Not set if the clock is for all moves of a
             *     side.
             */
            perMove?: string;
            /** @description The time that SIDE_SECOND has left. */
            second?: string;
        };
        /**
         * @description Clocks holds the time of each side when the current turn began. The clock of the side to move
         *     runs until the `deadline` of the turn.
         */
        Clocks: {
            /** @description The time that SIDE_FIRST had left. */
            first: string;
            /** @description The time that SIDE_SECOND had left. */
            second: string;
        };
        /** @description Corners chooses the free corner and the card with the highest sum of values on open sides. */
        Corners: Record<string, unknown>;
        /** @description CreateGameRequest is the request of CreateGame. */
        CreateGameRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /**
             * @description The seats: SIDE_FIRST, then SIDE_SECOND; at most 2. A missing second seat is open. Default: the
             *     caller and an open seat.
             */
            seats?: components["schemas"]["SeatInput"][];
            /** @description Required. The setup of the game. */
            setup: components["schemas"]["SetupInput"];
            /** @description The time control. Default: none. */
            timeControl?: components["schemas"]["TimeControlInput"];
            /** @description The players who can see the game. Default: VISIBILITY_PUBLIC. */
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description CreateGameResponse is the response of CreateGame. */
        CreateGameResponse: {
            /** @description The new game. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description CreatePlayerRequest is the request of CreatePlayer. */
        CreatePlayerRequest: {
            /**
             * @description The name for other players to see, at most 64 characters, without control and format characters
             *     (Unicode categories Cc, Cf, Zl and Zp). Default: a name made from the id.
             */
            displayName?: string;
        };
        /** @description CreatePlayerResponse is the response of CreatePlayer. */
        CreatePlayerResponse: {
            /** @description The secret key that authenticates the player. No other response contains it. */
            key: string;
            /** @description The new player. */
            player: components["schemas"]["Player"];
        };
        /** @description DeclineOfferRequest is the request of DeclineOffer. */
        DeclineOfferRequest: {
            /** @description Required. The subject of the offer. */
            kind: components["schemas"]["OfferKind"];
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /** @description The side that declines or withdraws the offer. Required if the caller holds both seats. */
            side?: components["schemas"]["Side"];
        };
        /** @description DeclineOfferResponse is the response of DeclineOffer. */
        DeclineOfferResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description DeleteWebhookRequest is the request of DeleteWebhook. */
        DeleteWebhookRequest: Record<string, unknown>;
        /** @description DeleteWebhookResponse is the response of DeleteWebhook. */
        DeleteWebhookResponse: Record<string, unknown>;
        /** @description End announces that the server closes the stream. */
        End: {
            /** @description The reason. */
            reason: components["schemas"]["EndReason"];
        };
        /**
         * @description EndReason is the reason for which the server closes a stream.
         *
         *     - `END_REASON_UNSPECIFIED`: No reason is given.
         *     - `END_REASON_GAME_OVER`: The game ended. It gets no more moves; ListEvents has later offers of a rematch.
         *     - `END_REASON_SHUTTING_DOWN`: The server shuts down. Connect again and resume.
         *     - `END_REASON_TOO_SLOW`: The client read too slowly. Connect again and resume.
         *     - `END_REASON_KEY_REVOKED`: The key that opened the stream is no longer valid.
         * @enum {string}
         */
        EndReason: "END_REASON_UNSPECIFIED" | "END_REASON_GAME_OVER" | "END_REASON_SHUTTING_DOWN" | "END_REASON_TOO_SLOW" | "END_REASON_KEY_REVOKED";
        /**
         * @description Ending is the kind of ending of a game.
         *
         *     - `ENDING_UNSPECIFIED`: No ending is given.
         *     - `ENDING_SCORE`: The game ended by its rules, and the score decided.
         *     - `ENDING_RESIGNATION`: A side resigned.
         *     - `ENDING_TIME`: The time of a side was up.
         *     - `ENDING_ABANDONMENT`: A side was absent, and its opponent claimed this.
         *     - `ENDING_AGREEMENT`: Both sides agreed on the outcome.
         * @enum {string}
         */
        Ending: "ENDING_UNSPECIFIED" | "ENDING_SCORE" | "ENDING_RESIGNATION" | "ENDING_TIME" | "ENDING_ABANDONMENT" | "ENDING_AGREEMENT";
        /**
         * @description Engine searches for the strongest move within its limits. All limits are optional. The deadline
         *     of the call always applies.
         */
        Engine: {
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
            maxTime?: string;
            /**
             * Format: int32
             * @description The number of threads of the search, 1 to 256. Default (0): 1.
             */
            threads: number;
        };
        /**
         * @description Engine searches for the strongest move within its limits. All limits are optional. The deadline
         *     of the call always applies.
         */
        EngineInput: {
            /**
             * Format: int32
             * @description The search depth in plies, 1 to 512. Default (0): no limit.
             */
            maxDepth?: number;
            /**
             * Format: int64
             * @description The number of nodes to visit. Default (0): no limit.
             */
            maxNodes?: string;
            /**
             * @description The time limit of the search, 0 s to 10 min. Default (0 s): no limit; 10 s for a robot. The
             *     limits of the server apply too: a robot thinks at most 30 s about a move, unless the operator
             *     changes it.
             */
            maxTime?: string;
            /**
             * Format: int32
             * @description The number of threads of the search, 1 to 256. Default (0): 1.
             */
            threads?: number;
        };
        /** @description A detail of an error. Its type decides which other properties are set. */
        ErrorDetail: {
            /** @description `type.googleapis.com/google.rpc.ErrorInfo` with `domain`, `reason` and `metadata`, `….BadRequest` with `fieldViolations`, or `….RetryInfo` with `retryDelay`. */
            "@type": string;
            /** @description Always `flipside`. */
            domain?: string;
            /** @description The invalid fields. */
            fieldViolations?: components["schemas"]["FieldViolation"][];
            /** @description The values in the message. */
            metadata?: {
                [key: string]: string;
            };
            reason?: components["schemas"]["ErrorReason"];
            /** @description The delay after which the same call may succeed, such as `1s`. */
            retryDelay?: string;
        };
        /**
         * @description The cause of a failed call. Later versions can have more.
         * @enum {string}
         */
        ErrorReason: "INVALID_FIELD" | "UNKNOWN_FIELD" | "OFF_BOARD" | "INVALID_GRID" | "INVALID_DECK" | "INVALID_NOTATION" | "CONFLICTING_RULES" | "BODY_TOO_LARGE" | "INVALID_KEY" | "NOT_YOUR_SEAT" | "GAME_NOT_FOUND" | "PLAYER_NOT_FOUND" | "NOT_YOUR_TURN" | "CELL_TAKEN" | "HOLE" | "FLIPS_NOTHING" | "MUST_PLACE" | "CARD_NOT_IN_HAND" | "GAME_NOT_STARTED" | "GAME_STARTED" | "GAME_OVER" | "SEAT_TAKEN" | "VERSION_MISMATCH" | "REQUEST_ID_REUSED" | "RATE_LIMITED" | "TOO_MANY_STREAMS" | "BUDGET_EXCEEDED" | "STORE_UNAVAILABLE" | "STRATEGY_UNAVAILABLE" | "UNKNOWN_PATH" | "METHOD_NOT_ALLOWED" | "UNSUPPORTED_MEDIA_TYPE" | "NOT_AWAY" | "STORE_CONTENDED" | "NO_SUCH_OFFER" | "OFFER_DECLINED" | "NOTHING_TO_TAKE_BACK" | "GAME_NOT_OVER" | "TOO_MANY_CHANGES" | "TOO_MANY_INVITATIONS" | "GAME_UNAVAILABLE" | "ISSUER_UNAVAILABLE" | "TOO_MANY_CONNECTIONS" | "OVERLOADED" | "DEADLINE_EXCEEDED" | "CANCELLED" | "UNIMPLEMENTED" | "INTERNAL";
        /** @description Event is an entry in the log of a game. The log is complete: its replay gives the game. */
        Event: {
            /** @description The game was aborted. */
            aborted?: components["schemas"]["GameAborted"];
            /** @description The game was created. */
            created?: components["schemas"]["GameCreated"];
            /** @description The game ended with an outcome. */
            finished?: components["schemas"]["GameFinished"];
            /** @description The id of the game. */
            gameId: string;
            /** @description A move was played. A pass is a move. */
            movePlayed?: components["schemas"]["MovePlayed"];
            /** @description Both sides agreed to a takeback, and the game returned to an earlier position. */
            movesTakenBack?: components["schemas"]["MovesTakenBack"];
            /** @description A side declined an offer, or withdrew its own. */
            offerDeclined?: components["schemas"]["OfferDeclined"];
            /** @description A side made an offer. */
            offerMade?: components["schemas"]["OfferMade"];
            /**
             * @description The part of the turn before the event in which no server process ran. It does not count on the
             *     clock. Not set for zero.
             */
            paused?: string;
            /** @description Both sides agreed to a rematch. */
            rematchCreated?: components["schemas"]["RematchCreated"];
            /** @description A robot got another strategy, or took the seat of a player who did not move in time. */
            robotChanged?: components["schemas"]["RobotChanged"];
            /** @description A player took an open seat, or accepted an invitation. */
            seatTaken?: components["schemas"]["SeatTaken"];
            /** @description The game started, because every seat is filled. */
            started?: components["schemas"]["GameStarted"];
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
        /** @description An invalid field of a request. */
        FieldViolation: {
            /** @description The problem. */
            description: string;
            /** @description The path of the field, such as `setup.reversi.minFlips`. */
            field: string;
            /** @description The reason of the problem. */
            reason?: string;
        };
        /** @description Flip is a disc or a card that changed sides. */
        Flip: {
            /** @description The rule that caused the flip. */
            cause: components["schemas"]["Cause"];
            /** @description The cell of the disc or card. */
            cell: components["schemas"]["Cell"];
            /** @description The cell in notation. */
            notation: string;
            /**
             * Format: int32
             * @description The step of the chain: 0 for a flip that the move itself caused. Always 0 in Reversi.
             */
            wave: number;
        };
        /** @description ForkGameRequest is the request of ForkGame. */
        ForkGameRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /**
             * @description The seats of the new game, as in CreateGame. Default: the seats of the forked game, with its
             *     robots, the caller in their own seat, and the other player invited. A caller without a seat takes
             *     that of the first player.
             */
            seats?: components["schemas"]["SeatInput"][];
            /** @description The time control of the new game. Default: none. */
            timeControl?: components["schemas"]["TimeControlInput"];
            /**
             * Format: int32
             * @description The version whose position starts the new game, from 1. Default: the latest.
             */
            version?: number;
            /** @description The players who can see the new game. Default: the visibility of the forked game. */
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description ForkGameResponse is the response of ForkGame. */
        ForkGameResponse: {
            /** @description The new game. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /**
         * @description Format is the format of a drawing.
         *
         *     - `FORMAT_UNSPECIFIED`: No format is given.
         *     - `FORMAT_TEXT`: Text, with the content type text/plain.
         *     - `FORMAT_SVG`: SVG, with the content type image/svg+xml.
         *     - `FORMAT_PNG`: PNG, with the content type image/png: 960 pixels wide, more for large grids of Three Trios, and at most 1600 wide and high. Letters other than Latin, Greek and Cyrillic are drawn as boxes.
         * @enum {string}
         */
        Format: "FORMAT_UNSPECIFIED" | "FORMAT_TEXT" | "FORMAT_SVG" | "FORMAT_PNG";
        /** @description Game is the state of a game after `version` events. */
        Game: {
            /** @description The clocks. Not set without a time limit. */
            clocks?: components["schemas"]["Clocks"];
            /**
             * Format: date-time
             * @description The time of the creation.
             */
            createTime: string;
            /** @description The id of the player who created the game. */
            creatorId: string;
            /** @description The entity tag. It differs for every version, and after an outage that moves the deadline. */
            etag: string;
            /** @description The id, a lower-case ULID. Later games sort after earlier games. */
            id: string;
            /** @description The kind of game. */
            kind: components["schemas"]["GameKind"];
            /**
             * @description The cell of the last placement or card. Not set before the first one. A pass does not change
             *     it.
             */
            lastCell?: components["schemas"]["Cell"];
            /** @description The open offers. A move ends all offers. */
            offers: components["schemas"]["Offer"][];
            /** @description The outcome. Set only for a finished game. */
            outcome?: components["schemas"]["Outcome"];
            /** @description The current position. */
            position: components["schemas"]["Position"];
            /** @description The id of the rematch of this game. Empty if there is none. */
            rematch: string;
            /** @description The id of the game that this game is a rematch of. Empty if it is not a rematch. */
            rematchOf: string;
            /** @description The current score, without awarded empty cells. */
            score: components["schemas"]["Score"];
            /** @description Both seats: SIDE_FIRST, then SIDE_SECOND. */
            seats: components["schemas"]["Seat"][];
            /** @description The setup, with every default filled in. */
            setup: components["schemas"]["Setup"];
            /** @description The state in the life of the game. */
            state: components["schemas"]["GameState"];
            /** @description The time control. Not set for a game without one. */
            timeControl?: components["schemas"]["TimeControl"];
            /** @description The current turn. Set only while the game is active. */
            turn?: components["schemas"]["Turn"];
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
            visibility: components["schemas"]["Visibility"];
        };
        /** @description GameAborted records that a game was aborted. */
        GameAborted: {
            /** @description The side that aborted the game; SIDE_UNSPECIFIED for a creator without a seat. */
            side: components["schemas"]["Side"];
        };
        /** @description GameCreated records the creation of a game. */
        GameCreated: {
            /** @description The origin of a fork. Not set for other games. */
            forkedFrom?: components["schemas"]["GameCreatedForkedFrom"];
            /** @description The position at the start. */
            position: components["schemas"]["Position"];
            /** @description The seats at the creation. */
            seats: components["schemas"]["Seat"][];
            /** @description The time control. Not set for a game without one. */
            timeControl?: components["schemas"]["TimeControl"];
        };
        /** @description ForkedFrom identifies a position of another game. */
        GameCreatedForkedFrom: {
            /** @description The id of the other game. */
            gameId: string;
            /**
             * Format: int32
             * @description The version of the other game.
             */
            version: number;
        };
        /** @description GameFinished records the end of a game. */
        GameFinished: {
            /** @description The winner and the kind of ending. */
            outcome: components["schemas"]["Outcome"];
            /** @description The score at the end, without awarded empty cells. */
            score: components["schemas"]["Score"];
        };
        /**
         * @description GameKind is a game.
         *
         *     - `GAME_KIND_UNSPECIFIED`: No game is given.
         *     - `GAME_KIND_REVERSI`: Reversi, on a hexagonal or a square board.
         *     - `GAME_KIND_THREE_TRIOS`: The card game Three Trios.
         * @enum {string}
         */
        GameKind: "GAME_KIND_UNSPECIFIED" | "GAME_KIND_REVERSI" | "GAME_KIND_THREE_TRIOS";
        /** @description GameOver announces that a game ended. */
        GameOver: {
            /** @description The id of the game. */
            gameId: string;
            /** @description The outcome. Not set for an aborted game. */
            outcome?: components["schemas"]["Outcome"];
            /**
             * Format: int32
             * @description The version of the game.
             */
            version: number;
        };
        /** @description GameStarted records the start of a game. */
        GameStarted: {
            /** @description The side that moves first. */
            turn: components["schemas"]["Side"];
        };
        /**
         * @description GameState is a state in the life of a game.
         *
         *     - `GAME_STATE_UNSPECIFIED`: No state is given.
         *     - `GAME_STATE_WAITING`: A seat is open.
         *     - `GAME_STATE_ACTIVE`: The game is in progress.
         *     - `GAME_STATE_FINISHED`: The game has an outcome.
         *     - `GAME_STATE_ABORTED`: The game was aborted and has no outcome.
         * @enum {string}
         */
        GameState: "GAME_STATE_UNSPECIFIED" | "GAME_STATE_WAITING" | "GAME_STATE_ACTIVE" | "GAME_STATE_FINISHED" | "GAME_STATE_ABORTED";
        /** @description GetGameResponse is the response of GetGame. */
        GetGameResponse: {
            /** @description The game. */
            game: components["schemas"]["Game"];
        };
        /** @description GetMeResponse is the response of GetMe. */
        GetMeResponse: {
            /** @description The player. */
            player: components["schemas"]["Player"];
        };
        /** @description GetWebhookResponse is the response of GetWebhook. */
        GetWebhookResponse: {
            /** @description The webhook. Not set if the caller has none. */
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description Greedy chooses the first move in reading order with the most flips. */
        Greedy: Record<string, unknown>;
        /** @description GridCell is the content of a cell of a grid. */
        GridCell: {
            /** @description The card on the cell. */
            card?: components["schemas"]["Card"];
            /** @description Always true: the cell is an empty card cell. */
            empty?: boolean;
            /** @description Always true: the cell is a hole. */
            hole?: boolean;
            /** @description The owner of the card; SIDE_UNSPECIFIED for a cell without a card. */
            owner: components["schemas"]["Side"];
        };
        /** @description Heartbeat shows that the stream is alive. */
        Heartbeat: Record<string, unknown>;
        /** @description HexCell holds axial coordinates. (0, 0) is the centre of the board. */
        HexCell: {
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
            s?: number;
        };
        /** @description HexCell holds axial coordinates. (0, 0) is the centre of the board. */
        HexCellInput: {
            /**
             * Format: int32
             * @description The coordinate that grows to the right along a row: -n to n on a board of n rings.
             */
            q?: number;
            /**
             * Format: int32
             * @description The coordinate that grows downwards: -n (the top row) to n on a board of n rings.
             */
            r?: number;
            /**
             * Format: int32
             * @description The third cube coordinate. Optional in a request, where q + r + s must be 0. Never set in a
             *     response.
             */
            s?: number;
        };
        /** @description HexagonBoard is a board of hexagonal cells in rings around a centre cell. */
        HexagonBoard: {
            /**
             * Format: int32
             * @description The number of rings around the centre cell, 1 to 12. Default (0): 5.
             */
            rings: number;
        };
        /** @description HexagonBoard is a board of hexagonal cells in rings around a centre cell. */
        HexagonBoardInput: {
            /**
             * Format: int32
             * @description The number of rings around the centre cell, 1 to 12. Default (0): 5.
             */
            rings?: number;
        };
        /** @description JoinGameRequest is the request of JoinGame. */
        JoinGameRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /** @description The side to take. Default: the first open seat. */
            side?: components["schemas"]["Side"];
        };
        /** @description JoinGameResponse is the response of JoinGame. */
        JoinGameResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description LeastExposed chooses the cell and the card that the fewest cards of the opponent could beat. */
        LeastExposed: Record<string, unknown>;
        /** @description LegalMove is a legal move and the flips it would cause. */
        LegalMove: {
            /**
             * Format: int32
             * @description The number of discs or cards that would flip, in all waves.
             */
            flipCount: number;
            /** @description The flips: wave by wave, in reading order inside a wave. */
            flips: components["schemas"]["Flip"][];
            /** @description The move. */
            move: components["schemas"]["Move"];
            /** @description The move in notation. */
            notation: string;
        };
        /**
         * @description Level is the strength of a ready-made opponent. In Reversi, the levels combine simple strategies:
         *     easy flips the most discs; medium also avoids cells next to corners; hard takes corners first;
         *     expert also looks at the opponent's replies. In Three Trios, the levels are most_flips, corners,
         *     smallest_reply (on more than 25 card cells least_exposed), and a search.
         *
         *     - `LEVEL_UNSPECIFIED`: No level is given.
         *     - `LEVEL_EASY`: Chooses the moves with the most flips.
         *     - `LEVEL_MEDIUM`: Avoids bad cells.
         *     - `LEVEL_HARD`: Prefers good cells.
         *     - `LEVEL_EXPERT`: Looks at the replies of the opponent.
         * @enum {string}
         */
        Level: "LEVEL_UNSPECIFIED" | "LEVEL_EASY" | "LEVEL_MEDIUM" | "LEVEL_HARD" | "LEVEL_EXPERT";
        /** @description Line is a line of play and its score. */
        Line: {
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
        /** @description ListEventsResponse is the response of ListEvents. */
        ListEventsResponse: {
            /** @description The events, the oldest first. */
            events: components["schemas"]["Event"][];
            /** @description The `pageToken` of the next page. Empty on the last page. */
            nextPageToken: string;
        };
        /** @description ListGamesResponse is the response of ListGames. */
        ListGamesResponse: {
            /** @description The games, the newest first. */
            games: components["schemas"]["Game"][];
            /** @description The `pageToken` of the next page. Empty on the last page. */
            nextPageToken: string;
        };
        /** @description ListLegalMovesResponse is the response of ListLegalMoves. */
        ListLegalMovesResponse: {
            /** @description The moves. */
            moves: components["schemas"]["LegalMove"][];
            /** @description The `pageToken` of the next page. Empty on the last page. */
            nextPageToken: string;
            /**
             * Format: int32
             * @description The version of the game to which the moves belong.
             */
            version: number;
        };
        /** @description ListPositionMovesRequest is the request of ListPositionMoves. */
        ListPositionMovesRequest: {
            /**
             * @description The notation of a move to play in the position first, as in PlayMove, at most 256 characters.
             *     The response has the position after it and the moves of that position. Default: none.
             */
            afterMove?: string;
            /** @description The name of a card of the game that the listed moves play, at most 256 characters. Default: any. */
            card?: string;
            /**
             * Format: int32
             * @description The largest number of moves in the page, 0 to 1000; larger values mean 1000. Default (0): 100.
             *     A page has at most 1 MiB of moves in the protobuf encoding, but at least one.
             */
            pageSize?: number;
            /**
             * @description The `nextPageToken` of the previous page, at most 256 characters. It continues the same list:
             *     the other fields but `pageSize` must be unchanged. Default: the first page.
             */
            pageToken?: string;
            /** @description Required. The position. Only its notation is needed. */
            position: components["schemas"]["PositionInput"];
            /** @description The side whose moves to list. Default: the side to move. */
            side?: components["schemas"]["Side"];
        };
        /** @description ListPositionMovesResponse is the response of ListPositionMoves. */
        ListPositionMovesResponse: {
            /** @description The moves. */
            moves: components["schemas"]["LegalMove"][];
            /** @description The `pageToken` of the next page. Empty on the last page. */
            nextPageToken: string;
            /** @description The position, after `afterMove` if the request has one, with its layout for drawing. */
            position: components["schemas"]["Position"];
        };
        /** @description ListStrategiesResponse is the response of ListStrategies. */
        ListStrategiesResponse: {
            /** @description All strategies, the simplest first. */
            strategies: components["schemas"]["StrategyInfo"][];
        };
        /** @description MatchGame is the complete record of a game. */
        MatchGame: {
            /** @description The side of the strategy `first`. */
            firstSide: components["schemas"]["Side"];
            /** @description The end of a game that a provider lost without a legal move. Not set for other games. */
            forfeit?: components["schemas"]["MatchGameForfeit"];
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
            score: components["schemas"]["Score"];
            /** @description The notation of the position at the start. */
            start: string;
            /** @description The winner; SIDE_UNSPECIFIED for a draw. */
            winner: components["schemas"]["Side"];
        };
        /** @description Forfeit describes the failure of a provider. */
        MatchGameForfeit: {
            /** @description The failure in English, for people. */
            message: string;
            /** @description The reason. */
            reason: components["schemas"]["MatchGameReason"];
            /** @description The side that lost. */
            side: components["schemas"]["Side"];
        };
        /**
         * @description Reason is the reason of a forfeit.
         *
         *     - `REASON_UNSPECIFIED`: No reason is given.
         *     - `REASON_NO_ANSWER`: The provider did not answer in time.
         *     - `REASON_UNAVAILABLE`: The provider could not be reached, or answered with an error.
         *     - `REASON_REJECTED`: The provider rejected the strategy or the position.
         *     - `REASON_INVALID_ANSWER`: The answer has no move that can be read.
         *     - `REASON_ILLEGAL_MOVE`: The rules do not allow the move.
         * @enum {string}
         */
        MatchGameReason: "REASON_UNSPECIFIED" | "REASON_NO_ANSWER" | "REASON_UNAVAILABLE" | "REASON_REJECTED" | "REASON_INVALID_ANSWER" | "REASON_ILLEGAL_MOVE";
        /** @description MatchSummary is the result of a match so far, as seen by the strategy `first`. */
        MatchSummary: {
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
             * Format: int32
             * @description The number of lost games that the provider of `first` forfeited.
             */
            firstForfeits: number;
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
             * @description The number of won games that the provider of `second` forfeited.
             */
            secondForfeits: number;
            /**
             * Format: int32
             * @description The number of games won.
             */
            wins: number;
        };
        /** @description MaxCapture keeps the moves with the most flips. */
        MaxCapture: Record<string, unknown>;
        /**
         * @description Measure is the meaning of the values that a strategy compares.
         *
         *     - `MEASURE_UNSPECIFIED`: No value: all candidates are equally good.
         *     - `MEASURE_FLIPS`: The number of flips; more is better.
         *     - `MEASURE_EXPOSURE`: The number of the opponent's cards that could beat the card on its cell; fewer is better.
         *     - `MEASURE_REPLIES`: The number of the opponent's best replies, or in Three Trios of the flips of the reply; fewer is better.
         *     - `MEASURE_SCORE`: The difference in discs or cards that a search expects for the side to move; more is better.
         *     - `MEASURE_STRENGTH`: The sum of a card's values on its open sides; more is better.
         * @enum {string}
         */
        Measure: "MEASURE_UNSPECIFIED" | "MEASURE_FLIPS" | "MEASURE_EXPOSURE" | "MEASURE_REPLIES" | "MEASURE_SCORE" | "MEASURE_STRENGTH";
        /**
         * @description Minimax plays each move, counts the replies that `assumed` considers best, and keeps the moves
         *     with the smallest count.
         */
        Minimax: {
            /** @description Required. The assumed strategy of the opponent. Strategies nest at most 8 deep. */
            assumed: components["schemas"]["Strategy"];
        };
        /**
         * @description Minimax plays each move, counts the replies that `assumed` considers best, and keeps the moves
         *     with the smallest count.
         */
        MinimaxInput: {
            /** @description Required. The assumed strategy of the opponent. Strategies nest at most 8 deep. */
            assumed: components["schemas"]["StrategyInput"];
        };
        /** @description MostFlips chooses the cell and the card with the most flips. */
        MostFlips: Record<string, unknown>;
        /** @description Move is one turn of a player. */
        Move: {
            /** @description Pass the turn to the opponent (Reversi). */
            passTurn?: components["schemas"]["MovePassTurn"];
            /** @description Place a disc (Reversi). */
            place?: components["schemas"]["MovePlace"];
            /** @description Play a card from the hand (Three Trios). */
            playCard?: components["schemas"]["MovePlayCard"];
        };
        /** @description Move is one turn of a player. */
        MoveInput: {
            /** @description Pass the turn to the opponent (Reversi). */
            passTurn?: components["schemas"]["MovePassTurn"];
            /** @description Place a disc (Reversi). */
            place?: components["schemas"]["MovePlaceInput"];
            /** @description Play a card from the hand (Three Trios). */
            playCard?: components["schemas"]["MovePlayCardInput"];
        };
        /** @description PassTurn passes the turn to the opponent. */
        MovePassTurn: Record<string, unknown>;
        /** @description Place places a disc on an empty cell. */
        MovePlace: {
            /** @description Required. The cell. */
            cell: components["schemas"]["Cell"];
        };
        /** @description Place places a disc on an empty cell. */
        MovePlaceInput: {
            /** @description Required. The cell. */
            cell: components["schemas"]["CellInput"];
        };
        /** @description PlayCard plays a card from the hand on an empty card cell. */
        MovePlayCard: {
            /** @description Required. The name of the card, at most 256 characters. */
            card: string;
            /** @description Required. The cell. */
            cell: components["schemas"]["Cell"];
        };
        /** @description PlayCard plays a card from the hand on an empty card cell. */
        MovePlayCardInput: {
            /** @description Required. The name of the card, at most 256 characters. */
            card: string;
            /** @description Required. The cell. */
            cell: components["schemas"]["CellInput"];
        };
        /** @description MovePlayed records a move and its result. A pass is a move. */
        MovePlayed: {
            /** @description The analysis of the robot that moved. Not set for other players. */
            analysis?: components["schemas"]["Analysis"];
            /**
             * @description Whether the server made the move: because the side had no placement (`autoPass`), or because a
             *     robot's strategy failed.
             */
            automatic: boolean;
            /** @description The flips: wave by wave, in reading order inside a wave. */
            flips: components["schemas"]["Flip"][];
            /** @description The move. */
            move: components["schemas"]["Move"];
            /** @description The move in notation. */
            notation: string;
            /** @description The position after the move. */
            position: components["schemas"]["Position"];
            /** @description The score after the move. */
            score: components["schemas"]["Score"];
            /** @description The side that moved. */
            side: components["schemas"]["Side"];
            /**
             * @description The reason why the server played a simple move for a robot. Not set for other moves: an
             *     automatic pass has none.
             */
            substitute?: components["schemas"]["Substitute"];
        };
        /** @description MovesTakenBack records a takeback. */
        MovesTakenBack: {
            /** @description The position after the takeback. */
            position: components["schemas"]["Position"];
            /** @description The score after the takeback. */
            score: components["schemas"]["Score"];
            /** @description The side that made the offer. It is to move. */
            side: components["schemas"]["Side"];
            /**
             * Format: int32
             * @description The version to which the position and the clocks return. Versions still grow.
             */
            toVersion: number;
        };
        /** @description Offer is a proposal of one side, which the other side can accept or decline. */
        Offer: {
            /** @description The subject of the offer. */
            kind: components["schemas"]["OfferKind"];
            /** @description The side that made the offer. */
            side: components["schemas"]["Side"];
        };
        /** @description OfferDeclined records that a side declined the opponent's offer, or withdrew its own. */
        OfferDeclined: {
            /** @description The subject of the offer. */
            kind: components["schemas"]["OfferKind"];
            /** @description The side that declined or withdrew the offer. */
            side: components["schemas"]["Side"];
        };
        /**
         * @description OfferKind is the subject of an offer.
         *
         *     - `OFFER_KIND_UNSPECIFIED`: No kind.
         *     - `OFFER_KIND_TAKEBACK`: Return to the last turn of the side that makes the offer, with the clocks as at the start of that turn.
         *     - `OFFER_KIND_DRAW`: End the game in a draw.
         *     - `OFFER_KIND_REMATCH`: Play a new game with the same setup, time control and visibility, and with swapped sides.
         * @enum {string}
         */
        OfferKind: "OFFER_KIND_UNSPECIFIED" | "OFFER_KIND_TAKEBACK" | "OFFER_KIND_DRAW" | "OFFER_KIND_REMATCH";
        /** @description OfferMade records an offer that the opponent can accept. */
        OfferMade: {
            /** @description The subject of the offer. */
            kind: components["schemas"]["OfferKind"];
            /** @description The side that made the offer. */
            side: components["schemas"]["Side"];
        };
        /** @description OfferRequest is the request of Offer. */
        OfferRequest: {
            /** @description Required. The subject of the offer. */
            kind: components["schemas"]["OfferKind"];
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /** @description The side that makes or accepts the offer. Required if the caller holds both seats. */
            side?: components["schemas"]["Side"];
        };
        /** @description OfferResponse is the response of Offer. */
        OfferResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Outcome is the winner of a finished game and the kind of its ending. */
        Outcome: {
            /** @description Whether the game is a draw. */
            draw: boolean;
            /** @description The kind of ending. */
            ending: components["schemas"]["Ending"];
            /** @description The winner; SIDE_UNSPECIFIED for a draw. */
            winner: components["schemas"]["Side"];
        };
        /** @description Parameter describes a parameter of a strategy. */
        Parameter: {
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
         * @description PassRule decides when a side may pass and when a game of Reversi ends.
         *
         *     - `PASS_RULE_UNSPECIFIED`: No rule is given.
         *     - `PASS_RULE_VOLUNTARY`: A pass is always legal. Only two passes in a row end the game.
         *     - `PASS_RULE_FORCED`: A pass is legal only without a placement. The game ends as soon as neither side has a placement.
         * @enum {string}
         */
        PassRule: "PASS_RULE_UNSPECIFIED" | "PASS_RULE_VOLUNTARY" | "PASS_RULE_FORCED";
        /** @description PlayMatchRequest is the request of PlayMatch. */
        PlayMatchRequest: {
            /** @description Required. The strategy whose results the summary counts. */
            first: components["schemas"]["StrategyInput"];
            /** @description The options for the provider of `first`, as in ChooseMoveRequest. Default: none. */
            firstOptions?: {
                [key: string]: unknown;
            };
            /**
             * @description The Strategy service that chooses the moves of `first`, by the name in the server's
             *     configuration, at most 64 characters. Default: the service of this server.
             */
            firstProvider?: string;
            /**
             * Format: int32
             * @description The number of games, 1 to 100,000. Default (0): 100.
             */
            games?: number;
            /**
             * Format: int32
             * @description The number of random moves at the start of each pair of games, 0 to 60. Default: 0.
             */
            openingPlies?: number;
            /**
             * Format: int32
             * @description The number of games to play at the same time, 1 to 256, at most the number of the server's
             *     cores. Default (0): the number of cores.
             */
            parallel?: number;
            /** @description Required. The strategy of the opponent. */
            second: components["schemas"]["StrategyInput"];
            /** @description The options for the provider of `second`, as in ChooseMoveRequest. Default: none. */
            secondOptions?: {
                [key: string]: unknown;
            };
            /** @description The Strategy service that chooses the moves of `second`, as `firstProvider`. */
            secondProvider?: string;
            /**
             * Format: int64
             * @description The seed for openings, deals and choices among equally good moves. 0 chooses the first good
             *     move. The same seed gives the same games if the strategies are limited by depth or nodes and
             *     use one thread.
             */
            seed?: string;
            /** @description Required. The setup of the games. Without `shuffleSeed`, each pair of games gets another deal. */
            setup: components["schemas"]["SetupInput"];
            /** @description The test that can end the match early. Default: none. */
            sprt?: components["schemas"]["PlayMatchRequestSprt"];
        };
        /**
         * @description Sprt is a sequential probability ratio test between two hypotheses about the strength of
         *     `first` compared with `second`.
         */
        PlayMatchRequestSprt: {
            /**
             * Format: double
             * @description The accepted probability of a wrong decision for `elo1`, below 0.5. Default (0): 0.05.
             */
            alpha?: number;
            /**
             * Format: double
             * @description The accepted probability of a wrong decision for `elo0`, below 0.5. Default (0): 0.05.
             */
            beta?: number;
            /**
             * Format: double
             * @description The smaller difference in Elo, -1000 to 1000.
             */
            elo0?: number;
            /**
             * Format: double
             * @description The greater difference in Elo, -1000 to 1000.
             */
            elo1?: number;
        };
        /** @description PlayMatchResponse is a message of a match. */
        PlayMatchResponse: {
            /** @description A finished game. */
            game?: components["schemas"]["MatchGame"];
            /** @description The result so far. */
            summary?: components["schemas"]["MatchSummary"];
        };
        /** @description One line of the stream: a message, or the error that ended the stream. */
        PlayMatchResponseLine: {
            error?: components["schemas"]["Status"];
            result?: components["schemas"]["PlayMatchResponse"];
        };
        /** @description PlayMoveRequest is the request of PlayMove. */
        PlayMoveRequest: {
            /**
             * Format: int32
             * @description The version that the game must have. At another version, the call fails with VERSION_MISMATCH.
             *     Default (0): any.
             */
            expectedVersion?: number;
            /** @description The move. Required unless `notation` is set; set only one of them. */
            move?: components["schemas"]["MoveInput"];
            /**
             * @description The move in notation, such as `d3`, `-1,2`, `pass` or `knight@0,2`, at most 256 characters. On
             *     squares `pa`, `ps`, `--` and `@@` are a pass too.
             *     Required unless `move` is set.
             */
            notation?: string;
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
        };
        /** @description PlayMoveResponse is the response of PlayMove. */
        PlayMoveResponse: {
            /** @description The event of the caller's move. */
            event: components["schemas"]["Event"];
            /** @description The game after the move and after any automatic pass. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description Player is a person or a program that plays games. */
        Player: {
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
        /**
         * @description Position is one state of a game. A request needs only `notation`; the server ignores the other
         *     fields, so that a client can send back a position from any response.
         */
        Position: {
            /** @description Required. The position as one line of text, at most 65,536 characters. */
            notation: string;
            /** @description The board of a game of Reversi. */
            reversi?: components["schemas"]["ReversiPosition"];
            /** @description The grid and the hands of a game of Three Trios. */
            threeTrios?: components["schemas"]["ThreeTriosPosition"];
        };
        /**
         * @description Position is one state of a game. A request needs only `notation`; the server ignores the other
         *     fields, so that a client can send back a position from any response.
         */
        PositionInput: {
            /** @description Required. The position as one line of text, at most 65,536 characters. */
            notation: string;
            /** @description The board of a game of Reversi. */
            readonly reversi?: components["schemas"]["ReversiPosition"];
            /** @description The grid and the hands of a game of Three Trios. */
            readonly threeTrios?: components["schemas"]["ThreeTriosPosition"];
        };
        /** @description PreviewGameResponse is the response of PreviewGame. */
        PreviewGameResponse: {
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
        RematchCreated: {
            /** @description The id of the rematch. */
            gameId: string;
        };
        /** @description ResignRequest is the request of Resign. */
        ResignRequest: {
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /** @description The side that resigns. Required if the caller holds both seats. */
            side?: components["schemas"]["Side"];
        };
        /** @description ResignResponse is the response of Resign. */
        ResignResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description ReversiPosition is a board of Reversi. */
        ReversiPosition: {
            /** @description The corner cells, in reading order. */
            corners: components["schemas"]["Cell"][];
            /**
             * @description One string for each row from the top, one letter for each cell: `X` black, `O` white, `_`
             *     empty.
             */
            rows: string[];
        };
        /** @description ReversiSetup describes a game of Reversi. */
        ReversiSetup: {
            /** @description Whether the server passes for a side that has no placement. */
            autoPass: boolean;
            /**
             * @description Whether the final score includes the empty cells: the winner gets them, in a draw each side
             *     gets half. Default: no.
             */
            emptiesToWinner?: boolean;
            /** @description A hexagonal board. */
            hexagon?: components["schemas"]["HexagonBoard"];
            /**
             * Format: int32
             * @description The least number of discs that a placement must flip, 1 to 64. Default (0): 1.
             */
            minFlips: number;
            /**
             * @description The rule for passes and for the end of the game. Default: PASS_RULE_VOLUNTARY on hexagons,
             *     PASS_RULE_FORCED on squares.
             */
            passRule: components["schemas"]["PassRule"];
            /** @description A square board. */
            square?: components["schemas"]["SquareBoard"];
            /**
             * @description The notation of the position to start from, at most 1,024 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: the usual
             *     start of the board.
             */
            startFrom: string;
        };
        /** @description ReversiSetup describes a game of Reversi. */
        ReversiSetupInput: {
            /** @description Whether the server passes for a side that has no placement. */
            autoPass?: boolean;
            /**
             * @description Whether the final score includes the empty cells: the winner gets them, in a draw each side
             *     gets half. Default: no.
             */
            emptiesToWinner?: boolean;
            /** @description A hexagonal board. */
            hexagon?: components["schemas"]["HexagonBoardInput"];
            /**
             * Format: int32
             * @description The least number of discs that a placement must flip, 1 to 64. Default (0): 1.
             */
            minFlips?: number;
            /**
             * @description The rule for passes and for the end of the game. Default: PASS_RULE_VOLUNTARY on hexagons,
             *     PASS_RULE_FORCED on squares.
             */
            passRule?: components["schemas"]["PassRule"];
            /** @description A square board. */
            square?: components["schemas"]["SquareBoardInput"];
            /**
             * @description The notation of the position to start from, at most 1,024 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: the usual
             *     start of the board.
             */
            startFrom?: string;
        };
        /** @description Robot is a strategy that holds a seat. */
        Robot: {
            /**
             * @description The options for the provider, which gets them with each request for a move: at most 4 KiB in the
             *     protobuf encoding, objects and lists nested at most 8 deep. The service of this server ignores
             *     them. All callers who can see the game can read them. Default: none.
             */
            options?: {
                [key: string]: unknown;
            };
            /**
             * @description The Strategy service that runs the strategy, by the name in the server's configuration, at most
             *     64 characters. Default: the service of this server.
             */
            provider: string;
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves. The same seed gives the same choice.
             *     Default (0): the first move in reading order, and for a skill other errors in each game.
             */
            seed: string;
            /** @description Required. The strategy that chooses its moves. */
            strategy: components["schemas"]["Strategy"];
        };
        /**
         * @description RobotChanged records that a robot got another strategy, or took the seat of a player who did not
         *     move in time.
         */
        RobotChanged: {
            /**
             * @description The former seat of the player who ran out of time or was absent. Not set if a robot held the
             *     seat before.
             */
            replaced?: components["schemas"]["Seat"];
            /** @description The robot with its new strategy. */
            robot: components["schemas"]["Robot"];
            /** @description The side of the robot. */
            side: components["schemas"]["Side"];
        };
        /** @description RobotDelayed reports that a robot's strategy failed and will be retried. */
        RobotDelayed: {
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
            side: components["schemas"]["Side"];
        };
        /** @description Robot is a strategy that holds a seat. */
        RobotInput: {
            /**
             * @description The options for the provider, which gets them with each request for a move: at most 4 KiB in the
             *     protobuf encoding, objects and lists nested at most 8 deep. The service of this server ignores
             *     them. All callers who can see the game can read them. Default: none.
             */
            options?: {
                [key: string]: unknown;
            };
            /**
             * @description The Strategy service that runs the strategy, by the name in the server's configuration, at most
             *     64 characters. Default: the service of this server.
             */
            provider?: string;
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves. The same seed gives the same choice.
             *     Default (0): the first move in reading order, and for a skill other errors in each game.
             */
            seed?: string;
            /** @description Required. The strategy that chooses its moves. */
            strategy: components["schemas"]["StrategyInput"];
        };
        /**
         * @description RobotThinking reports the progress of a robot's search, at most twice a second. A client may miss
         *     such messages. The event of the move has the final analysis.
         */
        RobotThinking: {
            /**
             * @description The result of the search at the last finished depth, without its lines. Its time is the time
             *     until that depth was finished.
             */
            analysis: components["schemas"]["Analysis"];
            /** @description The side of the robot. */
            side: components["schemas"]["Side"];
        };
        /** @description RotateKeyRequest is the request of RotateKey. */
        RotateKeyRequest: Record<string, unknown>;
        /** @description RotateKeyResponse is the response of RotateKey. */
        RotateKeyResponse: {
            /** @description The new secret key. No other response contains it. */
            key: string;
            /** @description The player. */
            player: components["schemas"]["Player"];
        };
        /**
         * @description Rule is a rule of Three Trios. Any can be combined, except RULE_DEFAULT with RULE_REVERSE.
         *
         *     - `RULE_UNSPECIFIED`: No rule is given.
         *     - `RULE_DEFAULT`: The greater value beats the smaller value.
         *     - `RULE_REVERSE`: The smaller value beats the greater value.
         *     - `RULE_FALLEN_ACE`: A one also beats an ace (10). Under RULE_REVERSE an ace also beats a one.
         *     - `RULE_SAME`: If at least two touching pairs of values are equal, the opponent's cards of these pairs flip.
         *     - `RULE_PLUS`: If at least two touching pairs of values have the same sum, the opponent's cards of these pairs flip.
         * @enum {string}
         */
        Rule: "RULE_UNSPECIFIED" | "RULE_DEFAULT" | "RULE_REVERSE" | "RULE_FALLEN_ACE" | "RULE_SAME" | "RULE_PLUS";
        /**
         * @description Score counts the pieces of each side: discs in Reversi; cards on the grid and in hand in Three
         *     Trios.
         */
        Score: {
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
        /** @description SearchMoveRequest is the request of SearchMove. */
        SearchMoveRequest: {
            /**
             * @description The clock of the game. Not set in a game without a time limit. The deadline of the call is the
             *     limit for this move.
             */
            clock?: components["schemas"]["Clock"];
            /**
             * @description The id of the game for which a robot moves: at most 64 letters, digits and `-._~`. Default:
             *     no game. The engine uses it to think while the opponent does, if the operator allows that. The
             *     strategies of this server ignore the following fields: they are for a provider.
             */
            gameId?: string;
            /**
             * @description The options of the robot, as the creator of the game has set them: at most 4 KiB in the protobuf
             *     encoding, objects and lists nested at most 8 deep. Default: none.
             */
            options?: {
                [key: string]: unknown;
            };
            /** @description Required. The position. Only its notation is needed. */
            position: components["schemas"]["PositionInput"];
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves. The same seed gives the same choice.
             *     Default (0): the first move in reading order.
             */
            seed?: string;
            /** @description The side of the robot, which is the side to move. Default: no game. */
            side?: components["schemas"]["Side"];
            /** @description Required. The strategy that chooses. */
            strategy: components["schemas"]["StrategyInput"];
        };
        /** @description SearchMoveResponse is a message of a search for a move. */
        SearchMoveResponse: {
            /** @description The chosen move, as ChooseMove returns it. It is the last message. */
            choice?: components["schemas"]["ChooseMoveResponse"];
            /** @description The result of the search at the last finished depth. */
            progress?: components["schemas"]["Analysis"];
        };
        /** @description One line of the stream: a message, or the error that ended the stream. */
        SearchMoveResponseLine: {
            error?: components["schemas"]["Status"];
            result?: components["schemas"]["SearchMoveResponse"];
        };
        /** @description Seat is a side of a game and its holder. In a request, a missing seat is open. */
        Seat: {
            /** @description No player yet. */
            open?: components["schemas"]["SeatOpen"];
            /** @description A player. A player other than the caller is invited: the seat is reserved until they accept. */
            player?: components["schemas"]["SeatSeatedPlayer"];
            /** @description A robot. */
            robot?: components["schemas"]["Robot"];
            /** @description Output only. The side. A request may repeat it, but the order of the seats determines it. */
            side: components["schemas"]["Side"];
        };
        /** @description Caller stands for the player who makes the call. */
        SeatCaller: Record<string, unknown>;
        /** @description Seat is a side of a game and its holder. In a request, a missing seat is open. */
        SeatInput: {
            /** @description Input only. The caller, who can hold both seats. */
            caller?: components["schemas"]["SeatCaller"];
            /** @description No player yet. */
            open?: components["schemas"]["SeatOpen"];
            /** @description A player. A player other than the caller is invited: the seat is reserved until they accept. */
            player?: components["schemas"]["SeatSeatedPlayerInput"];
            /** @description A robot. */
            robot?: components["schemas"]["RobotInput"];
            /** @description Output only. The side. A request may repeat it, but the order of the seats determines it. */
            readonly side?: components["schemas"]["Side"];
        };
        /** @description Open marks a seat without a player. */
        SeatOpen: Record<string, unknown>;
        /** @description SeatedPlayer is a player who holds a seat. */
        SeatSeatedPlayer: {
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
        /** @description SeatedPlayer is a player who holds a seat. */
        SeatSeatedPlayerInput: {
            /** @description Output only. The display name of the player. */
            readonly displayName?: string;
            /**
             * @description Output only. Whether the seat is reserved for the player, who has not accepted yet. They accept
             *     with JoinGame and decline with AbortGame.
             */
            readonly invited?: boolean;
            /** @description Required. The id of the player: at most 64 letters, digits and `-._~`. */
            playerId: string;
        };
        /** @description SeatTaken records that a player took an open seat. */
        SeatTaken: {
            /** @description The seat with its player. */
            seat: components["schemas"]["Seat"];
        };
        /** @description SetRobotRequest is the request of SetRobot. */
        SetRobotRequest: {
            /** @description The options for the provider, as in Robot. Default: none. */
            options?: {
                [key: string]: unknown;
            };
            /**
             * @description The Strategy service that runs the strategy, as in Robot, at most 64 characters. Default: the
             *     service of this server.
             */
            provider?: string;
            /**
             * Format: uuid
             * @description A UUID that makes a retry of this call safe.
             */
            requestId?: string;
            /**
             * Format: int64
             * @description The seed for a random choice among equally good moves, as in Robot.
             */
            seed?: string;
            /** @description The side of the robot. Required if both seats have robots. */
            side?: components["schemas"]["Side"];
            /** @description Required. The new strategy. */
            strategy: components["schemas"]["StrategyInput"];
        };
        /** @description SetRobotResponse is the response of SetRobot. */
        SetRobotResponse: {
            /** @description The game after the change. */
            game: components["schemas"]["Game"];
            /** @description Whether this is the response to an earlier call with the same request id. */
            replayed: boolean;
        };
        /** @description SetWebhookRequest is the request of SetWebhook. */
        SetWebhookRequest: {
            /** @description Whether to replace the secret of the signatures. A new webhook gets a secret in any case. */
            newSecret?: boolean;
            /**
             * Format: uri
             * @description Required. The URL to send requests to, at most 2048 characters: https, without a user name and
             *     without a fragment. A host in a private network is rejected unless the operator allows it.
             */
            url: string;
        };
        /** @description SetWebhookResponse is the response of SetWebhook. */
        SetWebhookResponse: {
            /** @description The secret of the signatures, such as `whsec_…`. GetWebhook does not return it. */
            secret: string;
            /** @description The webhook. */
            webhook: components["schemas"]["Webhook"];
        };
        /**
         * @description Setup describes a game to start: its board or cards and its rules. In a request, a missing field
         *     has the default in its comment. In a response, every field is set, except that a game from a
         *     position has no `start` of a square board.
         */
        Setup: {
            /** @description Reversi. */
            reversi?: components["schemas"]["ReversiSetup"];
            /** @description Three Trios. */
            threeTrios?: components["schemas"]["ThreeTriosSetup"];
        };
        /**
         * @description Setup describes a game to start: its board or cards and its rules. In a request, a missing field
         *     has the default in its comment. In a response, every field is set, except that a game from a
         *     position has no `start` of a square board.
         */
        SetupInput: {
            /** @description Reversi. */
            reversi?: components["schemas"]["ReversiSetupInput"];
            /** @description Three Trios. */
            threeTrios?: components["schemas"]["ThreeTriosSetupInput"];
        };
        /**
         * @description Side is one of the two sides of a game.
         *
         *     - `SIDE_UNSPECIFIED`: In a request: no side is given. In a response: neither side.
         *     - `SIDE_FIRST`: The side that moves first: Black in Reversi, Red in Three Trios.
         *     - `SIDE_SECOND`: The side that moves second: White in Reversi, Blue in Three Trios.
         * @enum {string}
         */
        Side: "SIDE_UNSPECIFIED" | "SIDE_FIRST" | "SIDE_SECOND";
        /**
         * @description SmallestReply guesses the strategy of the opponent and chooses the move after which its reply has
         *     the fewest flips. It plays on at most 25 card cells. On larger grids it fails with
         *     BUDGET_EXCEEDED and cannot be a robot.
         */
        SmallestReply: Record<string, unknown>;
        /** @description SquareBoard is a square board. */
        SquareBoard: {
            /**
             * Format: int32
             * @description The number of cells along one side, even, 4 to 16. Default (0): 8.
             */
            side: number;
            /**
             * @description The pattern of the discs at the start. In a response, it is START_UNSPECIFIED if the game starts
             *     from a position: `startFrom` has its discs. Default: START_STANDARD.
             */
            start: components["schemas"]["Start"];
        };
        /** @description SquareBoard is a square board. */
        SquareBoardInput: {
            /**
             * Format: int32
             * @description The number of cells along one side, even, 4 to 16. Default (0): 8.
             */
            side?: number;
            /**
             * @description The pattern of the discs at the start. In a response, it is START_UNSPECIFIED if the game starts
             *     from a position: `startFrom` has its discs. Default: START_STANDARD.
             */
            start?: components["schemas"]["Start"];
        };
        /** @description SquareCell holds a row and a column. */
        SquareCell: {
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
        /** @description SquareCell holds a row and a column. */
        SquareCellInput: {
            /**
             * Format: int32
             * @description The column, counted from 0 at the left.
             */
            column?: number;
            /**
             * Format: int32
             * @description The row, counted from 0 at the top.
             */
            row?: number;
        };
        /**
         * @description Start is the pattern of the four discs in the middle of a square board at the start.
         *
         *     - `START_UNSPECIFIED`: No start is given, or the game starts from a position.
         *     - `START_STANDARD`: White on the falling diagonal, as in Othello: d4 and e5 on a board of side 8.
         *     - `START_MIRRORED`: Black on the falling diagonal.
         * @enum {string}
         */
        Start: "START_UNSPECIFIED" | "START_STANDARD" | "START_MIRRORED";
        /** @description An error. Programs use `code` and the `reason` in `details`; the message is for people. */
        Status: {
            /**
             * Format: int32
             * @description The number of the gRPC code: 3 for INVALID_ARGUMENT and so on.
             */
            code: number;
            /** @description The description of the error for programs. */
            details: components["schemas"]["ErrorDetail"][];
            /** @description The description of the error for people. */
            message: string;
        };
        /**
         * @description Strategy is a strategy and its parameters. A strategy that does not play the game of the position
         *     fails with INVALID_FIELD. ListStrategies returns the games of each strategy. A strategy with all
         *     strategies inside has at most 512 bytes in the protobuf encoding; a larger one fails with
         *     INVALID_FIELD.
         */
        Strategy: {
            /** @description Every game: an alpha-beta search for the best difference in discs or cards. */
            alphaBeta?: components["schemas"]["AlphaBeta"];
            /** @description Reversi: all cells except those next to a corner. */
            avoidNextToCorners?: components["schemas"]["AvoidNextToCorners"];
            /** @description Three Trios: the corner where the card is hardest to flip. */
            corners?: components["schemas"]["Corners"];
            /** @description Every game: the strongest search. */
            engine?: components["schemas"]["Engine"];
            /** @description Reversi: the first move in reading order with the most flips. */
            greedy?: components["schemas"]["Greedy"];
            /** @description Three Trios: the cell where the fewest cards of the opponent could flip the card. */
            leastExposed?: components["schemas"]["LeastExposed"];
            /** @description Every game: a ready-made opponent of some strength. */
            level?: components["schemas"]["Level"];
            /** @description Reversi: the moves with the most flips. */
            maxCapture?: components["schemas"]["MaxCapture"];
            /** @description Reversi: the moves that leave the opponent the fewest good replies. */
            minimax?: components["schemas"]["Minimax"];
            /** @description Three Trios: the move with the most flips. */
            mostFlips?: components["schemas"]["MostFlips"];
            /**
             * Format: int32
             * @description Every game: a strength for people, from 1, a beginner, to 20. Weak players overlook moves and
             *     misjudge them; strong ones search further. Each seed gives other errors. A robot waits up to
             *     2.5 s before it moves, longer if it has more choices, and less if its clock is short.
             */
            skill?: number;
            /** @description Three Trios: the move with the fewest flips by the expected reply. */
            smallestReply?: components["schemas"]["SmallestReply"];
            /** @description Reversi: the corner cells. */
            takeCorners?: components["schemas"]["TakeCorners"];
            /** @description Reversi: one strategy, refined or replaced by another. */
            tryTwo?: components["schemas"]["TryTwo"];
        };
        /** @description StrategyInfo describes a strategy. */
        StrategyInfo: {
            /** @description The games that it plays. */
            games: components["schemas"]["GameKind"][];
            /** @description The name of its field in Strategy in lowerCamel, such as `maxCapture` or `level`. */
            name: string;
            /** @description The parameters of the strategy. */
            parameters: components["schemas"]["Parameter"][];
            /** @description The behaviour of the strategy, in one sentence. */
            summary: string;
        };
        /**
         * @description Strategy is a strategy and its parameters. A strategy that does not play the game of the position
         *     fails with INVALID_FIELD. ListStrategies returns the games of each strategy. A strategy with all
         *     strategies inside has at most 512 bytes in the protobuf encoding; a larger one fails with
         *     INVALID_FIELD.
         */
        StrategyInput: {
            /** @description Every game: an alpha-beta search for the best difference in discs or cards. */
            alphaBeta?: components["schemas"]["AlphaBetaInput"];
            /** @description Reversi: all cells except those next to a corner. */
            avoidNextToCorners?: components["schemas"]["AvoidNextToCorners"];
            /** @description Three Trios: the corner where the card is hardest to flip. */
            corners?: components["schemas"]["Corners"];
            /** @description Every game: the strongest search. */
            engine?: components["schemas"]["EngineInput"];
            /** @description Reversi: the first move in reading order with the most flips. */
            greedy?: components["schemas"]["Greedy"];
            /** @description Three Trios: the cell where the fewest cards of the opponent could flip the card. */
            leastExposed?: components["schemas"]["LeastExposed"];
            /** @description Every game: a ready-made opponent of some strength. */
            level?: components["schemas"]["Level"];
            /** @description Reversi: the moves with the most flips. */
            maxCapture?: components["schemas"]["MaxCapture"];
            /** @description Reversi: the moves that leave the opponent the fewest good replies. */
            minimax?: components["schemas"]["MinimaxInput"];
            /** @description Three Trios: the move with the most flips. */
            mostFlips?: components["schemas"]["MostFlips"];
            /**
             * Format: int32
             * @description Every game: a strength for people, from 1, a beginner, to 20. Weak players overlook moves and
             *     misjudge them; strong ones search further. Each seed gives other errors. A robot waits up to
             *     2.5 s before it moves, longer if it has more choices, and less if its clock is short.
             */
            skill?: number;
            /** @description Three Trios: the move with the fewest flips by the expected reply. */
            smallestReply?: components["schemas"]["SmallestReply"];
            /** @description Reversi: the corner cells. */
            takeCorners?: components["schemas"]["TakeCorners"];
            /** @description Reversi: one strategy, refined or replaced by another. */
            tryTwo?: components["schemas"]["TryTwoInput"];
        };
        /**
         * @description Substitute explains a move that the server played for a robot, because the robot's Strategy
         *     service gave no usable move.
         */
        Substitute: {
            /** @description The name of the Strategy service, as in Robot. Empty for the service of this server. */
            provider: string;
            /** @description The reason. */
            reason: components["schemas"]["SubstituteReason"];
        };
        /**
         * @description SubstituteReason is the reason for which a Strategy service gave no usable move. The server
         *     retries a few times first.
         *
         *     - `SUBSTITUTE_REASON_UNSPECIFIED`: No reason is given.
         *     - `SUBSTITUTE_REASON_NO_ANSWER`: The service did not answer in time.
         *     - `SUBSTITUTE_REASON_UNAVAILABLE`: The service could not be reached, or answered with an error.
         *     - `SUBSTITUTE_REASON_REJECTED`: The service rejected the strategy or the position.
         *     - `SUBSTITUTE_REASON_INVALID_ANSWER`: The answer has no move in `chosen.move` or `chosen.notation` that the server can read.
         *     - `SUBSTITUTE_REASON_ILLEGAL_MOVE`: The move in the answer is illegal.
         *     - `SUBSTITUTE_REASON_SUSPENDED`: The server did not ask the service, because its last turns failed. It asks again later.
         * @enum {string}
         */
        SubstituteReason: "SUBSTITUTE_REASON_UNSPECIFIED" | "SUBSTITUTE_REASON_NO_ANSWER" | "SUBSTITUTE_REASON_UNAVAILABLE" | "SUBSTITUTE_REASON_REJECTED" | "SUBSTITUTE_REASON_INVALID_ANSWER" | "SUBSTITUTE_REASON_ILLEGAL_MOVE" | "SUBSTITUTE_REASON_SUSPENDED";
        /** @description TakeCorners keeps the corner cells. It can keep no move. */
        TakeCorners: Record<string, unknown>;
        /**
         * @description Theme is a set of colours for an SVG or a PNG.
         *
         *     - `THEME_UNSPECIFIED`: No theme is given.
         *     - `THEME_LIGHT`: For a light page.
         *     - `THEME_DARK`: For a dark page.
         * @enum {string}
         */
        Theme: "THEME_UNSPECIFIED" | "THEME_LIGHT" | "THEME_DARK";
        /** @description ThreeTriosPosition is a grid of Three Trios and both hands. */
        ThreeTriosPosition: {
            /** @description All rows * columns cells in reading order: row by row from the top, each from the left. */
            cells: components["schemas"]["GridCell"][];
            /**
             * Format: int32
             * @description The number of columns, 1 to 16.
             */
            columns: number;
            /** @description The cards in hand. */
            hands: components["schemas"]["ThreeTriosPositionHands"];
            /**
             * Format: int32
             * @description The number of rows, 1 to 16.
             */
            rows: number;
        };
        /** @description Hands holds both hands. Every viewer of the game sees them. */
        ThreeTriosPositionHands: {
            /** @description Red's cards. The index in this list is the hand index. */
            first: components["schemas"]["Card"][];
            /** @description Blue's cards. The index in this list is the hand index. */
            second: components["schemas"]["Card"][];
        };
        /** @description ThreeTriosSetup describes a game of Three Trios. Default: a built-in game on 3 by 3 cells. */
        ThreeTriosSetup: {
            /** @description Whether neighbours that the mover owns count for RULE_SAME and RULE_PLUS. Default: no. */
            countOwnCards?: boolean;
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
            rules: components["schemas"]["Rule"][];
            /**
             * Format: int64
             * @description The seed for a shuffle of the deck before the deal. The same seed gives the same order.
             *     Default: no shuffle.
             */
            shuffleSeed?: string;
            /**
             * @description The notation of the position to start from, at most 65,536 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: a deal.
             */
            startFrom: string;
        };
        /** @description ThreeTriosSetup describes a game of Three Trios. Default: a built-in game on 3 by 3 cells. */
        ThreeTriosSetupInput: {
            /** @description Whether neighbours that the mover owns count for RULE_SAME and RULE_PLUS. Default: no. */
            countOwnCards?: boolean;
            /**
             * @description The deck file, at most 65,536 characters: one card on each line, `name north south east west`,
             *     with values 1 to 10 or `A` for 10. It needs at least one card more than the grid has card
             *     cells. Default: the built-in deck.
             */
            deck?: string;
            /**
             * @description The grid file, at most 512 characters: the numbers of rows and columns (1 to 16 each) on the
             *     first line, then one line for each row of `C` (card cell) and `X` (hole). The number of card
             *     cells is odd. Default: the built-in grid.
             */
            grid?: string;
            /**
             * @description The rules in force, at most 16 entries. Repeated rules count once. RULE_DEFAULT is in force
             *     unless RULE_REVERSE is, whether the list has it or not; a response lists it.
             */
            rules?: components["schemas"]["Rule"][];
            /**
             * Format: int64
             * @description The seed for a shuffle of the deck before the deal. The same seed gives the same order.
             *     Default: no shuffle.
             */
            shuffleSeed?: string;
            /**
             * @description The notation of the position to start from, at most 65,536 characters. The other fields must
             *     agree with it or be left out; otherwise the call fails with INVALID_FIELD. Default: a deal.
             */
            startFrom?: string;
        };
        /**
         * @description TimeControl limits the time of the players. A request sets at least one of `limit` and
         *     `claimAfter`.
         *
         *     The clock of a side runs in its own turns: from the event that gives it the turn to the event
         *     that ends the turn. A pass that the server makes for a side (`autoPass`) takes no time. A
         *     robot's clock runs like any other, and a robot moves before its time is up. A move is in time
         *     until the deadline plus a short lag grace, which the operator of the server sets (1 s by
         *     default). When the time is up, the server applies `onAbsence`, even if no client is connected.
         *     Time in which no server process serves does not count, unless the operator has set otherwise: it
         *     moves the deadline and the claim time.
         */
        TimeControl: {
            /**
             * @description The duration of a player's turn, 1 s to 30 days, after which the player counts as absent and
             *     the opponent can call ClaimAbandonment. Default: no player counts as absent.
             */
            claimAfter?: string;
            /**
             * Format: int32
             * @description A time for each move in days, 1 to 30, for correspondence games.
             */
            days?: number;
            /** @description A time for all moves of a side, which grows with each move. */
            fischer?: components["schemas"]["TimeControlFischer"];
            /** @description The policy for a player whose time is up, or whose absence was claimed. Default: `forfeit`. */
            onAbsence?: components["schemas"]["AbsencePolicy"];
            /** @description A time for each move, 1 s to 12 h. */
            perMove?: string;
        };
        /** @description Fischer is a time for all moves of a side, plus an increment for each move. */
        TimeControlFischer: {
            /** @description The time that each move of a side adds to its clock, 0 s to 1 h. Default: 0 s. */
            increment?: string;
            /** @description Required. The time of each side at the start, 1 s to 24 h. */
            initial: string;
        };
        /** @description Fischer is a time for all moves of a side, plus an increment for each move. */
        TimeControlFischerInput: {
            /** @description The time that each move of a side adds to its clock, 0 s to 1 h. Default: 0 s. */
            increment?: string;
            /** @description Required. The time of each side at the start, 1 s to 24 h. */
            initial: string;
        };
        /**
         * @description TimeControl limits the time of the players. A request sets at least one of `limit` and
         *     `claimAfter`.
         *
         *     The clock of a side runs in its own turns: from the event that gives it the turn to the event
         *     that ends the turn. A pass that the server makes for a side (`autoPass`) takes no time. A
         *     robot's clock runs like any other, and a robot moves before its time is up. A move is in time
         *     until the deadline plus a short lag grace, which the operator of the server sets (1 s by
         *     default). When the time is up, the server applies `onAbsence`, even if no client is connected.
         *     Time in which no server process serves does not count, unless the operator has set otherwise: it
         *     moves the deadline and the claim time.
         */
        TimeControlInput: {
            /**
             * @description The duration of a player's turn, 1 s to 30 days, after which the player counts as absent and
             *     the opponent can call ClaimAbandonment. Default: no player counts as absent.
             */
            claimAfter?: string;
            /**
             * Format: int32
             * @description A time for each move in days, 1 to 30, for correspondence games.
             */
            days?: number;
            /** @description A time for all moves of a side, which grows with each move. */
            fischer?: components["schemas"]["TimeControlFischerInput"];
            /** @description The policy for a player whose time is up, or whose absence was claimed. Default: `forfeit`. */
            onAbsence?: components["schemas"]["AbsencePolicyInput"];
            /** @description A time for each move, 1 s to 12 h. */
            perMove?: string;
        };
        /**
         * @description TryTwo applies `second` to the moves that `first` keeps. If `first` keeps no move, TryTwo applies
         *     `second` to all moves. If `second` keeps no move of `first`, TryTwo keeps the moves of `first`.
         */
        TryTwo: {
            /** @description Required. The strategy to apply first. Strategies nest at most 8 deep. */
            first: components["schemas"]["Strategy"];
            /** @description Required. The strategy to apply to the moves that `first` keeps. */
            second: components["schemas"]["Strategy"];
        };
        /**
         * @description TryTwo applies `second` to the moves that `first` keeps. If `first` keeps no move, TryTwo applies
         *     `second` to all moves. If `second` keeps no move of `first`, TryTwo keeps the moves of `first`.
         */
        TryTwoInput: {
            /** @description Required. The strategy to apply first. Strategies nest at most 8 deep. */
            first: components["schemas"]["StrategyInput"];
            /** @description Required. The strategy to apply to the moves that `first` keeps. */
            second: components["schemas"]["StrategyInput"];
        };
        /** @description Turn is the current turn of a game. */
        Turn: {
            /**
             * Format: date-time
             * @description The time from which on the opponent can claim that the player is absent. Not set without
             *     `claimAfter`.
             */
            claimTime?: string;
            /**
             * Format: date-time
             * @description The time at which the clock of the side to move is up. Not set without a time limit.
             */
            deadline?: string;
            /** @description Whether pass is the only legal move. */
            mustPass: boolean;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
        };
        /** @description TurnNotice announces that a player is to move in a game. */
        TurnNotice: {
            /**
             * Format: date-time
             * @description The time at which the clock of the side is up. Not set without a time limit.
             */
            deadline?: string;
            /** @description The id of the game. */
            gameId: string;
            /** @description Whether the game waits for the player to accept an invitation. */
            invitation: boolean;
            /** @description The id of the player. */
            playerId: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /**
             * Format: int32
             * @description The version of the game, to send as `expectedVersion`.
             */
            version: number;
        };
        /**
         * @description Visibility decides which players can see a game.
         *
         *     - `VISIBILITY_UNSPECIFIED`: No visibility is given.
         *     - `VISIBILITY_PUBLIC`: All players can see it and list it.
         *     - `VISIBILITY_LINK`: All players who know the id can see it. Only its own players can list it.
         *     - `VISIBILITY_PRIVATE`: Only its players, its creator and a player whom a robot replaced can see it. For other callers it does not exist. It has no open seats.
         * @enum {string}
         */
        Visibility: "VISIBILITY_UNSPECIFIED" | "VISIBILITY_PUBLIC" | "VISIBILITY_LINK" | "VISIBILITY_PRIVATE";
        /** @description WatchGameResponse is a message of a stream of one game. */
        WatchGameResponse: {
            /** @description The end of the stream. It is the last message. */
            end?: components["schemas"]["End"];
            /** @description The next event. */
            event?: components["schemas"]["Event"];
            /** @description A heartbeat after a time without other messages. */
            heartbeat?: components["schemas"]["Heartbeat"];
            /** @description The longest time without a message on a live stream. Set only in the first message. */
            heartbeatInterval?: string;
            /** @description A robot's strategy failed and will be retried. The log does not contain it. */
            robotDelayed?: components["schemas"]["RobotDelayed"];
            /** @description The progress of the robot that chooses a move. The log does not contain it. */
            robotThinking?: components["schemas"]["RobotThinking"];
            /** @description The current state of the game. */
            snapshot?: components["schemas"]["Game"];
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
        /** @description One line of the stream: a message, or the error that ended the stream. */
        WatchGameResponseLine: {
            error?: components["schemas"]["Status"];
            result?: components["schemas"]["WatchGameResponse"];
        };
        /** @description WatchTurnsResponse is a message of a stream of turns. */
        WatchTurnsResponse: {
            /** @description The cursor from which the client can resume after this message. */
            cursor: string;
            /** @description The end of the stream. It is the last message. */
            end?: components["schemas"]["End"];
            /** @description A game of the caller ended. */
            gameOver?: components["schemas"]["GameOver"];
            /** @description A heartbeat after a time without other messages. */
            heartbeat?: components["schemas"]["Heartbeat"];
            /** @description The longest time without a message on a live stream. Set only in the first message. */
            heartbeatInterval?: string;
            /**
             * Format: date-time
             * @description The time at which the server sent the message.
             */
            time: string;
            /** @description The caller is to move in a game. */
            turn?: components["schemas"]["TurnNotice"];
        };
        /** @description One line of the stream: a message, or the error that ended the stream. */
        WatchTurnsResponseLine: {
            error?: components["schemas"]["Status"];
            result?: components["schemas"]["WatchTurnsResponse"];
        };
        /** @description Webhook is a URL that receives the notices of a player, or of all users of a service. */
        Webhook: {
            /**
             * Format: date-time
             * @description The time of the creation.
             */
            createTime: string;
            /**
             * @description Whether the server has given up: the URL returned 410, or all deliveries failed for a long time.
             *     SetWebhook enables the webhook again.
             */
            disabled: boolean;
            /**
             * Format: date-time
             * @description The time of the first failure since the last successful delivery. Not set if failures is 0.
             */
            failingSince?: string;
            /**
             * Format: int32
             * @description The number of failed deliveries since the last successful one.
             */
            failures: number;
            /** @description The reason of the last failure, such as `HTTP 500`. Empty if failures is 0. */
            lastFailure: string;
            /**
             * Format: date-time
             * @description The time of the next delivery after a failure. Not set if failures is 0 or the webhook is
             *     disabled.
             */
            retryTime?: string;
            /** @description The URL. */
            url: string;
        };
    };
    responses: {
        /** @description The call failed and changed nothing. Only the outcome of STORE_UNAVAILABLE, GAME_UNAVAILABLE, DEADLINE_EXCEEDED and CANCELLED is unknown: repeat the call with the same request id. STORE_UNAVAILABLE with `sent` = `false` in its metadata changed nothing. `code` decides the HTTP status: 400 for INVALID_ARGUMENT and FAILED_PRECONDITION, 401 for UNAUTHENTICATED, 403 for PERMISSION_DENIED, 404 for NOT_FOUND, 409 for ABORTED and ALREADY_EXISTS, 429 for RESOURCE_EXHAUSTED, 503 for UNAVAILABLE, 504 for DEADLINE_EXCEEDED. 405, 413 and 415 have the usual meaning of HTTP. */
        Error: {
            headers: {
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["Retry-After"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
    };
    parameters: {
        /** @description The timeout of the call: a number and a unit, such as `500m` for half a second or `20S` for twenty seconds. Calls that are not streams take at most 60 seconds. */
        GrpcTimeout: string;
        /** @description Stands for the field `requestId`: a UUID that makes it safe to repeat this call. */
        IdempotencyKey: string;
        /** @description The `id` of the last server-sent event received. It overrides the query parameter with the resume point. EventSource sends it when it reconnects. */
        LastEventId: string;
        /** @description For service keys only: the external id of the user that the call acts for, at most 256 bytes. */
        OnBehalfOf: string;
        /** @description The id of this call in all log lines: at most 128 letters, digits and characters of `._~:/+=@-`. Any other value is replaced. */
        RequestId: string;
        /** @description The trace of the call, as in W3C Trace Context. */
        Traceparent: string;
    };
    requestBodies: never;
    headers: {
        /** @description The allowed methods. */
        Allow: string;
        /** @description The delay before a retry, in seconds. It is absent if a retry fails as well. */
        "Retry-After": number;
        /** @description The expected form of the key. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
