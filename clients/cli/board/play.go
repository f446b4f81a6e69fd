package board

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// place plays the selected cell, with cards the selected card.
func (g *game) place() tea.Cmd {
	if g.invited() {
		return g.join(g.id)
	}
	if !g.mayMove() {
		return nil
	}
	side := g.mover()
	if g.isTrios() && g.cards[side] == "" {
		g.notice = notice{"Select a card first: a number, up and down, or a click.", true}
		return nil
	}
	if g.selected == nil {
		g.notice = notice{"Select a cell first: arrow keys or a click.", true}
		return nil
	}
	cell := g.shape.Proto(*g.selected)
	move := &rulesv1.Move{Kind: &rulesv1.Move_Place_{Place: &rulesv1.Move_Place{Cell: cell}}}
	if g.isTrios() {
		played := &rulesv1.Move_PlayCard{Card: g.cards[side], Cell: cell}
		move = &rulesv1.Move{Kind: &rulesv1.Move_PlayCard_{PlayCard: played}}
	}
	return g.play(move)
}

// pass passes the turn.
func (g *game) pass() tea.Cmd {
	if !g.mayMove() {
		return nil
	}
	return g.play(&rulesv1.Move{Kind: &rulesv1.Move_PassTurn_{PassTurn: &rulesv1.Move_PassTurn{}}})
}

// mayMove reports whether the user is to move in the shown position. If not, it shows the reason.
func (g *game) mayMove() bool {
	reason := ""
	switch side := g.mover(); {
	case g.isOver():
		reason = "The game is over. Press n for a rematch."
	case side < 0:
		reason = "The game has not started: it waits for an opponent."
	case !g.mine(0) && !g.mine(1):
		reason = "You watch this game."
	case g.playing:
		reason = "Your move is on its way to the server."
	case !g.mine(side):
		reason = "It is not your turn: " + g.name(side) + " is to move."
	case g.isPast():
		reason = "This is a past position. Press End to return to the game."
	case !g.isLive():
		reason = "The board is not up to date yet."
	}
	if reason != "" {
		g.notice = notice{reason, true}
	}
	return reason == ""
}

// play sends a move. A rejection keeps the selection.
func (g *game) play(move *rulesv1.Move) tea.Cmd {
	request := &gamev1.PlayMoveRequest{
		GameId: g.id, Move: move, ExpectedVersion: g.history.Version,
		RequestId: uuid.NewString(),
	}
	g.playing = true
	return call(g.ctx, g.server.Games.PlayMove, request, func(
		played *gamev1.PlayMoveResponse, err error,
	) tea.Cmd {
		g.playing = false
		if err != nil {
			return g.rejected(err)
		}
		g.selected = nil
		if g.isTrios() {
			g.focus = onHand
		}
		return g.setGame(played.GetGame())
	})
}

// rejected shows the reason of a rejection and reads the game again, which another client may have
// changed.
func (g *game) rejected(err error) tea.Cmd {
	if g.ctx.Err() != nil {
		return nil
	}
	g.warn(err)
	return g.refresh()
}

// change makes a call that changes the game.
func change[Q any, R interface{ GetGame() *gamev1.Game }](
	g *game, do rpc[Q, R], request Q,
) tea.Cmd {
	return call(g.ctx, do, request, func(changed R, err error) tea.Cmd {
		switch {
		case status.Code(err) == codes.Unimplemented:
			g.notice = notice{"This server does not offer that.", true}
			return nil
		case err != nil:
			return g.rejected(err)
		}
		return g.setGame(changed.GetGame())
	})
}

// resign asks for confirmation and resigns. Before both sides have moved, aborting is offered too.
func (g *game) resign() tea.Cmd {
	side := g.ownSide()
	switch {
	case g.isOver():
		g.notice = notice{"The game is over.", true}
		return nil
	case side < 0:
		g.notice = notice{"You watch this game.", true}
		return nil
	}
	question := &chooser{app: g.app, title: "Resign?", dialog: true}
	resign := option{key: "y", label: "Resign", run: func() tea.Cmd {
		g.pop(question)
		request := &gamev1.ResignRequest{GameId: g.id, Side: sideOf(side), RequestId: uuid.NewString()}
		return change(g, g.server.Games.Resign, request)
	}}
	abort := option{key: "a", label: "Abort instead", run: func() tea.Cmd {
		g.pop(question)
		request := &gamev1.AbortGameRequest{GameId: g.id, RequestId: uuid.NewString()}
		return change(g, g.server.Games.AbortGame, request)
	}}
	switch {
	case g.invited():
		abort.key, abort.label = "y", "Decline"
		question.title, question.options = "Decline the invitation?", []option{abort}
	case g.latest.GetState() == gamev1.GameState_GAME_STATE_WAITING:
		abort.key, abort.label = "y", "Abort"
		question.title, question.options = "Abort the game?", []option{abort}
		question.text = []string{"The opponent has not joined it yet."}
	case g.history.Last() < 2:
		question.options = []option{resign, abort}
	default:
		question.options = []option{resign}
	}
	if question.text == nil && !g.invited() {
		question.text = []string{g.name(side) + " loses the game at once."}
	}
	question.options = append(question.options, option{key: "n", label: "No", run: question.back})
	question.index = len(question.options) - 1
	g.push(question)
	return nil
}
