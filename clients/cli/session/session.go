// Package session follows one game and plays in it. A Session does both for any user interface;
// Lines is one with lines of text; a History has the positions of a game.
package session

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

const (
	// Attempts is the number of attempts of each call of a Session: half a minute, enough for a
	// restart of the server.
	Attempts = 12
	// streamAttempts is the same for the stream, which needs longer to notice a cut.
	streamAttempts = 20
)

// Session follows one game and plays in it for the seats of the caller. It prints nothing: a user
// interface calls Follow, passes each event to Apply, and sends the user's commands with Play and
// Resign. Only one goroutine may use it.
type Session struct {
	// Game is the latest state that was read. It may be ahead of the events that were applied.
	Game *gamev1.Game
	// Seen is the version of the last event that was applied.
	Seen int32
	// Over reports whether the last event of the game was applied.
	Over bool
	// PlayerID is the player of the user. If it is "", the user plays for every player of the game.
	PlayerID string
	// Note shows the user that the connection is lost or restored. Another goroutine calls it.
	Note func(format string, args ...any)
	// Retry configures the attempts to open the stream.
	Retry flipside.Retry

	games gamev1.GameServiceClient
}

// New returns a session for a game. Its first event is that with version 1.
func New(games gamev1.GameServiceClient, game *gamev1.Game) *Session {
	return &Session{Game: game, games: games}
}

// Mover returns the side to move.
func (s *Session) Mover() rulesv1.Side { return s.Game.GetTurn().GetSide() }

// AwaitsMove reports whether the user is to move, and all events before this turn were applied.
func (s *Session) AwaitsMove() bool {
	return s.Seen >= s.Game.GetVersion() && s.Game.GetTurn() != nil && s.plays(s.Mover())
}

// plays reports whether the user plays a side.
func (s *Session) plays(side rulesv1.Side) bool {
	for _, seat := range s.Game.GetSeats() {
		if seat.GetSide() == side {
			id := seat.GetPlayer().GetPlayerId()
			return seat.GetPlayer() != nil && (s.PlayerID == "" || s.PlayerID == id)
		}
	}
	return false
}

// Follow watches the game until it is over or ctx ends. It delivers all events from the first, and
// delays of robots. The second channel receives one value, when the stream has ended for good: nil
// after the end of the game.
func (s *Session) Follow(ctx context.Context) (<-chan *gamev1.WatchGameResponse, <-chan error) {
	messages, ended := make(chan *gamev1.WatchGameResponse), make(chan error, 1)
	request := &gamev1.WatchGameRequest{GameId: s.Game.GetId(), AfterVersion: new(int32)}
	o := flipside.StreamOptions{
		OnConnection: Notes(s.Note), Retry: s.Retry, MaxFailures: streamAttempts,
	}
	go func() { ended <- deliver(ctx, flipside.Watch(ctx, s.games, request, o), messages) }()
	return messages, ended
}

