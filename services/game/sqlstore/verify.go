package sqlstore

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/flipside-games/flipside/services/game"
)

// Problem is a game whose stored state differs from the replay of its log.
type Problem struct {
	GameID string
	// Text describes the difference to operators.
	Text string
}

// Verify replays the log of every game and yields the games whose stored state differs. It stops
// after the first error, which is an error of the store. It can run while games are played: it
// verifies each game at the version that it read.
func (s *Store) Verify(ctx context.Context) iter.Seq2[Problem, error] {
	const page = 100
	return func(yield func(Problem, error) bool) {
		for after := ""; ; {
			var rows []gameRow
			err := s.db.read(ctx, func(reader reader) (err error) {
				rows, err = gameRows(reader, selectGamesAfter, after, page)
				return err
			})
			if err != nil {
				yield(Problem{}, err)
				return
			}
			for _, r := range rows {
				after = r.id
				problem, err := s.verify(ctx, r)
				if err != nil {
					yield(Problem{}, err)
					return
				}
				if problem != "" && !yield(Problem{GameID: r.id, Text: problem}, nil) {
					return
				}
			}
			if len(rows) < page {
				return
			}
		}
	}
}

// verify returns the text of a game's [Problem], or "".
func (s *Store) verify(ctx context.Context, r gameRow) (string, error) {
	log, err := s.Events(ctx, r.id, 0, math.MaxInt32)
	if err != nil {
		return "", err
	}
	replayed, err := game.Replay(log[:min(len(log), r.version)])
	if err != nil {
		return err.Error(), nil
	}
	if replayed.Version != r.version {
		return fmt.Sprintf("the log ends at version %d of %d", replayed.Version, r.version), nil
	}
	want, err := encode(replayed)
	if err != nil {
		return "", undecodable(err)
	}
	// Outages after the last event have moved the deadline, unless they count on clocks.
	moved := r.deadline - want.deadline
	if moved > 0 && moved <= int64(s.serving.since(timeOf(r.turnSince))) {
		want.deadline = r.deadline
	}
	if want.lastChange = r.lastChange; want != r {
		return fmt.Sprintf("the log leads to %+v, the stored game is %+v", want, r), nil
	}
	return "", nil
}
