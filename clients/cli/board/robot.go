package board

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// robotForm is the form that changes what a robot plays, in the middle of a game.
type robotForm struct {
	form
	game   *game
	limits map[string]string // the fields of the limits of each strategy, such as "engine depth"
	ranges map[string]string // the ranges of these fields
	name   string            // of the strategy whose limits are shown
}

// editRobot opens the form for the robot of the game.
func (g *game) editRobot() tea.Cmd {
	side := g.robotSide()
	switch {
	case side < 0:
		g.notice = notice{"There is no robot in this game.", true}
		return nil
	case g.isOver():
		g.notice = notice{"The game is over.", true}
		return nil
	}
	f := &robotForm{game: g}
	f.form = form{app: g.app, title: "Robot", action: "Apply"}
	f.change, f.submit = f.changed, f.apply
	f.fill(side)
	g.push(f)
	return f.loadRanges()
}

// robotSide returns the side of a robot, preferably the side to move; -1 if there is none.
func (g *game) robotSide() int {
	for _, side := range []int{g.mover(), 1, 0} {
		if g.seat(side).GetRobot() != nil {
			return side
		}
	}
	return -1
}

// fill fills the form with the values in force of a robot.
func (f *robotForm) fill(side int) {
	strategy := f.game.seat(side).GetRobot().GetStrategy()
	names, name := render.StrategyNames(f.game.latest.GetKind()), render.StrategyBaseName(strategy)
	if render.Strategy(name) == nil {
		names = append(names, name) // a strategy that only the API has
	}
	f.limits = map[string]string{
		"alphabeta depth": "4", "alphabeta time": noLimit, "engine depth": noLimit, "engine time": "1s",
	}
	depth, limit := render.SearchLimits(strategy)
	if depth > 0 || limit > 0 || name == "engine" {
		f.limits[name+" depth"], f.limits[name+" time"] = noLimit, noLimit
	}
	if depth > 0 {
		f.limits[name+" depth"] = strconv.Itoa(int(depth))
	}
	if limit > 0 {
		f.limits[name+" time"] = limit.String()
	}
	f.fields, f.name = nil, ""
	if f.game.seat(0).GetRobot() != nil && f.game.seat(1).GetRobot() != nil {
		sides := []string{f.game.colour(0), f.game.colour(1)}
		f.fields = append(f.fields,
			field{name: "side", label: "Side", options: sides, value: sides[side]})
	}
	f.title = "Robot of " + f.game.colour(side)
	f.fields = append(f.fields, field{
		name: "strategy", label: "Plays", options: names, value: name,
		help: "The change applies from the next move of the robot",
	})
	f.showLimits()
}

// showLimits shows the fields of the limits for strategies that search.
func (f *robotForm) showLimits() {
	fields := f.fields[:0]
	for _, each := range f.fields {
		if each.name == "depth" || each.name == "time" {
			f.limits[f.name+" "+each.name] = each.value
		} else {
			fields = append(fields, each)
		}
	}
	f.fields, f.name = fields, f.value("strategy")
	if f.name != "alphabeta" && f.name != "engine" {
		return
	}
	for _, each := range []field{
		{name: "depth", label: "Depth", help: "Search at most this many plies"},
		{name: "time", label: "Time", help: "Search at most this long for each move, such as 500ms"},
	} {
		limit := f.name + " " + each.name
		each.value = f.limits[limit]
		each.help += f.ranges[limit]
		f.fields = append(f.fields, each)
	}
}

func (f *robotForm) side() int {
	if f.value("side") == f.game.colour(0) {
		return 0
	}
	if f.value("side") != "" {
		return 1
	}
	return f.game.robotSide()
}

// changed follows a change of a choice.
func (f *robotForm) changed(name string) {
	if name == "side" {
		f.fill(f.side())
		return
	}
	f.showLimits()
}

// loadRanges asks for the ranges of the limits and shows them as help.
func (f *robotForm) loadRanges() tea.Cmd {
	do := func(ctx context.Context) (*strategyv1.ListStrategiesResponse, error) {
		return f.options.Strategies.ListStrategies(ctx, &strategyv1.ListStrategiesRequest{})
	}
	return call(f.ctx, do, func(got *strategyv1.ListStrategiesResponse, err error) tea.Cmd {
		if err != nil {
			return nil // the server checks the values too
		}
		f.ranges = map[string]string{}
		for _, strategy := range got.GetStrategies() {
			for _, each := range strategy.GetParameters() {
				limit := strings.ToLower(strategy.GetName()) + " " +
					map[string]string{"maxDepth": "depth", "maxTime": "time"}[each.GetName()]
				f.ranges[limit] = fmt.Sprintf(": up to %s, or %s", each.GetMaximum(), noLimit)
			}
		}
		f.showLimits()
		return nil
	})
}

// apply checks the fields and changes the robot.
func (f *robotForm) apply() tea.Cmd {
	strategy := render.Strategy(f.value("strategy"))
	side := f.side()
	if strategy == nil {
		strategy = f.game.seat(side).GetRobot().GetStrategy()
	}
	if !f.setLimits(strategy) {
		return nil
	}
	old := f.game.seat(side).GetRobot()
	request := &gamev1.SetRobotRequest{
		GameId: f.game.id, Side: sideOf(side), Strategy: strategy,
		Provider: old.GetProvider(), Seed: old.GetSeed(), RequestId: uuid.NewString(),
	}
	f.busy = true
	do := func(ctx context.Context) (*gamev1.SetRobotResponse, error) {
		return f.options.Games.SetRobot(ctx, request)
	}
	return call(f.ctx, do, func(changed *gamev1.SetRobotResponse, err error) tea.Cmd {
		f.busy = false
		if err != nil {
			f.fail(fieldOf(err), fieldError(err))
			return nil
		}
		f.pop(f)
		f.game.inform(fmt.Sprintf("%s plays %s from its next move.",
			f.game.colour(side), render.StrategyName(strategy)))
		return f.game.setGame(changed.GetGame())
	})
}

// setLimits sets the limits of a strategy. It shows errors at the fields.
func (f *robotForm) setLimits(strategy *strategyv1.Strategy) bool {
	var depth int64
	var limit *durationpb.Duration
	if text := strings.TrimSpace(f.value("depth")); text != "" && text != noLimit {
		var err error
		if depth, err = strconv.ParseInt(text, 10, 32); err != nil {
			f.fail("depth", "use a whole number")
			return false
		}
	}
	if text := strings.TrimSpace(f.value("time")); text != "" && text != noLimit {
		d, err := time.ParseDuration(text)
		if err != nil {
			f.fail("time", "use 500ms or 2s")
			return false
		}
		limit = durationpb.New(d)
	}
	switch kind := strategy.GetKind().(type) {
	case *strategyv1.Strategy_AlphaBeta:
		kind.AlphaBeta.MaxDepth, kind.AlphaBeta.MaxTime = int32(depth), limit
	case *strategyv1.Strategy_Engine:
		kind.Engine.MaxDepth, kind.Engine.MaxTime = int32(depth), limit
	}
	return true
}
