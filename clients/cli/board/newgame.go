package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// The choices of the form of a new game.
const (
	hexagon, square, cards = "hexagon", "square", "cards"

	robot     = "robot"
	sameSeat  = "person at this screen"
	friend    = "friend with the link"
	twoRobots = "two robots"

	no, yes = "no", "yes"

	asBefore = "as before" // the grid or deck of a copied game
	noLimit  = "no limit"
)

// gameForm is the form of a new game, or of a fork of a game.
type gameForm struct {
	form
	fork   *gamev1.ForkGameRequest
	kind   rulesv1.GameKind // of a fork
	copied *rulesv1.Setup   // of the game whose settings are copied
}

// defaultValues returns the values that the form starts with: the defaults in force.
func defaultValues() map[string]string {
	return map[string]string{
		"game": hexagon, "rings": "5", "side": "8", "opponent": robot, "level": "easy",
		"second": "medium", "first": "easy", "clock": "none",
		"alphabeta depth": "4", "alphabeta time": noLimit, "engine depth": noLimit, "engine time": "1s",
		"hexPass": "voluntary", "squarePass": "forced", "minFlips": "1",
	}
}

// newGameForm returns the form of a new game.
func newGameForm(a *app, values map[string]string) *gameForm {
	f := &gameForm{}
	f.form = form{app: a, title: "New game", action: "Start", values: values}
	f.layout, f.submit = f.showFields, f.create
	return f
}

// newCopyForm returns the form of a new game with the settings of another game.
func newCopyForm(a *app, g *gamev1.Game) *gameForm {
	f := newGameForm(a, valuesOf(g))
	f.copied = g.GetSetup()
	return f
}

// newForkForm returns the form of a fork of a game after a version.
func newForkForm(a *app, g *gamev1.Game, version int32) *gameForm {
	f := newGameForm(a, valuesOf(g))
	f.title, f.kind = "New game from this position", g.GetKind()
	f.fork = &gamev1.ForkGameRequest{GameId: g.GetId(), Version: &version}
	return f
}

func (f *gameForm) showFields() {
	if f.fork == nil {
		f.boardFields()
	}
	f.playerFields()
	f.choice("visibility", "Visible to", "public: everyone; link: people with the id",
		"public", "link", "private")
	if f.fork == nil {
		f.ruleFields()
	}
}

func (f *gameForm) boardFields() {
	f.choice("game", "Game", "Reversi on a hexagon or a square, or the cards of Three Trios",
		hexagon, square, cards)
	switch f.values["game"] {
	case hexagon:
		f.text("rings", "Rings", "Rings around the centre cell: 1 to 12")
	case square:
		f.text("side", "Cells a side", "An even number: 4 to 16")
	case cards:
		f.text("grid", "Grid file", "A file with the grid; empty for the built-in grid of 3 by 3 cells")
		f.text("deck", "Deck file", "A file with the cards; empty for the built-in deck")
	}
}

func (f *gameForm) gameKind() rulesv1.GameKind {
	switch {
	case f.fork != nil:
		return f.kind
	case f.values["game"] == cards:
		return render.Trios
	default:
		return render.Reversi
	}
}

func (f *gameForm) playerFields() {
	kind := f.gameKind()
	names := render.StrategyNames(kind)
	colours := render.Describer{Kind: kind}
	f.choice("opponent", "Opponent", "", robot, sameSeat, friend, twoRobots)
	switch f.values["opponent"] {
	case robot:
		f.choice("level", "Level",
			"skill has a strength from 1 to 20; easy to expert are levels; the others are strategies",
			names...)
		f.skillField("level", "Strength")
	case twoRobots:
		f.choice("first", colours.Colour(0), "", names...)
		f.skillField("first", "Strength "+colours.Colour(0))
		f.choice("second", colours.Colour(1), "", names...)
		f.skillField("second", "Strength "+colours.Colour(1))
	}
	f.limitFields(f.searching())
	if o := f.values["opponent"]; o == robot || o == friend {
		f.choice("plays", "You play", colours.Colour(0)+" moves first",
			colours.Colour(0), colours.Colour(1))
	}
	f.text("clock", "Clock", "none, 5m for the game, 5m+3s with an increment, 30s/move or 3d/move")
}

// searching returns the first strategy of the robots that has limits, "" if none has.
func (f *gameForm) searching() string {
	names := []string{f.values["level"]}
	switch f.values["opponent"] {
	case sameSeat, friend:
		return ""
	case twoRobots:
		names = []string{f.values["first"], f.values["second"]}
	}
	if i := slices.IndexFunc(names, searches); i >= 0 {
		return names[i]
	}
	return ""
}

