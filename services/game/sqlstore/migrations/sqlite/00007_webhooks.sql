-- +goose Up

-- A webhook belongs to a player or to a service; the other column is ''. cursor is the number of the
-- change in this database up to which all notices are delivered. A lease counts until lease_until.
CREATE TABLE webhooks (
    player        TEXT NOT NULL,
    service       TEXT NOT NULL,
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    created       INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    cursor        INTEGER NOT NULL,
    failures      INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER NOT NULL DEFAULT 0,
    last_failure  TEXT NOT NULL DEFAULT '',
    next_attempt  INTEGER NOT NULL DEFAULT 0,
    disabled      INTEGER NOT NULL DEFAULT 0,
    lease_holder  TEXT NOT NULL DEFAULT '',
    lease_until   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (player, service)
) STRICT;

CREATE INDEX webhooks_due ON webhooks (failures, next_attempt) WHERE disabled = 0;

-- The services of the players of a game, '' for none. second_service is '' too if both are the same.
-- Seats of older games have no services.
ALTER TABLE games ADD COLUMN first_service TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN second_service TEXT NOT NULL DEFAULT '';

CREATE INDEX games_first_service ON games (first_service, last_change) WHERE first_service <> '';
CREATE INDEX games_second_service ON games (second_service, last_change) WHERE second_service <> '';
