-- +goose Up

-- The periods in which at least one process served without a gap. last is the last heartbeat of the
-- period, 0 while the transaction that begins it moves the deadlines of games.
CREATE TABLE serving (
    started BIGINT NOT NULL PRIMARY KEY,
    last    BIGINT NOT NULL
);
