-- +goose Up

-- Columns in indexes use COLLATE "C": byte order, as in the program, whatever the locale of the
-- database is.

-- The current state of each game. The table is also the queue of robots' turns: robot_since is the
-- start of a robot's turn and 0 in all other games. A lease counts until lease_until. first_seq is
-- the sequence number of the first event, which has the setup. last_seq is that of the last event;
-- players use it to find their games that changed since their last query.
CREATE TABLE games (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    creator       TEXT             NOT NULL,
    visibility    TEXT             NOT NULL,
    seats         TEXT             NOT NULL,
    first_player  TEXT COLLATE "C" NOT NULL,
    second_player TEXT COLLATE "C" NOT NULL,
    state         TEXT COLLATE "C" NOT NULL,
    version       BIGINT           NOT NULL,
    position      TEXT             NOT NULL,
    first_moves   BIGINT           NOT NULL,
    second_moves  BIGINT           NOT NULL,
    last_cell     TEXT             NOT NULL,
    winner        BIGINT           NOT NULL,
    ending        TEXT             NOT NULL,
    created       BIGINT           NOT NULL,
    updated       BIGINT           NOT NULL,
    robot_since   BIGINT           NOT NULL,
    lease_holder  TEXT             NOT NULL,
    lease_until   BIGINT           NOT NULL,
    first_seq     BIGINT           NOT NULL,
    last_seq      BIGINT           NOT NULL
);

CREATE INDEX games_first_player ON games (first_player, last_seq) WHERE first_player <> '';
CREATE INDEX games_second_player ON games (second_player, last_seq) WHERE second_player <> '';
CREATE INDEX games_robot_since ON games (robot_since) WHERE robot_since > 0;

-- The log of all games. seq grows in the order of commits, so that rows are appended for every
-- game. The first event of a change stores its request: the caller, the request id ('' for none), a
-- fingerprint of the content, and the version after the change. Times are nanoseconds since 1970 in
-- all tables.
CREATE TABLE events (
    seq          BIGINT           NOT NULL PRIMARY KEY,
    game_id      TEXT COLLATE "C" NOT NULL,
    version      BIGINT           NOT NULL,
    time         BIGINT           NOT NULL,
    data         TEXT             NOT NULL,
    caller       TEXT COLLATE "C" NOT NULL,
    request_id   TEXT COLLATE "C" NOT NULL,
    fingerprint  BYTEA            NOT NULL,
    last_version BIGINT           NOT NULL
);

CREATE UNIQUE INDEX events_game ON events (game_id, version);
CREATE UNIQUE INDEX events_request ON events (caller, request_id) WHERE request_id <> '';

-- The lists that contain a game: one row for each pair of a viewer who may see it ('' for all
-- viewers) and a player who sits in it ('' for any player). Every list is a range of the primary
-- key, in order.
CREATE TABLE listings (
    viewer  TEXT COLLATE "C" NOT NULL,
    player  TEXT COLLATE "C" NOT NULL,
    state   TEXT COLLATE "C" NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    game_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (viewer, player, state, kind, game_id)
);

CREATE TABLE players (
    id       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name     TEXT             NOT NULL,
    created  BIGINT           NOT NULL,
    key_hash BYTEA
);

CREATE TABLE external_players (
    service     TEXT COLLATE "C" NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    player_id   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (service, external_id)
);

-- The number of games in each state, updated with every change.
CREATE TABLE counters (
    state TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    games BIGINT           NOT NULL
);

INSERT INTO counters (state, games) VALUES ('waiting', 0), ('active', 0), ('finished', 0), ('aborted', 0);
