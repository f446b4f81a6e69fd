-- +goose Up

-- Clocks. turn_since is the start of the turn and deadline the time at which the side to move runs
-- out of time; both are 0 in games without clocks. first_left and second_left are the remaining
-- times of both sides at turn_since, in nanoseconds.
ALTER TABLE games ADD COLUMN turn_since  BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN first_left  BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN second_left BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN deadline    BIGINT NOT NULL DEFAULT 0;

CREATE INDEX games_deadline ON games (deadline) WHERE deadline > 0;
