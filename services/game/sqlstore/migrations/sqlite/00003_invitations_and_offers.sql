-- +goose Up

-- invitations is the number of reserved seats in a waiting game; the index counts the open
-- invitations of a creator. extras is JSON: offers, the number of adjustments, and the rematch.
ALTER TABLE games ADD COLUMN invitations INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN extras TEXT NOT NULL DEFAULT '';

CREATE INDEX games_invitations ON games (creator) WHERE invitations > 0;

-- service is the service or the token issuer that a player belongs to, '' for a player with a key.
ALTER TABLE players ADD COLUMN service TEXT NOT NULL DEFAULT '';

UPDATE players SET service = (SELECT e.service FROM external_players e WHERE e.player_id = players.id)
    WHERE id IN (SELECT player_id FROM external_players);
