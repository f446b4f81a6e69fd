-- +goose Up

-- Clocks. turn_since is when the turn began and deadline when its time is up, 0 in games without them; first_left and
-- second_left are what each side had left then of the time for all its moves, in nanoseconds.
ALTER TABLE games ADD COLUMN turn_since  BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN first_left  BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN second_left BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN deadline    BIGINT NOT NULL DEFAULT 0;

CREATE INDEX games_deadline ON games (deadline) WHERE deadline > 0;
