package render

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Day is the unit of correspondence games.
const Day = 24 * time.Hour

// Duration writes a duration without units that are 0: 5m, 1m30s, 3d.
func Duration(d time.Duration) string {
	if d >= Day && d%Day == 0 {
		return fmt.Sprintf("%dd", d/Day)
	}
	text := d.Round(100 * time.Millisecond).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// LocalTime writes a time in the time zone of the user.
func LocalTime(t *timestamppb.Timestamp) string {
	if t == nil {
		return "-"
	}
	return t.AsTime().Local().Format(time.DateTime)
}

// TimeControl describes the time control of a game.
func TimeControl(control *gamev1.TimeControl) string {
	var parts []string
	switch limit := control.GetLimit().(type) {
	case *gamev1.TimeControl_PerMove:
		parts = append(parts, Duration(limit.PerMove.AsDuration())+" a move")
	case *gamev1.TimeControl_Days:
		parts = append(parts, fmt.Sprintf("%dd a move", limit.Days))
	case *gamev1.TimeControl_Fischer_:
		text := Duration(limit.Fischer.GetInitial().AsDuration())
		if increment := limit.Fischer.GetIncrement().AsDuration(); increment > 0 {
			text += " + " + Duration(increment) + " a move"
		}
		parts = append(parts, text)
	}
	if after := control.GetClaimAfter().AsDuration(); after > 0 {
		parts = append(parts, "claim after "+Duration(after))
	}
	return strings.Join(append(parts, absence(control.GetOnAbsence())), "; ")
}

// absence describes the result for a player whose time is up or whose opponent claims the game.
func absence(policy *gamev1.AbsencePolicy) string {
	switch {
	case policy.GetDraw() != nil:
		return "if late: draw"
	case policy.GetRobot() != nil:
		return "if late: " + StrategyName(policy.GetRobot().GetStrategy()) + " takes over"
	}
	return "if late: forfeit"
}

// clockRows returns rows for the time control and clocks of a game, none without time control.
func (d Describer) clockRows(game *gamev1.Game) []string {
	if game.GetTimeControl() == nil {
		return nil
	}
	rows := []string{Row("time", TimeControl(game.GetTimeControl()))}
	if clocks := game.GetClocks(); clocks != nil {
		rows = append(rows, Row("clocks", fmt.Sprintf("%s %s, %s %s",
			d.mark(0), Duration(clocks.GetFirst().AsDuration()),
			d.mark(1), Duration(clocks.GetSecond().AsDuration()))))
	}
	if deadline := game.GetTurn().GetDeadline(); deadline != nil {
		rows = append(rows, Row("deadline", LocalTime(deadline)))
	}
	if claim := game.GetTurn().GetClaimTime(); claim != nil {
		rows = append(rows, Row("claim from", LocalTime(claim)))
	}
	return rows
}

// Clock describes how much time the side to move has left, "" if its time is not limited.
func (d Describer) Clock(game *gamev1.Game) string {
	deadline := game.GetTurn().GetDeadline()
	if deadline == nil {
		return ""
	}
	left := game.GetClocks().GetFirst().AsDuration()
	if game.GetTurn().GetSide() == rulesv1.Side_SIDE_SECOND {
		left = game.GetClocks().GetSecond().AsDuration()
	}
	layout := time.TimeOnly
	if left >= Day {
		layout = time.DateTime
	}
	return fmt.Sprintf("%s has %s left, until %s.",
		d.Side(game.GetTurn().GetSide()), Duration(left), deadline.AsTime().Local().Format(layout))
}
