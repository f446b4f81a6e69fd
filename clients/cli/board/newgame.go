package board

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"github.com/spf13/pflag"
	"google.golang.org/grpc/codes"

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
	values map[string]string // of all fields, also of those that are hidden
	fork   *gamev1.ForkGameRequest
	kind   rulesv1.GameKind // of a fork
	copied *rulesv1.Setup   // of the game whose settings are copied
}

// defaultValues returns the values that the form starts with: the defaults in force.
func defaultValues() map[string]string {
	return map[string]string{
		"game": hexagon, "rings": "5", "side": "8", "opponent": robot, "level": "easy",
		"second": "medium", "first": "easy", "plays": "", "clock": "none",
		"alphabeta depth": "4", "alphabeta time": noLimit, "engine depth": noLimit, "engine time": "1s",
		"hexPass": "voluntary", "squarePass": "forced", "minFlips": "1", "autoPass": no,
		"visibility": "public", "grid": "", "deck": "", "battle": "default",
		"fallen-ace": no, "same": no, "plus": no,
	}
}

// newGameForm returns the form of a new game with the defaults.
func newGameForm(a *app) *gameForm { return newGameFormWith(a, defaultValues()) }

func newGameFormWith(a *app, values map[string]string) *gameForm {
	f := &gameForm{values: values}
	f.form = form{app: a, title: "New game", action: "Start"}
	f.change, f.submit = func(string) { f.layout() }, f.create
	f.layout()
	return f
}

// newCopyForm returns the form of a new game with the settings of another game.
func newCopyForm(a *app, g *gamev1.Game) *gameForm {
	f := newGameFormWith(a, valuesOf(g))
	f.copied = g.GetSetup()
	return f
}

// newForkForm returns the form of a fork of a game after a version.
func newForkForm(a *app, g *gamev1.Game, version int32) *gameForm {
	f := &gameForm{values: valuesOf(g), kind: g.GetKind()}
	f.fork = &gamev1.ForkGameRequest{GameId: g.GetId(), Version: &version}
	f.form = form{app: a, title: "New game from this position", action: "Start"}
	f.change, f.submit = func(string) { f.layout() }, f.create
	f.layout()
	return f
}

// layout shows the fields that fit the choices. It keeps the values of fields that disappear.
func (f *gameForm) layout() {
	searching := f.searching()
	for _, each := range f.fields {
		switch each.name {
		case "depth", "time":
			f.values[searching+" "+each.name] = each.value
		}
		f.values[each.name] = each.value
	}
	focused := ""
	if f.index < len(f.fields) {
		focused = f.fields[f.index].name
	}
	f.fields = nil
	if f.fork == nil {
		f.boardFields()
	}
	f.playerFields()
	f.choice("visibility", "Visible to", "public: everyone; link: people with the id", "public", "link",
		"private")
	if f.fork == nil {
		f.ruleFields()
	}
	for i, each := range f.fields {
		if each.name == focused {
			f.index = i
		}
	}
}

func (f *gameForm) text(name, label, help string) { f.choice(name, label, help) }

func (f *gameForm) choice(name, label, help string, options ...string) {
	value := f.values[name]
	if len(options) > 0 && !slices.Contains(options, value) {
		value = options[0]
	}
	f.values[name] = value
	f.fields = append(f.fields,
		field{name: name, label: label, help: help, options: options, value: value})
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
		f.choice("level", "Level", "easy, medium, hard and expert are the levels; the others are strategies",
			names...)
	case twoRobots:
		f.choice("first", colours.Colour(0), "", names...)
		f.choice("second", colours.Colour(1), "", names...)
	}
	if searching := f.searching(); searching != "" {
		f.values["depth"] = f.values[searching+" depth"]
		f.values["time"] = f.values[searching+" time"]
		f.text("depth", "Depth", "Search at most this many plies, or no limit")
		f.text("time", "Time", "Search at most this long for each move, such as 1s, or no limit")
	}
	if o := f.values["opponent"]; o == robot || o == friend {
		f.choice("plays", "You play", colours.Colour(0)+" moves first", colours.Colour(0), colours.Colour(1))
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
	for _, name := range names {
		if name == "alphabeta" || name == "engine" {
			return name
		}
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
		f.choice("autoPass", "Automatic pass", "The server passes for a side without a placement", no, yes)
		f.text("minFlips", "Least flips", "A placement must flip at least this many discs: 1 to 64")
	}
}

