package session

import (
	"cmp"
	"context"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// FollowGame returns a Follower of one game. It updates the resume point in the request.
func FollowGame(
	games gamev1.GameServiceClient, request *gamev1.WatchGameRequest,
	handle func(*gamev1.WatchGameResponse) error,
) *Follower[*gamev1.WatchGameResponse] {
	return &Follower[*gamev1.WatchGameResponse]{
		Open: func(ctx context.Context) (Stream[*gamev1.WatchGameResponse], error) {
			return games.WatchGame(ctx, request)
		},
		Handle: func(m *gamev1.WatchGameResponse) error {
			version := m.GetVersion()
			request.AfterVersion = &version
			return handle(m)
		},
	}
}

// FollowTurns returns a Follower of the turns in all games of the caller. It updates the resume
// point in the request.
func FollowTurns(
	games gamev1.GameServiceClient, request *gamev1.WatchTurnsRequest,
	handle func(*gamev1.WatchTurnsResponse) error,
) *Follower[*gamev1.WatchTurnsResponse] {
	return &Follower[*gamev1.WatchTurnsResponse]{
		Open: func(ctx context.Context) (Stream[*gamev1.WatchTurnsResponse], error) {
			return games.WatchTurns(ctx, request)
		},
		Handle: func(m *gamev1.WatchTurnsResponse) error {
			request.AfterCursor = cmp.Or(m.GetCursor(), request.GetAfterCursor())
			return handle(m)
		},
	}
}
