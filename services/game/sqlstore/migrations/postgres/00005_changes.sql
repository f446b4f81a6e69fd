-- +goose Up

-- No two games share a row that a move writes, so that no write waits for the commit of another
-- game.

-- last_change is the number of the last change of a game: the id of its transaction, which is known
-- without waiting for other transactions, plus the base in the table changes.
ALTER TABLE games DROP COLUMN first_seq;
ALTER TABLE games RENAME COLUMN last_seq TO last_change;

-- Numbers of changes must grow when the database moves to another server, where transactions have
-- other ids. The program then moves the base. server is the identifier of the server that the base
-- is for.
CREATE TABLE changes (
    id     BIGINT NOT NULL PRIMARY KEY,
    base   BIGINT NOT NULL,
    server BIGINT NOT NULL
);

INSERT INTO changes (id, base, server) VALUES (1, 0, 0);

-- Events need no order beyond that of their game.
ALTER TABLE events DROP CONSTRAINT events_pkey;
ALTER TABLE events DROP COLUMN seq;
ALTER TABLE events ADD PRIMARY KEY USING INDEX events_game;

-- A change of state adds rows to counters. The count of a state is the sum of its rows, which the
-- program merges from time to time.
ALTER TABLE counters DROP CONSTRAINT counters_pkey;

-- previous is the start of the period before, 0 for none. It makes concurrent transactions begin
-- only one period.
ALTER TABLE serving ADD COLUMN previous BIGINT;
CREATE UNIQUE INDEX serving_previous ON serving (previous);
