package flipside

import (
	"cmp"
	"context"
	"iter"
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Watch follows a game until it ends: first a snapshot, or with an after_version the events after
// it, then every event once. The stream resumes by itself after a cut, a silent connection or a
// restart of the server. The last message is the end. An error is the last value: that of ctx, or
// one that a retry cannot repair.
func Watch(
	ctx context.Context, games gamev1.GameServiceClient, request *gamev1.WatchGameRequest,
	o StreamOptions,
) iter.Seq2[*gamev1.WatchGameResponse, error] {
	next := &gamev1.WatchGameRequest{GameId: request.GetGameId(), AfterVersion: request.AfterVersion}
	s := &stream[*gamev1.WatchGameResponse]{
		StreamOptions: o,
		open: func(ctx context.Context) (receiver[*gamev1.WatchGameResponse], error) {
			return games.WatchGame(ctx, next)
		},
		passed: func(m *gamev1.WatchGameResponse) bool {
			last := next.AfterVersion
			next.AfterVersion = new(max(m.GetVersion(), next.GetAfterVersion()))
			return last != nil && m.GetEvent() != nil && m.GetEvent().GetVersion() <= *last
		},
	}
	return s.all(ctx)
}

// Turns follows all games of the player of the key: first a turn for each game that waits for them,
// or with an after_cursor the changes after it, then every change once. It resumes and ends like
// [Watch].
func Turns(
	ctx context.Context, games gamev1.GameServiceClient, request *gamev1.WatchTurnsRequest,
	o StreamOptions,
) iter.Seq2[*gamev1.WatchTurnsResponse, error] {
	next := &gamev1.WatchTurnsRequest{AfterCursor: request.GetAfterCursor()}
	seen := newVersions()
	s := &stream[*gamev1.WatchTurnsResponse]{
		StreamOptions: o,
		open: func(ctx context.Context) (receiver[*gamev1.WatchTurnsResponse], error) {
			return games.WatchTurns(ctx, next)
		},
		passed: func(m *gamev1.WatchTurnsResponse) bool {
			next.AfterCursor = cmp.Or(m.GetCursor(), next.GetAfterCursor())
			switch {
			case m.GetTurn() != nil:
				return !seen.advance(m.GetTurn().GetGameId(), m.GetTurn().GetVersion())
			case m.GetGameOver() != nil:
				return !seen.advance(m.GetGameOver().GetGameId(), m.GetGameOver().GetVersion())
			}
			return false
		},
	}
	return s.all(ctx)
}

// versions has the latest version of each of the games that changed last.
type versions struct{ *simplelru.LRU[string, int32] }

func newVersions() versions {
	const games = 100_000
	entries, err := simplelru.NewLRU[string, int32](games, nil)
	if err != nil {
		panic(err) // The size is positive.
	}
	return versions{entries}
}

// advance stores the version of a game, and reports whether it is later than the stored one.
func (v versions) advance(game string, version int32) bool {
	last, ok := v.Get(game)
	if !ok {
		last = math.MinInt32
	}
	v.Add(game, max(last, version))
	return version > last
}