// deliver sends all events and delays of robots of a stream to a channel.
func deliver(
	ctx context.Context, stream iter.Seq2[*gamev1.WatchGameResponse, error],
	to chan<- *gamev1.WatchGameResponse,
) error {
	for m, err := range stream {
		if err != nil {
			return err
		}
		if m.GetEvent() == nil && m.GetRobotDelayed() == nil {
			continue
		}
		select {
		case to <- m:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Notes returns a function that shows the user that a stream is lost or restored. It does not show
// a single failure, which is too common.
func Notes(note func(format string, args ...any)) func(flipside.Connection) {
	return func(c flipside.Connection) {
		switch {
		case c.Err == nil && c.Failures > 1:
			note("connected again")
		case c.Err != nil && c.Failures == 2:
			note("connection lost: %s; reconnecting", render.Describe(c.Err))
		}
	}
}

// Apply takes note of the next event. If it is the latest, Apply reads the game again.
func (s *Session) Apply(ctx context.Context, event *gamev1.Event) error {
	s.Seen = event.GetVersion()
	s.Over = event.GetFinished() != nil || event.GetAborted() != nil
	if s.Over || s.Seen < s.Game.GetVersion() {
		return nil
	}
	return s.refresh(ctx)
}

func (s *Session) refresh(ctx context.Context) error {
	got, err := s.games.GetGame(ctx, &gamev1.GetGameRequest{GameId: s.Game.GetId()})
	if err == nil {
		s.Game = got.GetGame()
	}
	return err
}

// RejectedError is the error of a command that the server rejected. The game goes on; the user can
// send another command.
type RejectedError struct{ Err error }

func (e *RejectedError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the call.
func (e *RejectedError) Unwrap() error { return e.Err }

// Play plays a move in the position that the user has seen. It returns a RejectedError if the
// server rejects the move.
func (s *Session) Play(ctx context.Context, notation string) error {
	played, err := s.games.PlayMove(ctx, &gamev1.PlayMoveRequest{
		GameId: s.Game.GetId(), Notation: notation, ExpectedVersion: s.Seen, RequestId: uuid.NewString(),
	})
	return s.changed(ctx, played.GetGame(), err)
}

// withName replaces the number of a card in the notation of a move with the name of the card. The
// board shows the number before each card in a hand. A name that looks like a number has priority.
func (s *Session) withName(notation string) string {
	number, cell, ok := strings.Cut(notation, "@")
	hand := render.Hand(s.Game.GetPosition(), s.Mover())
	isName := func(card *rulesv1.Card) bool { return card.GetName() == number }
	index, err := strconv.Atoi(number)
	if !ok || err != nil || index < 0 || index >= len(hand) || slices.ContainsFunc(hand, isName) {
		return notation
	}
	return hand[index].GetName() + "@" + cell
}

// Resign resigns for the side to move. It returns a RejectedError if the server rejects that.
func (s *Session) Resign(ctx context.Context) error {
	resigned, err := s.games.Resign(ctx, &gamev1.ResignRequest{
		GameId: s.Game.GetId(), Side: s.Mover(), RequestId: uuid.NewString(),
	})
	return s.changed(ctx, resigned.GetGame(), err)
}

// Offer makes an offer for the side to move, or accepts that of the opponent. A user who plays both
// sides takes back for the side that moved last. It returns a RejectedError if the server rejects
// the offer.
func (s *Session) Offer(ctx context.Context, kind gamev1.OfferKind) error {
	side := s.Mover()
	if kind == gamev1.OfferKind_OFFER_KIND_TAKEBACK && s.plays(opponent(side)) {
		side = opponent(side)
	}
	offered, err := s.games.Offer(ctx, &gamev1.OfferRequest{
		GameId: s.Game.GetId(), Kind: kind, Side: side, RequestId: uuid.NewString(),
	})
	return s.changed(ctx, offered.GetGame(), err)
}

// Decline declines or withdraws the latest offer. It returns a RejectedError if there is none.
func (s *Session) Decline(ctx context.Context) error {
	offers := s.Game.GetOffers()
	if len(offers) == 0 {
		return &RejectedError{errors.New("there is no offer to decline")}
	}
	declined, err := s.games.DeclineOffer(ctx, &gamev1.DeclineOfferRequest{
		GameId: s.Game.GetId(), Kind: offers[len(offers)-1].GetKind(), Side: s.Mover(),
		RequestId: uuid.NewString(),
	})
	return s.changed(ctx, declined.GetGame(), err)
}

func opponent(side rulesv1.Side) rulesv1.Side {
	if side == rulesv1.Side_SIDE_FIRST {
		return rulesv1.Side_SIDE_SECOND
	}
	return rulesv1.Side_SIDE_FIRST
}

// changed stores the game after a command. After a rejection it reads the game again, since another
// client may have changed it: the user must see that before the next command.
func (s *Session) changed(ctx context.Context, game *gamev1.Game, err error) error {
	if err == nil {
		s.Game = game
		return nil
	}
	switch status.Code(err) {
	case codes.ResourceExhausted:
		return &RejectedError{err}
	case codes.InvalidArgument, codes.FailedPrecondition, codes.PermissionDenied, codes.Aborted:
		if failed := s.refresh(ctx); failed != nil {
			return failed
		}
		return &RejectedError{err}
	default:
		return err
	}
}

// LegalMoves returns the legal moves of a side.
func (s *Session) LegalMoves(ctx context.Context, side rulesv1.Side) ([]*rulesv1.LegalMove, error) {
	request := &gamev1.ListLegalMovesRequest{GameId: s.Game.GetId(), Side: side}
	legal, err := flipside.LegalMoves(ctx, s.games, request)
	return legal.GetMoves(), err
}

// Board draws the board after an event as lines of text.
func (s *Session) Board(ctx context.Context, version int32) (string, error) {
	return Board(ctx, s.games, s.Game.GetId(), version)
}

// Board draws the board of a game after an event, as lines of text with labels.
func Board(
	ctx context.Context, games gamev1.GameServiceClient, id string, version int32,
) (string, error) {
	board, err := games.RenderGame(ctx, &gamev1.RenderGameRequest{
		GameId: id, Version: version, Format: gamev1.Format_FORMAT_TEXT, Labels: true,
	})
	return render.Lines(board.GetData()), err
}