func (f *gameForm) ruleFields() {
	switch f.values["game"] {
	case cards:
		f.choice("battle", "Battle", "default: the greater value wins; reverse: the smaller",
			"default", "reverse")
		f.choice("fallen-ace", "Fallen ace", "A one beats an ace", no, yes)
		f.choice("same", "Same", "Two equal pairs of values flip both cards", no, yes)
		f.choice("plus", "Plus", "Two pairs of values with the same sum flip both cards", no, yes)
	default:
		pass := map[string]string{hexagon: "hexPass", square: "squarePass"}[f.values["game"]]
		f.choice(pass, "Passing", "voluntary: at any time; forced: only without a placement",
			"voluntary", "forced")
		f.choice("autoPass", "Automatic pass",
			"The server passes for a side without a placement", no, yes)
		f.text("minFlips", "Least flips", "A placement must flip at least this many discs: 1 to 64")
	}
}

// players returns the players of the command line that fit the choices.
func (f *gameForm) players() [2]string {
	players := [2]string{"me", f.strategy("level")}
	switch f.values["opponent"] {
	case sameSeat:
		return [2]string{"human", "human"}
	case twoRobots:
		return [2]string{f.strategy("first"), f.strategy("second")}
	case friend:
		players[1] = "open"
	}
	if f.values["plays"] == (render.Describer{Kind: f.gameKind()}).Colour(1) {
		players[0], players[1] = players[1], players[0]
	}
	return players
}

// create checks the fields and creates the game.
func (f *gameForm) create() tea.Cmd {
	request := f.request()
	if request == nil {
		return nil
	}
	f.busy = true
	if f.fork == nil {
		return ask(f.app, f.server.Games.CreateGame, request, created[*gamev1.CreateGameResponse](f))
	}
	f.fork.Seats, f.fork.TimeControl = request.Seats, request.TimeControl
	f.fork.Visibility, f.fork.RequestId = request.Visibility, request.RequestId
	return ask(f.app, f.server.Games.ForkGame, f.fork, created[*gamev1.ForkGameResponse](f))
}

// created returns the function that shows the created game, or the error at its field.
func created[R interface{ GetGame() *gamev1.Game }](f *gameForm) func(R, error) tea.Cmd {
	return func(reply R, err error) tea.Cmd {
		f.busy = false
		if err != nil {
			return f.fail(f.faultyField(err), fieldError(err))
		}
		return f.show(reply.GetGame())
	}
}

// request builds the request from the fields. It returns nil after an error, which it shows at the
// field.
func (f *gameForm) request() *gamev1.CreateGameRequest {
	var board settings.Board = &settings.Hex{}
	switch f.values["game"] {
	case square:
		board = &settings.Square{}
	case cards:
		board = &settings.Cards{}
	}
	flags, game := pflag.NewFlagSet("", pflag.ContinueOnError), &settings.NewGame{}
	game.Register(flags)
	board.Register(flags)
	if !f.setFlags(flags) {
		return nil
	}
	request, players := &gamev1.CreateGameRequest{RequestId: uuid.NewString()}, f.players()
	var err error
	if f.fork != nil {
		request.Seats, request.TimeControl, err = game.Players(players, f.kind)
		request.Visibility = game.Visibility
	} else {
		arguments := slices.Concat(players[:], f.arguments())
		if err = game.Fill(request, players, board, arguments); err == nil {
			f.copySetup(request.GetSetup())
		}
	}
	if err != nil {
		f.fail(f.faultyField(err), render.OneLine(err.Error()))
		return nil
	}
	return request
}

// copySetup copies what the form does not show from the setup of the copied game.
func (f *gameForm) copySetup(setup *rulesv1.Setup) {
	trios, copied := setup.GetThreeTrios(), f.copied.GetThreeTrios()
	if trios != nil && copied != nil {
		if f.values["grid"] == asBefore {
			trios.Grid = copied.GetGrid()
		}
		if f.values["deck"] == asBefore {
			trios.Deck = copied.GetDeck()
		}
		trios.CountOwnCards, trios.ShuffleSeed = copied.CountOwnCards, copied.ShuffleSeed
	}
	if reversi, copied := setup.GetReversi(), f.copied.GetReversi(); reversi != nil && copied != nil {
		reversi.EmptiesToWinner = copied.EmptiesToWinner
		if reversi.GetSquare() != nil && copied.GetSquare() != nil {
			reversi.GetSquare().Start = copied.GetSquare().GetStart()
		}
	}
}

// arguments returns the arguments of the board on the command line.
func (f *gameForm) arguments() (arguments []string) {
	switch f.values["game"] {
	case hexagon:
		return []string{f.values["rings"]}
	case square:
		return []string{f.values["side"]}
	}
	arguments = []string{f.values["battle"]}
	for _, rule := range []string{"fallen-ace", "same", "plus"} {
		if f.values[rule] == yes {
			arguments = append(arguments, rule)
		}
	}
	return arguments
}
