package settings

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// TimeControl are the flags of the time control of a new game.
type TimeControl struct {
	clock      clock
	claimAfter duration
	absent     string
}

// Register adds the flags to a command.
func (f *TimeControl) Register(flags *pflag.FlagSet) {
	flags.Var(&f.clock, "clock",
		"time control: 5m for the game, 5m+3s with an increment for each move, "+
			"or 30s/move or 3d/move for each move")
	flags.Var(&f.claimAfter, "claim-after",
		"let the opponent claim the game when a turn takes longer, such as 10m or 2d")
	flags.Var(Text(&f.absent), "absent",
		"`result` when a player's time is up or the opponent claims the game: forfeit (default), draw, "+
			"or a strategy that takes over")
}

// Control returns the time control, nil if none is set. A robot that takes over has the settings of
// robots.
func (f *TimeControl) Control(robots *Robots, kind rulesv1.GameKind) (*gamev1.TimeControl, error) {
	control := &gamev1.TimeControl{Limit: f.clock.control.GetLimit()}
	if f.claimAfter != 0 {
		control.ClaimAfter = durationpb.New(time.Duration(f.claimAfter))
	}
	if control.GetLimit() == nil && control.GetClaimAfter() == nil {
		if f.absent != "" {
			return nil, Usagef("--absent is for games with --clock or --claim-after")
		}
		return nil, nil
	}
	switch {
	case f.absent == "":
	case f.absent == "forfeit":
		forfeit := &gamev1.AbsencePolicy_Forfeit{}
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Forfeit_{Forfeit: forfeit}}
	case f.absent == "draw":
		draw := &gamev1.AbsencePolicy_Draw{}
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Draw_{Draw: draw}}
	case isStrategy(f.absent, kind):
		robot, err := robots.Robot(f.absent, kind)
		if err != nil {
			return nil, err
		}
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Robot{Robot: robot}}
	default:
		return nil, Usagef("--absent %q: use forfeit, draw, %s",
			f.absent, render.Or(render.StrategyNames(kind)))
	}
	return control, nil
}

// clock is a flag for the limit of a time control: 30s/move, 3d/move, 5m or 5m+3s.
type clock struct {
	text    string
	control gamev1.TimeControl
}

func (c *clock) Set(text string) error {
	first, perMove := strings.CutSuffix(text, "/move")
	first, second, hasIncrement := strings.Cut(first, "+")
	var limit, increment duration
	if limit.Set(first) != nil || hasIncrement && (perMove || increment.Set(second) != nil) {
		return errors.New("use 30s/move, 3d/move, 5m or 5m+3s")
	}
	c.text = text
	switch limit := time.Duration(limit); {
	case perMove && limit >= render.Day && limit%render.Day == 0:
		c.control.Limit = &gamev1.TimeControl_Days{Days: int32(min(limit/render.Day, 1<<30))}
	case perMove:
		c.control.Limit = &gamev1.TimeControl_PerMove{PerMove: durationpb.New(limit)}
	default:
		c.control.Limit = &gamev1.TimeControl_Fischer_{Fischer: &gamev1.TimeControl_Fischer{
			Initial: durationpb.New(limit), Increment: durationpb.New(time.Duration(increment)),
		}}
	}
	return nil
}

func (c *clock) String() string { return c.text }
func (c *clock) Type() string   { return "time" }

// ClockText writes the limit of a time control as the flag --clock takes it, "" if there is none.
func ClockText(control *gamev1.TimeControl) string {
	switch limit := control.GetLimit().(type) {
	case *gamev1.TimeControl_PerMove:
		return render.Duration(limit.PerMove.AsDuration()) + "/move"
	case *gamev1.TimeControl_Days:
		return fmt.Sprintf("%dd/move", limit.Days)
	case *gamev1.TimeControl_Fischer_:
		text := render.Duration(limit.Fischer.GetInitial().AsDuration())
		if increment := limit.Fischer.GetIncrement().AsDuration(); increment > 0 {
			text += "+" + render.Duration(increment)
		}
		return text
	}
	return ""
}
