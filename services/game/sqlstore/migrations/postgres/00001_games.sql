-- +goose Up

-- What is looked up or put in order is compared byte by byte, as the program does, whatever language the database speaks.

-- A game as it stands. The row is also the queue of robots' turns: robot_since is when such a turn began, 0 in all other
-- games; a lease that ran out is no lease. first_seq and last_seq are those of the first event, which has the setup, and
-- of the last one, by which a player finds those of his games that changed since he last looked.
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

-- The log of all games. seq grows in the order of commits, so that rows are written at the end whatever the game. The
-- first event of a change has the request that made it: who called, the id he gave it, '' for none, a fingerprint of what
-- he wanted, and the version that the change led to. Times are nanoseconds since 1970, in all tables.
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

-- The lists that a game is in: for each viewer who may find it there, '' for everybody, and for each player who sits
-- in it, '' for any. With one row for each pair, every list is a range of the key, already in order.
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

-- How many games are in each state, kept up with every change, so that nobody has to count them.
CREATE TABLE counters (
    state TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    games BIGINT           NOT NULL
);

INSERT INTO counters (state, games) VALUES ('waiting', 0), ('active', 0), ('finished', 0), ('aborted', 0);
