-- +goose Up

-- A webhook belongs to a player or to a service; the other column is ''. cursor is the number of the
-- change in this database up to which all notices are delivered. A lease counts until lease_until.
CREATE TABLE webhooks (
    player        TEXT COLLATE "C" NOT NULL,
    service       TEXT COLLATE "C" NOT NULL,
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    created       BIGINT NOT NULL,
    updated       BIGINT NOT NULL,
    cursor        BIGINT NOT NULL,
    failures      BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT NOT NULL DEFAULT 0,
    last_failure  TEXT NOT NULL DEFAULT '',
    next_attempt  BIGINT NOT NULL DEFAULT 0,
    disabled      BIGINT NOT NULL DEFAULT 0,
    lease_holder  TEXT NOT NULL DEFAULT '',
    lease_until   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (player, service)
);

CREATE INDEX webhooks_due ON webhooks (failures, next_attempt) WHERE disabled = 0;

-- The services of the players of a game, '' for none. second_service is '' too if both are the same.
-- Seats of older games have no services.
ALTER TABLE games ADD COLUMN first_service TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN second_service TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE INDEX games_first_service ON games (first_service, last_change) WHERE first_service <> '';
CREATE INDEX games_second_service ON games (second_service, last_change) WHERE second_service <> '';
