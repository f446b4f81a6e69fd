package board

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/layout"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/cli/settings"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// game is the screen of a game.
type game struct {
	*app
	ctx    context.Context
	cancel context.CancelFunc
	stream chan reply // changes of the model that the stream causes

	id      string
	latest  *gamev1.Game // the latest state that was read; it may be ahead of history
	history session.History
	shape   layout.Shape
	seen    int32         // events up to this version happened before the screen was opened
	skew    time.Duration // of the clock of this machine to that of the server
	link    connection

	selected *layout.Cell // the selected cell
	cursor   layout.Cell  // where the selection is or was last
	cards    [2]string    // the selected card of each side
	hints    [2]bool      // the sides whose hints are on
	legal    map[movesKey]*moves
	shown    int // the index of the shown position in history, -1 for the latest
	focus    focus
	noLabels bool

	notice    notice
	playing   bool // a move is in flight
	delayed   *gamev1.RobotDelayed
	thinking  *gamev1.RobotThinking // the latest progress of the robot to move, nil before the first
	animation animation
	analysis  *analysis
	result    *chooser // the dialog with the result, nil before the end
}

// notice is a message for the user.
type notice struct {
	text  string
	isErr bool
}

// connection is the state of the stream.
type connection struct {
	reason  string // why it was lost, "" while it works or before a second failure
	retryAt time.Time
	lost    bool
}

// newGame returns the screen of a game.
func newGame(a *app, opened *gamev1.Game) *game {
	g := &game{
		app: a, id: opened.GetId(), latest: opened, shape: layout.Of(opened),
		seen: opened.GetVersion(), shown: -1,
		stream: make(chan reply), legal: map[movesKey]*moves{},
	}
	g.ctx, g.cancel = context.WithCancel(a.ctx)
	g.cursor = g.shape.Middle()
	if g.isTrios() {
		g.focus = onHand
	}
	return g
}

func (g *game) isDialog() bool { return false }

// close stops the stream, and remembers a game that goes on.
func (g *game) close() {
	g.cancel()
	g.stopAnalysis()
	if !g.isOver() && g.isMine(g.latest) {
		g.unfinished = g.id
	}
}

// follow follows the game from its first event until the screen closes.
func (g *game) follow() tea.Cmd {
	go g.readStream(0)
	return g.listen()
}

// listen waits for the next change that the stream causes.
func (g *game) listen() tea.Cmd {
	return func() tea.Msg {
		select {
		case change := <-g.stream:
			return reply(func() tea.Cmd { return tea.Batch(change(), g.listen()) })
		case <-g.ctx.Done():
			return nil
		}
	}
}

// readStream reads the stream after a version and passes its messages to the model.
func (g *game) readStream(after int32) {
	request := &gamev1.WatchGameRequest{GameId: g.id, AfterVersion: &after}
	// A server that was away moves deadlines, without an event.
	o := g.streamOptions(g.refresh)
	var failed error
	for m, err := range flipside.Watch(g.ctx, g.server.Games, request, o) {
		if failed = err; err == nil {
			g.post(func() tea.Cmd { return g.message(m) })
		}
	}
	g.post(func() tea.Cmd { return g.streamEnded(failed) })
}

// post passes a change to the model unless the screen is closed.
func (g *game) post(change func() tea.Cmd) {
	select {
	case g.stream <- change:
	case <-g.ctx.Done():
	}
}

// streamOptions returns the options of a stream whose connection the screen shows: connected, or cut
// and opened again after a delay. It calls connected each time the stream is connected.
func (g *game) streamOptions(connected func() tea.Cmd) flipside.StreamOptions {
	return flipside.StreamOptions{
		OnConnection: func(c flipside.Connection) {
			g.post(func() tea.Cmd {
				if c.Err != nil {
					g.link = connection{lost: true, retryAt: g.now().Add(c.Delay)}
					return nil
				}
				g.link = connection{}
				return connected()
			})
		},
		Retry: flipside.Retry{Attempts: settings.DefaultAttempts},
	}
}

// streamEnded handles the end of the stream of the game: it follows offers of a rematch, or opens
// the stream again after an error.
func (g *game) streamEnded(err error) tea.Cmd {
	switch {
	case err != nil:
		return g.streamFailed(err, func() { go g.readStream(g.history.Version) })
	case g.ctx.Err() != nil:
		return nil
	}
	g.followRematch()
	return g.refresh()
}

// streamFailed shows that a stream has ended with an error, and calls follow after a while.
func (g *game) streamFailed(err error, follow func()) tea.Cmd {
	if g.ctx.Err() != nil {
		return nil
	}
	g.link = connection{lost: true, reason: render.Explain(err), retryAt: g.now().Add(retryDelay)}
	return tea.Tick(retryDelay, func(time.Time) tea.Msg {
		return reply(func() tea.Cmd {
			if g.ctx.Err() == nil {
				follow()
			}
			return nil
		})
	})
}

// message handles a message of the stream.
func (g *game) message(m *gamev1.WatchGameResponse) tea.Cmd {
	g.skew = g.now().Sub(m.GetTime().AsTime())
	switch {
	case m.GetEvent() != nil:
		return g.apply(m.GetEvent())
	case m.GetRobotDelayed() != nil:
		g.delayed = m.GetRobotDelayed()
	case m.GetRobotThinking() != nil && m.GetVersion() == g.history.Version:
		g.thinking = m.GetRobotThinking()
	}
	return nil
}

