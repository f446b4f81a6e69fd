//go:build !race

package board

import (
	"regexp"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// A strength that is cut looks like another strength.
func TestStrengthOfARobotIsWholeInANarrowWindow(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	limit := &gamev1.TimeControl_Fischer{Initial: durationpb.New(5 * time.Hour)}
	o.Create = &gamev1.CreateGameRequest{
		Setup:       hexagonSetup(7),
		Seats:       []*gamev1.Seat{caller(), robotSeat(&gamev1.Robot{Strategy: render.Strategy("skill:13")})},
		TimeControl: &gamev1.TimeControl{Limit: &gamev1.TimeControl_Fischer_{Fischer: limit}},
	}
	d := drive(t, o)
	d.current()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 24}} {
		d.resize(size[0], size[1])
		d.see("skill:13")
	}
}

// A text that does not fit ends with an ellipsis, and a list of moves with it after a whole move.
func TestTextsThatDoNotFitEndWithAnEllipsis(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := playGame(t, s, triosSetup(), caller(), caller())
	d.current()
	d.resize(60, 20)
	d.see("or a click. Then se…")

	d = playGame(t, s, hexagonSetup(7), caller(), caller())
	d.current()
	d.keys("a")
	d.resize(60, 20)
	d.see("Reversi, hexagon of 7", "rings")
	line := regexp.MustCompile(`[+-]\d+  (-?\d,-?\d )+…`)
	d.wait("a line of whole moves", func() bool { return line.MatchString(d.text()) })
}
