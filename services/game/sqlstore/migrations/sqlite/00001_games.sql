-- +goose Up

-- The current state of each game. The table is also the queue of robots' turns: robot_since is the
-- start of a robot's turn and 0 in all other games. A lease counts until lease_until. first_seq is
-- the sequence number of the first event, which has the setup. last_seq is that of the last event;
-- players use it to find their games that changed since their last query.
CREATE TABLE games (
    id            TEXT    NOT NULL PRIMARY KEY,
    creator       TEXT    NOT NULL,
    visibility    TEXT    NOT NULL,
    seats         TEXT    NOT NULL,
    first_player  TEXT    NOT NULL,
    second_player TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    version       INTEGER NOT NULL,
    position      TEXT    NOT NULL,
    first_moves   INTEGER NOT NULL,
    second_moves  INTEGER NOT NULL,
    last_cell     TEXT    NOT NULL,
    winner        INTEGER NOT NULL,
    ending        TEXT    NOT NULL,
    created       INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    robot_since   INTEGER NOT NULL,
    lease_holder  TEXT    NOT NULL,
    lease_until   INTEGER NOT NULL,
    first_seq     INTEGER NOT NULL,
    last_seq      INTEGER NOT NULL
) STRICT;

CREATE INDEX games_first_player ON games (first_player, last_seq) WHERE first_player <> '';
CREATE INDEX games_second_player ON games (second_player, last_seq) WHERE second_player <> '';
CREATE INDEX games_robot_since ON games (robot_since) WHERE robot_since > 0;

-- The log of all games. seq grows in the order of commits, so that rows are appended for every
-- game. The first event of a change stores its request: the caller, the request id ('' for none), a
-- fingerprint of the content, and the version after the change. Times are nanoseconds since 1970 in
-- all tables.
CREATE TABLE events (
    seq          INTEGER NOT NULL PRIMARY KEY,
    game_id      TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    time         INTEGER NOT NULL,
    data         TEXT    NOT NULL,
    caller       TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    fingerprint  BLOB    NOT NULL,
    last_version INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_game ON events (game_id, version);
CREATE UNIQUE INDEX events_request ON events (caller, request_id) WHERE request_id <> '';

-- The lists that contain a game: one row for each pair of a viewer who may see it ('' for all
-- viewers) and a player who sits in it ('' for any player). Every list is a range of the primary
-- key, in order.
CREATE TABLE listings (
    viewer  TEXT NOT NULL,
    player  TEXT NOT NULL,
    state   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    game_id TEXT NOT NULL,
    PRIMARY KEY (viewer, player, state, kind, game_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
    id       TEXT    NOT NULL PRIMARY KEY,
    name     TEXT    NOT NULL,
    created  INTEGER NOT NULL,
    key_hash BLOB
) STRICT;

CREATE TABLE external_players (
    service     TEXT NOT NULL,
    external_id TEXT NOT NULL,
    player_id   TEXT NOT NULL,
    PRIMARY KEY (service, external_id)
) STRICT, WITHOUT ROWID;

-- The number of games in each state, updated with every change.
CREATE TABLE counters (
    state TEXT    NOT NULL PRIMARY KEY,
    games INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (state, games) VALUES ('waiting', 0), ('active', 0), ('finished', 0), ('aborted', 0);
