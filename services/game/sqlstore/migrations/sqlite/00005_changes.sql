-- +goose Up

-- last_change is the number of the last change of a game: the sequence number of its first event.
ALTER TABLE games DROP COLUMN first_seq;
ALTER TABLE games RENAME COLUMN last_seq TO last_change;

-- previous is the start of the period before, 0 for none. It makes concurrent transactions begin
-- only one period.
ALTER TABLE serving ADD COLUMN previous INTEGER;
CREATE UNIQUE INDEX serving_previous ON serving (previous);
