package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// clockFlags say how long the players of a new game may take.
type clockFlags struct {
	clock      clockFlag
	claimAfter longDuration
	absent     string
}

func (f *clockFlags) register(flags *pflag.FlagSet) {
	flags.Var(&f.clock, "clock",
		"how long the players may take: 30s/move or 3d/move for each move, 5m or 5m+3s for all, with what each move adds")
	flags.Var(&f.claimAfter, "claim-after", "how long a player's turn lasts before his opponent may claim that he is away")
	flags.StringVar(&f.absent, "absent", "",
		"what happens when a player's time is up or he was claimed away: `forfeit` (default), draw, or the strategy that takes over")
}

// control returns the time control, nil where none is said. robots reads the strategy that takes over.
func (f *clockFlags) control(robots *robotFlags, kind rulesv1.GameKind) (*gamev1.TimeControl, error) {
	control := &gamev1.TimeControl{Limit: f.clock.limit.GetLimit()}
	if f.claimAfter != 0 {
		control.ClaimAfter = durationpb.New(time.Duration(f.claimAfter))
	}
	if control.GetLimit() == nil && control.GetClaimAfter() == nil {
		if f.absent != "" {
			return nil, usagef("--absent is for games with --clock or --claim-after")
		}
		return nil, nil
	}
	switch f.absent {
	case "":
	case "forfeit":
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Forfeit_{Forfeit: &gamev1.AbsencePolicy_Forfeit{}}}
	case "draw":
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Draw_{Draw: &gamev1.AbsencePolicy_Draw{}}}
	default:
		if !strings.HasPrefix(f.absent, "{") && !slices.Contains(plays(kind), f.absent) {
			return nil, usagef("--absent %q: use forfeit, draw, %s", f.absent, oneOf(plays(kind)))
		}
		seat, err := robots.seat(f.absent, kind)
		if err != nil {
			return nil, err
		}
		control.OnAbsence = &gamev1.AbsencePolicy{Kind: &gamev1.AbsencePolicy_Robot{Robot: seat.GetRobot()}}
	}
	return control, nil
}

// clockFlag is a flag for the limit of a time control.
type clockFlag struct {
	text  string
	limit gamev1.TimeControl
}

// Set reads 30s/move, 3d/move, 5m and 5m+3s.
func (c *clockFlag) Set(text string) error {
	perMove, each := strings.CutSuffix(text, "/move")
	initial, increment, added := strings.Cut(perMove, "+")
	var first, second longDuration
	if first.Set(initial) != nil || added && (each || second.Set(increment) != nil) {
		return errors.New("use 30s/move, 3d/move, 5m or 5m+3s")
	}
	c.text = text
	switch limit := time.Duration(first); {
	case each && limit >= day && limit%day == 0:
		c.limit.Limit = &gamev1.TimeControl_Days{Days: int32(min(limit/day, 1<<30))}
	case each:
		c.limit.Limit = &gamev1.TimeControl_PerMove{PerMove: durationpb.New(limit)}
	default:
		c.limit.Limit = &gamev1.TimeControl_Fischer_{Fischer: &gamev1.TimeControl_Fischer{
			Initial: durationpb.New(limit), Increment: durationpb.New(time.Duration(second)),
		}}
	}
	return nil
}

func (c *clockFlag) String() string { return c.text }

// Type is what help shows for a value.
func (c *clockFlag) Type() string { return "time" }

const day = 24 * time.Hour

var errNoDuration = errors.New("use a duration such as 90s, 10m or 3d")

// longDuration is a flag for a duration, which may be in days.
type longDuration time.Duration

// Set reads what time.ParseDuration reads, and days such as 3d.
func (d *longDuration) Set(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		*d = longDuration(time.Duration(n) * day)
		if err != nil || n == 0 {
			return errNoDuration
		}
		return nil
	}
	read, err := time.ParseDuration(text)
	if err != nil || read < 0 {
		return errNoDuration
	}
	*d = longDuration(read)
	return nil
}

func (d *longDuration) String() string {
	if *d == 0 {
		return ""
	}
	return briefly(time.Duration(*d))
}

// Type is what help shows for a value.
func (d *longDuration) Type() string { return "duration" }

// briefly writes a duration without units that are 0: 5m, 1m30s, 3d.
func briefly(d time.Duration) string {
	if d >= day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
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

// controlText says in a few words how long the players may take.
func controlText(control *gamev1.TimeControl) string {
	var parts []string
	switch limit := control.GetLimit().(type) {
	case *gamev1.TimeControl_PerMove:
		parts = append(parts, briefly(limit.PerMove.AsDuration())+" a move")
	case *gamev1.TimeControl_Days:
		parts = append(parts, fmt.Sprintf("%dd a move", limit.Days))
	case *gamev1.TimeControl_Fischer_:
		text := briefly(limit.Fischer.GetInitial().AsDuration())
		if increment := limit.Fischer.GetIncrement().AsDuration(); increment > 0 {
			text += " + " + briefly(increment) + " a move"
		}
		parts = append(parts, text)
	}
	if after := control.GetClaimAfter().AsDuration(); after > 0 {
		parts = append(parts, "away after "+briefly(after))
	}
	return strings.Join(append(parts, absenceText(control.GetOnAbsence())), "; ")
}

func absenceText(policy *gamev1.AbsencePolicy) string {
	switch {
	case policy.GetDraw() != nil:
		return "a draw for whoever is late"
	case policy.GetRobot() != nil:
		return strategyName(policy.GetRobot().GetStrategy()) + " takes over from whoever is late"
	}
	return "lost for whoever is late"
}

// clockRows tell how long the players of a game may take, and what is left of that; none where they have all the time.
func (c cast) clockRows(game *gamev1.Game) []string {
	if game.GetTimeControl() == nil {
		return nil
	}
	rows := []string{row("time", controlText(game.GetTimeControl()))}
	if game.GetClocks() != nil {
		rows = append(rows, row("clocks", fmt.Sprintf("%s %s, %s %s", c.mark(0), briefly(game.GetClocks().GetFirst().AsDuration()),
			c.mark(1), briefly(game.GetClocks().GetSecond().AsDuration()))))
	}
	if deadline := game.GetTurn().GetDeadline(); deadline != nil {
		rows = append(rows, row("deadline", stamp(deadline)))
	}
	if claim := game.GetTurn().GetClaimTime(); claim != nil {
		rows = append(rows, row("away from", stamp(claim)))
	}
	return rows
}

// clock says what the side to move has left, "" where it has all the time.
func (c cast) clock(game *gamev1.Game) string {
	deadline := game.GetTurn().GetDeadline()
	if deadline == nil {
		return ""
	}
	left := game.GetClocks().GetFirst()
	if game.GetTurn().GetSide() == rulesv1.Side_SIDE_SECOND {
		left = game.GetClocks().GetSecond()
	}
	until := "15:04:05"
	if left.AsDuration() >= day {
		until = "2006-01-02 15:04:05"
	}
	return fmt.Sprintf("%s has %s, until %s.", c.side(game.GetTurn().GetSide()), briefly(left.AsDuration()),
		deadline.AsTime().Local().Format(until))
}
