//go:build !race

package board

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// A strength that is cut looks like another strength.
func TestStrengthOfARobotIsWholeInANarrowWindow(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{
		Setup:       hexagonSetup(7),
		Seats:       []*gamev1.Seat{caller(), robotSeat(&gamev1.Robot{Strategy: render.Strategy("skill:13")})},
		TimeControl: perGame(5 * time.Hour),
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

// The columns of a list stay in their place beside long names, and robots keep their strength.
func TestColumnsOfAListAreWhole(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	key := s.Key(t, "Ada")
	d := drive(t, s.options(t, key))
	for _, seats := range [][2]string{
		{"player-nqyht7", "player-nqyht8"}, {"you", "player-with-a-long-name"},
		{"skill:20", "skill:20"}, {"you", "skill:20"},
	} {
		g := &gamev1.Game{
			Setup: hexagonSetup(12), State: gamev1.GameState_GAME_STATE_ACTIVE,
			Turn: &gamev1.Turn{Side: rulesv1.Side_SIDE_FIRST}, Score: &rulesv1.Score{First: 123, Second: 144},
			UpdateTime: timestamppb.New(time.Date(2026, 11, 27, 10, 5, 0, 0, time.Local)),
		}
		for i, name := range seats {
			seat := robotSeat(&gamev1.Robot{Strategy: render.Strategy(name)})
			if seat.GetRobot().GetStrategy() == nil {
				player := &gamev1.Seat_SeatedPlayer{PlayerId: name, DisplayName: name}
				seat = &gamev1.Seat{Holder: &gamev1.Seat_Player{Player: player}}
			}
			seat.Side = sideOf(i)
			g.Seats = append(g.Seats, seat)
		}
		l := &gameList{app: d.app, games: []*gamev1.Game{g}, loaded: true}
		d.push(l)
		for _, width := range []int{80, 100, 40} {
			d.resize(width, 24)
			end := "Nov 27 10:05"
			if width < 70 {
				end = ""
			}
			line := strings.TrimRight(strings.Split(d.text(), "\n")[2], " ")
			whole := strings.HasSuffix(line, end) && (end == "" || strings.Contains(line, "123:144  Black to move"))
			if !whole || len([]rune(line)) > width-1 || end != "" && len([]rune(line)) != width-1 {
				t.Errorf("%d columns: %q", width, line)
			}
			if width > 40 && seats[1] == "skill:20" && !strings.Contains(line, "skill:20 ") {
				t.Errorf("%d columns, without the strength: %q", width, line)
			}
		}
		d.pop(l)
	}
}

// An error is on the screen once, and whole.
func TestErrorOfAFieldIsShownOnce(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := drive(t, s.options(t, s.Key(t, "Ada")))
	d.keys("n")
	d.see("Rings")
	d.keys("down", "backspace", "1", "3", "enter")
	f := d.top().(*form)
	d.wait("the error", func() bool { return f.fields[f.index].err != "" })
	start, words := f.fields[f.index].err[:12], strings.Fields(f.fields[f.index].err)
	for _, size := range [][2]int{{80, 24}, {40, 24}, {40, 12}} {
		d.resize(size[0], size[1])
		text := d.text()
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%v: no %q of the error:\n%s", size, word, text)
				break
			}
		}
		if n := strings.Count(text, start); n != 1 {
			t.Errorf("%v: the error is there %d times:\n%s", size, n, text)
		}
	}
	d.resize(80, 24)
	f.fields[f.index].err = strings.Repeat("a long error ", 12) + "ends"
	d.see("ends")
	d.keys("down")
	d.see("a long err", "…") // the focus is elsewhere
}
