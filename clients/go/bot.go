package flipside

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Choose returns one of the legal moves of the side to move. The list is never empty. An error ends
// the bot.
type Choose func(
	ctx context.Context, game *gamev1.Game, moves []*rulesv1.LegalMove,
) (*rulesv1.LegalMove, error)

// Bot is a player that accepts every invitation and plays every game that waits for it, one move
// after the other. It survives restarts of the server and lost connections. A restarted bot
// continues its games.
type Bot struct {
	Client *Client
	// IgnoreInvitations leaves invitations to another program of the same player.
	IgnoreInvitations bool
}

// Run plays until ctx ends or a call fails with an error that a retry cannot repair. It returns
// that error.
func (b *Bot) Run(ctx context.Context, choose Choose) error {
	for _, err := range b.Play(ctx, choose) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Play plays as Run does, and yields the end of every game once. An error is the last value.
func (b *Bot) Play(ctx context.Context, choose Choose) iter.Seq2[*gamev1.GameOver, error] {
	return func(yield func(*gamev1.GameOver, error) bool) {
		ended := newVersions()
		for message, err := range b.Client.Turns(ctx, &gamev1.WatchTurnsRequest{}) {
			if err == nil && message.GetTurn() != nil {
				err = b.answer(ctx, message.GetTurn(), choose)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			over := message.GetGameOver()
			if over != nil && ended.advance(over.GetGameId(), 0) && !yield(over, nil) {
				return
			}
		}
	}
}

// answer answers a turn, however long the server is unavailable.
func (b *Bot) answer(ctx context.Context, turn *gamev1.TurnNotice, choose Choose) error {
	for {
		done, err := b.answerOnce(ctx, turn, choose)
		failed, ok := errors.AsType[*Error](err)
		switch {
		case err == nil && done || ok && isTooLate(failed.Reason):
			return nil
		case err == nil || ok && failed.Reason == "VERSION_MISMATCH":
			continue
		case !ok || !failed.Temporary() || ctx.Err() != nil:
			return err
		}
		if err := Pause(ctx, cmp.Or(failed.RetryAfter, time.Second)); err != nil {
			return err
		}
	}
}

// isTooLate reports whether a move failed because the game no longer waits for it.
func isTooLate(reason string) bool {
	switch reason {
	case "GAME_NOT_FOUND", "GAME_NOT_STARTED", "GAME_OVER", "NOT_YOUR_TURN", "SEAT_TAKEN":
		return true
	}
	return false
}

// answerOnce reports whether the game no longer waits for this turn.
func (b *Bot) answerOnce(
	ctx context.Context, turn *gamev1.TurnNotice, choose Choose,
) (done bool, err error) {
	id := turn.GetGameId()
	if turn.GetInvitation() {
		if !b.IgnoreInvitations {
			_, err = b.Client.Games.JoinGame(ctx, &gamev1.JoinGameRequest{GameId: id})
		}
		return true, err
	}
	got, err := b.Client.Games.GetGame(ctx, &gamev1.GetGameRequest{GameId: id})
	game := got.GetGame()
	if err != nil || game.GetTurn().GetSide() != turn.GetSide() {
		return true, err
	}
	legal, err := b.Client.LegalMoves(ctx, id)
	if err != nil || legal.GetVersion() != game.GetVersion() {
		return false, err
	}
	move, err := choose(ctx, game, legal.GetMoves())
	if err != nil {
		return false, err
	}
	_, err = b.Client.Play(ctx, id, move.GetNotation(), game.GetVersion())
	return err == nil, err
}
