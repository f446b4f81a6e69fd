package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// day is the unit of TimeControl.days. Limits per move of a day and more are written in days.
const day = 24 * time.Hour

// readTimeControl reads the time control of a new game, nil for none.
func (s *Server) readTimeControl(
	in *gamev1.TimeControl, p rules.Position,
) (*game.TimeControl, error) {
	if in == nil {
		return nil, nil
	}
	c := &game.TimeControl{ClaimAfter: in.GetClaimAfter().AsDuration(), OnAbsence: game.Forfeit}
	switch limit := in.GetLimit().(type) {
	case *gamev1.TimeControl_PerMove:
		c.PerMove = limit.PerMove.AsDuration()
	case *gamev1.TimeControl_Fischer_:
		c.Initial = limit.Fischer.GetInitial().AsDuration()
		c.Increment = limit.Fischer.GetIncrement().AsDuration()
	case *gamev1.TimeControl_Days:
		c.PerMove = time.Duration(limit.Days) * day
	default:
		if c.ClaimAfter == 0 {
			return nil, fault.Invalid("a time control needs a limit or claimAfter").At("timeControl")
		}
	}
	switch policy := in.GetOnAbsence().GetKind().(type) {
	case *gamev1.AbsencePolicy_Draw_:
		c.OnAbsence = game.Draw
	case *gamev1.AbsencePolicy_Robot:
		robot, err := s.readRobot(policy.Robot, p)
		if err != nil {
			return nil, fault.At(err, "timeControl.onAbsence.robot")
		}
		c.OnAbsence, c.Robot = game.ReplaceWithRobot, &robot
	}
	return c, nil
}

func timeControl(c *game.TimeControl) *gamev1.TimeControl {
	if c == nil {
		return nil
	}
	out := &gamev1.TimeControl{OnAbsence: absencePolicy(c)}
	switch {
	case c.Initial > 0:
		out.Limit = &gamev1.TimeControl_Fischer_{Fischer: &gamev1.TimeControl_Fischer{
			Initial: durationpb.New(c.Initial), Increment: durationpb.New(c.Increment),
		}}
	case c.PerMove >= day:
		out.Limit = &gamev1.TimeControl_Days{Days: int32(c.PerMove / day)}
	case c.PerMove > 0:
		out.Limit = &gamev1.TimeControl_PerMove{PerMove: durationpb.New(c.PerMove)}
	}
	if c.ClaimAfter > 0 {
		out.ClaimAfter = durationpb.New(c.ClaimAfter)
	}
	return out
}

func absencePolicy(c *game.TimeControl) *gamev1.AbsencePolicy {
	out := &gamev1.AbsencePolicy{}
	switch c.OnAbsence {
	case game.Forfeit:
		out.Kind = &gamev1.AbsencePolicy_Forfeit_{Forfeit: &gamev1.AbsencePolicy_Forfeit{}}
	case game.Draw:
		out.Kind = &gamev1.AbsencePolicy_Draw_{Draw: &gamev1.AbsencePolicy_Draw{}}
	case game.ReplaceWithRobot:
		out.Kind = &gamev1.AbsencePolicy_Robot{Robot: robot(*c.Robot)}
	}
	return out
}

func clocks(g game.Game) *gamev1.Clocks {
	left, limited := g.Clocks()
	if !limited {
		return nil
	}
	return &gamev1.Clocks{First: durationpb.New(left[0]), Second: durationpb.New(left[1])}
}

// timestamp converts a time, the zero time to nil.
func timestamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}