// players returns the players of the command line that fit the choices.
func (f *gameForm) players() [2]string {
	players := [2]string{"me", f.values["level"]}
	switch f.values["opponent"] {
	case sameSeat:
		return [2]string{"human", "human"}
	case twoRobots:
		return [2]string{f.values["first"], f.values["second"]}
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
	f.layout()
	request, ok := f.request()
	if !ok {
		return nil
	}
	f.busy = true
	do := func(ctx context.Context) (*gamev1.Game, error) {
		if f.fork == nil {
			created, err := f.options.Games.CreateGame(ctx, request)
			return created.GetGame(), err
		}
		f.fork.Seats, f.fork.TimeControl = request.Seats, request.TimeControl
		f.fork.Visibility, f.fork.RequestId = request.Visibility, request.RequestId
		forked, err := f.options.Games.ForkGame(ctx, f.fork)
		return forked.GetGame(), err
	}
	return call(f.ctx, do, func(created *gamev1.Game, err error) tea.Cmd {
		f.busy = false
		if err != nil {
			f.fail(fieldOf(err), fieldError(err))
			return nil
		}
		return f.show(created)
	})
}

// request builds the request from the fields. It shows errors at the fields.
func (f *gameForm) request() (*gamev1.CreateGameRequest, bool) {
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
	for name, flag := range f.flags() {
		value := f.value(name)
		switch value {
		case "", "none", no, noLimit, asBefore:
			continue
		case yes:
			value = "true"
		}
		if err := flags.Lookup(flag).Value.Set(value); err != nil {
			f.fail(name, trimParseError(err))
			return nil, false
		}
		flags.Lookup(flag).Changed = true
	}
	request, players := &gamev1.CreateGameRequest{RequestId: uuid.NewString()}, f.players()
	if f.fork != nil {
		var err error
		request.Seats, request.TimeControl, err = game.Players(players, f.kind)
		request.Visibility = game.Visibility
		return request, f.accept("", err)
	}
	size, arguments := f.arguments()
	err := game.Fill(request, players, board, append(players[:], arguments...))
	if f.copied != nil && err == nil {
		f.copySetup(request.GetSetup())
	}
	return request, f.accept(size, err)
}

// copySetup copies what the form does not show from the setup of the copied game.
func (f *gameForm) copySetup(setup *rulesv1.Setup) {
	if trios, copied := setup.GetThreeTrios(), f.copied.GetThreeTrios(); trios != nil && copied != nil {
		if f.values["grid"] == asBefore {
			trios.Grid = copied.GetGrid()
		}
		if f.values["deck"] == asBefore {
			trios.Deck = copied.GetDeck()
		}
		trios.CountOwnCards, trios.ShuffleSeed = copied.CountOwnCards, copied.ShuffleSeed
		return
	}
	reversi, copied := setup.GetReversi(), f.copied.GetReversi()
	if reversi == nil || copied == nil {
		return
	}
	reversi.EmptiesToWinner = copied.EmptiesToWinner
	if reversi.GetSquare() != nil && copied.GetSquare() != nil {
		reversi.GetSquare().Start = copied.GetSquare().GetStart()
	}
}

// flags maps the visible fields that are flags of the command line to the names of the flags.
func (f *gameForm) flags() map[string]string {
	flags := map[string]string{
		"depth": "depth", "time": "time", "clock": "clock", "visibility": "visibility",
		"grid": "grid", "deck": "deck", "hexPass": "pass-rule", "squarePass": "pass-rule",
		"minFlips": "min-flips", "autoPass": "auto-pass",
	}
	maps.DeleteFunc(flags, func(name, _ string) bool {
		return !slices.ContainsFunc(f.fields, func(each field) bool { return each.name == name })
	})
	return flags
}

// arguments returns the arguments of the board, and the name of the field they come from.
func (f *gameForm) arguments() (name string, arguments []string) {
	switch f.values["game"] {
	case hexagon:
		return "rings", []string{f.values["rings"]}
	case square:
		return "side", []string{f.values["side"]}
	}
	arguments = []string{f.values["battle"]}
	for _, rule := range []string{"fallen-ace", "same", "plus"} {
		if f.values[rule] == yes {
			arguments = append(arguments, rule)
		}
	}
	return "grid", arguments
}

// accept shows an error at a field and reports whether there is none.
func (f *gameForm) accept(name string, err error) bool {
	if err == nil {
		return true
	}
	if deck := f.value("deck"); deck != "" && strings.Contains(err.Error(), deck) {
		name = "deck"
	}
	f.fail(name, render.OneLine(err.Error()))
	return false
}

// trimParseError shortens the message of a flag whose value is not valid.
func trimParseError(err error) string {
	text := err.Error()
	if strings.HasPrefix(text, "strconv.") {
		return "use a whole number"
	}
	return strings.TrimPrefix(text, "time: ")
}

// fieldOf returns the name of the field that the server found at fault, "" if there is none.
func fieldOf(err error) string {
	s, ok := render.Status(err)
	if !ok || s.Code() != codes.InvalidArgument {
		return ""
	}
	switch render.Reason(s) {
	case "INVALID_GRID":
		return "grid"
	case "INVALID_DECK":
		return "deck"
	}
	path := strings.ToLower(strings.ReplaceAll(render.InvalidField(s), "_", ""))
	for _, each := range []struct{ part, name string }{
		{"rings", "rings"}, {"side", "side"}, {"depth", "depth"}, {"maxtime", "time"},
		{"minflips", "minFlips"}, {"passrule", "hexPass"}, {"timecontrol", "clock"},
		{"grid", "grid"}, {"deck", "deck"}, {"rules", "battle"},
	} {
		if strings.Contains(path, each.part) {
			return each.name
		}
	}
	return ""
}

// fieldError describes an error of a call. An error of a field does not repeat the path of the field.
func fieldError(err error) string {
	if s, ok := render.Status(err); ok && render.InvalidField(s) != "" {
		return strings.TrimPrefix(render.OneLine(s.Message()), render.InvalidField(s)+": ")
	}
	return render.Explain(err)
}

// valuesOf returns the values of the form that create a game with the settings of another one.
func valuesOf(g *gamev1.Game) map[string]string {
	values := defaultValues()
	values["visibility"] = render.Visibilities.Name(g.GetVisibility())
	setupValues(values, g.GetSetup())
	playerValues(values, g)
	if clock := settings.ClockText(g.GetTimeControl()); clock != "" {
		values["clock"] = clock
	}
	return values
}

func setupValues(values map[string]string, setup *rulesv1.Setup) {
	if trios := setup.GetThreeTrios(); trios != nil {
		values["game"], values["grid"], values["deck"] = cards, asBefore, asBefore
		for _, rule := range trios.GetRules() {
			name := render.CardRules.Name(rule)
			if name == "reverse" {
				values["battle"] = name
			} else {
				values[name] = yes
			}
		}
		return
	}
	reversi := setup.GetReversi()
	pass := "hexPass"
	values["game"] = hexagon
	if reversi.GetSquare() != nil {
		values["game"], pass = square, "squarePass"
		values["side"] = fmt.Sprint(reversi.GetSquare().GetSide())
	} else {
		values["rings"] = fmt.Sprint(reversi.GetHexagon().GetRings())
	}
	values[pass] = render.PassRules.Name(reversi.GetPassRule())
	values["minFlips"] = fmt.Sprint(reversi.GetMinFlips())
	if reversi.GetAutoPass() {
		values["autoPass"] = yes
	}
}

// playerValues fills in the opponent.
func playerValues(values map[string]string, g *gamev1.Game) {
	names := [2]string{}
	for i, seat := range g.GetSeats() {
		if seat.GetRobot() != nil && i < 2 {
			names[i] = render.StrategyBaseName(seat.GetRobot().GetStrategy())
			depth, limit := render.SearchLimits(seat.GetRobot().GetStrategy())
			if depth > 0 {
				values[names[i]+" depth"] = fmt.Sprint(depth)
			}
			if limit > 0 {
				values[names[i]+" time"] = limit.String()
			}
		}
	}
	switch {
	case names[0] != "" && names[1] != "":
		values["opponent"], values["first"], values["second"] = twoRobots, names[0], names[1]
	case names[0] != "" || names[1] != "":
		values["opponent"], values["level"] = robot, names[0]+names[1]
		if names[0] != "" {
			values["plays"] = render.DescriberOf(g).Colour(1)
		}
	case g.GetSeats()[0].GetPlayer().GetPlayerId() == g.GetSeats()[1].GetPlayer().GetPlayerId():
		values["opponent"] = sameSeat
	default:
		values["opponent"] = friend
	}
}

// newJoinForm returns the form that joins a game.
func newJoinForm(a *app) *form {
	f := &form{app: a, title: "Join a game", action: "Join"}
	f.fields = []field{{name: "game", label: "Link or id", help: "Paste the link or the id of the game"}}
	f.submit = func() tea.Cmd {
		link := f.value("game")
		if strings.TrimSpace(link) == "" {
			f.fail("game", "enter a link or an id")
			return nil
		}
		f.pop(f)
		return a.join(link)
	}
	return f
}
