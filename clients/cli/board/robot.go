package board

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// robotForm is the form that changes what a robot plays, in the middle of a game.
type robotForm struct {
	form
	game *game
	side int // whose values the form shows
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
	f.layout, f.submit = f.showFields, f.apply
	f.fill(side)
	return g.openForm(&f.form)
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
	f.side, f.values = side, defaultValues()
	strategy := f.game.seat(side).GetRobot().GetStrategy()
	f.values["strategy"] = limitValues(f.values, strategy)
	setSkill(f.values, "strategy", strategy)
	f.values["robot"] = f.game.colour(side)
}

func (f *robotForm) showFields() {
	if side := f.game.robotSide(); f.values["robot"] != f.game.colour(f.side) {
		f.fill(1 - f.side)
	} else if f.game.seat(1-side).GetRobot() == nil {
		f.title = "Robot of " + f.game.colour(f.side)
	}
	if f.game.seat(0).GetRobot() != nil && f.game.seat(1).GetRobot() != nil {
		f.choice("robot", "Robot of", "", f.game.colour(0), f.game.colour(1))
	}
	names := render.StrategyNames(f.game.latest.GetKind())
	if name := f.values["strategy"]; !slices.Contains(names, name) {
		names = append([]string{name}, names...)
	}
	f.choice("strategy", "Plays", "The change applies from the next move of the robot", names...)
	f.skillField("strategy", "Strength")
	f.limitFields(f.values["strategy"])
}

// apply checks the fields and changes the robot.
func (f *robotForm) apply() tea.Cmd {
	old := f.game.seat(f.side).GetRobot()
	robots, flags := &settings.Robots{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	robots.Register(flags)
	if !f.setFlags(flags) {
		return nil
	}
	strategy := old.GetStrategy()
	if name := f.strategy("strategy"); render.Strategy(name) != nil {
		var err error
		if strategy, err = robots.Strategy(name, f.game.latest.GetKind()); err != nil {
			return f.fail("strategy", err.Error())
		}
	}
	request := &gamev1.SetRobotRequest{
		GameId: f.game.id, Side: sideOf(f.side), Strategy: strategy,
		Provider: old.GetProvider(), Seed: old.GetSeed(), Options: old.GetOptions(),
		RequestId: uuid.NewString(),
	}
	f.busy = true
	return ask(f.app, f.server.Games.SetRobot, request, func(
		changed *gamev1.SetRobotResponse, err error,
	) tea.Cmd {
		f.busy = false
		if err != nil {
			return f.fail(f.faultyField(err), fieldError(err))
		}
		f.pop(&f.form)
		f.game.inform(fmt.Sprintf("%s plays %s from its next move.",
			f.game.colour(f.side), render.StrategyName(strategy)))
		return f.game.setGame(changed.GetGame())
	})
}