// apply applies an event. After the latest one it reads the game and the legal moves.
func (g *game) apply(event *gamev1.Event) tea.Cmd {
	if event.GetVersion() <= g.history.Version {
		return nil
	}
	var animate tea.Cmd
	g.history.Apply(event)
	g.legal, g.delayed, g.thinking = map[movesKey]*moves{}, nil, nil
	isNew := event.GetVersion() > g.seen
	if played := event.GetMovePlayed(); played != nil && isNew {
		if played.GetMove().GetPassTurn() != nil && !g.mine(sideIndex(played.GetSide())) {
			g.notice = notice{text: g.name(sideIndex(played.GetSide())) + " passes."}
		}
		animate = g.startAnimation()
	}
	if isNew {
		g.noteOffer(event)
	}
	g.keepCards()
	if event.GetVersion() < g.latest.GetVersion() {
		return animate
	}
	return tea.Batch(animate, g.refresh(), g.analyseShown())
}

// refresh reads the game.
func (g *game) refresh() tea.Cmd {
	request := &gamev1.GetGameRequest{GameId: g.id}
	return call(g.ctx, g.server.Games.GetGame, request, func(
		got *gamev1.GetGameResponse, err error,
	) tea.Cmd {
		if err != nil {
			if g.ctx.Err() == nil && !g.link.lost { // else the screen shows the lost connection
				g.warn(err)
			}
			return nil
		}
		return g.setGame(got.GetGame())
	})
}

// setGame stores a state of the game unless a later one is known.
func (g *game) setGame(latest *gamev1.Game) tea.Cmd {
	if latest.GetVersion() < g.latest.GetVersion() {
		return nil
	}
	before := g.latest
	g.latest = latest
	g.noteRematch(before, latest)
	if latest.GetRematch() != before.GetRematch() && g.isOver() && g.ownSide() >= 0 {
		return g.open(latest.GetRematch())
	}
	if g.isOver() && g.isLive() && g.result == nil && g.latest.GetVersion() > g.seen {
		g.showResult()
	}
	return g.loadMoves()
}

// warn shows an error of a call.
func (g *game) warn(err error) { g.notice = notice{render.Explain(err), true} }

func (g *game) inform(text string) { g.notice = notice{text: text} }

// isLive reports whether all known events were applied. The stream ends with the game: later
// events, such as the offer of a rematch, do not change the board.
func (g *game) isLive() bool {
	return g.history.Over || g.history.Version >= g.latest.GetVersion()
}

func (g *game) isOver() bool {
	state := g.latest.GetState()
	return state == gamev1.GameState_GAME_STATE_FINISHED ||
		state == gamev1.GameState_GAME_STATE_ABORTED
}

func (g *game) isTrios() bool { return g.latest.GetKind() == render.Trios }

// isPast reports whether a past position is shown.
func (g *game) isPast() bool { return g.shown >= 0 && g.shown < g.history.Last() }

// entry returns the shown position.
func (g *game) entry() session.Entry {
	i := g.history.Last()
	if g.isPast() {
		i = g.shown
	}
	if i < 0 {
		return session.Entry{Position: g.latest.GetPosition(), Score: g.latest.GetScore()}
	}
	entry := g.history.Entries[i]
	if entry.Score == nil && g.history.Last() == 0 {
		entry.Score = g.latest.GetScore()
	}
	return entry
}

// mover returns the side to move, -1 if there is none.
func (g *game) mover() int {
	if g.latest.GetTurn() == nil {
		return -1
	}
	return sideIndex(g.latest.GetTurn().GetSide())
}

func sideIndex(side rulesv1.Side) int { return int(side) - 1 }

func sideOf(index int) rulesv1.Side { return rulesv1.Side(index + 1) }

// seat returns the seat of a side.
func (g *game) seat(side int) *gamev1.Seat {
	if seats := g.latest.GetSeats(); side >= 0 && side < len(seats) {
		return seats[side]
	}
	return nil
}

// mine reports whether the user plays a side.
func (g *game) mine(side int) bool { return g.isMe(g.latest, sideOf(side)) }

// isMe reports whether the user plays a side of a game.
func (a *app) isMe(g *gamev1.Game, side rulesv1.Side) bool {
	for _, seat := range g.GetSeats() {
		if seat.GetSide() == side {
			id := seat.GetPlayer().GetPlayerId()
			return id != "" && id == a.server.Player.GetId()
		}
	}
	return false
}

// isMine reports whether the user plays a game.
func (a *app) isMine(g *gamev1.Game) bool { return a.isMe(g, sideOf(0)) || a.isMe(g, sideOf(1)) }

// ownSide returns the side of the user: the side to move if they play both, -1 if they play none.
func (g *game) ownSide() int {
	switch first, second := g.mine(0), g.mine(1); {
	case first && second:
		return max(g.mover(), 0)
	case first:
		return 0
	case second:
		return 1
	}
	return -1
}

// hurries reports whether the screen changes faster than each second.
func (g *game) hurries() bool {
	left, ok := g.timeLeft(g.mover())
	return ok && left < 10*time.Second && !g.isOver()
}
