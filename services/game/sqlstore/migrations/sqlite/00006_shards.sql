-- +goose Up

-- The place of this database among those that share the games: the number from 0, and their count.
-- The first process that opens the database for writing adds the row. The database of games that are
-- older than this table is the only one.
CREATE TABLE shards (
    id       INTEGER NOT NULL PRIMARY KEY,
    shard    INTEGER NOT NULL,
    of_count INTEGER NOT NULL
) STRICT;

INSERT INTO shards (id, shard, of_count) SELECT 1, 0, 1 WHERE EXISTS (SELECT 1 FROM games);
