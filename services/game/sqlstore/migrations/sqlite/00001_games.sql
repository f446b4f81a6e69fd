-- +goose Up

-- A game as it stands. The row is also the queue of robots' turns: robot_since is when such a turn began, 0 in all other
-- games; a lease that ran out is no lease. The setup is in the first event, which never changes.
CREATE TABLE games (
    id           TEXT    NOT NULL PRIMARY KEY,
    creator      TEXT    NOT NULL,
    visibility   TEXT    NOT NULL,
    seats        TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    position     TEXT    NOT NULL,
    first_moves  INTEGER NOT NULL,
    second_moves INTEGER NOT NULL,
    last_cell    TEXT    NOT NULL,
    winner       INTEGER NOT NULL,
    ending       TEXT    NOT NULL,
    created      INTEGER NOT NULL,
    updated      INTEGER NOT NULL,
    robot_since  INTEGER NOT NULL,
    lease_holder TEXT    NOT NULL,
    lease_until  INTEGER NOT NULL,
    change_seq   INTEGER NOT NULL
) STRICT;

CREATE INDEX games_robot_since ON games (robot_since) WHERE robot_since > 0;

-- The log. Times are nanoseconds since 1970, in all tables.
CREATE TABLE events (
    game_id TEXT    NOT NULL,
    version INTEGER NOT NULL,
    time    INTEGER NOT NULL,
    data    TEXT    NOT NULL,
    PRIMARY KEY (game_id, version)
) STRICT, WITHOUT ROWID;

-- The lists that a game is in: for each viewer who may find it there, '' for everybody, and for each player who sits
-- in it, '' for any. With one row for each pair, every list is a range of the key, already in order.
CREATE TABLE listings (
    viewer  TEXT NOT NULL,
    player  TEXT NOT NULL,
    state   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    game_id TEXT NOT NULL,
    PRIMARY KEY (viewer, player, state, kind, game_id)
) STRICT, WITHOUT ROWID;

-- The last change of each game, for each player who sits in it.
CREATE TABLE turns (
    player_id  TEXT    NOT NULL,
    change_seq INTEGER NOT NULL,
    game_id    TEXT    NOT NULL,
    PRIMARY KEY (player_id, change_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
    caller        TEXT    NOT NULL,
    id            TEXT    NOT NULL,
    fingerprint   BLOB    NOT NULL,
    game_id       TEXT    NOT NULL,
    first_version INTEGER NOT NULL,
    last_version  INTEGER NOT NULL,
    PRIMARY KEY (caller, id)
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

-- Numbers kept up with every change, so that nobody has to count: 'changes' is the change_seq of the last one, and
-- each state of a game has the number of games in it.
CREATE TABLE counters (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (name, value)
VALUES ('changes', 0), ('waiting', 0), ('active', 0), ('finished', 0), ('aborted', 0);
