package board

import (
	"fmt"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

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
			strategy := seat.GetRobot().GetStrategy()
			names[i] = limitValues(values, strategy)
			setSkill(values, [2]string{"first", "second"}[i], strategy)
			setSkill(values, "level", strategy)
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
