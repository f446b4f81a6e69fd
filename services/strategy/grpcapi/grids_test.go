package grpcapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// TestRobotsThatALargeGridIsTooMuchFor: what Strategy would not play on a grid, Game does not seat.
func TestRobotsThatALargeGridIsTooMuchFor(t *testing.T) {
	c := client(t)
	for _, size := range []struct{ rows, columns int }{{5, 5}, {3, 9}} {
		grid := fmt.Sprintf("%d %d\n", size.rows, size.columns) + strings.Repeat(strings.Repeat("C", size.columns)+"\n", size.rows)
		notation := cards(t, threetrios.Setup{Grid: grid, Deck: deck(size.rows*size.columns + 1)})
		p, err := threetrios.Parse(notation)
		if err != nil {
			t.Fatal(err)
		}
		for _, strategy := range []string{
			`{"smallestReply":{}}`, `{"mostFlips":{}}`, `{"corners":{}}`, `{"leastExposed":{}}`,
			`{"level":"LEVEL_EASY"}`, `{"level":"LEVEL_MEDIUM"}`, `{"level":"LEVEL_HARD"}`, `{"level":"LEVEL_EXPERT"}`,
		} {
			req := chooseRequest(t, notation, strategy)
			_, err := c.ChooseMove(t.Context(), req)
			seated := wire.ValidateRobot(req.GetStrategy(), p)
			if (err == nil) != (seated == nil) {
				t.Errorf("%s on %v: asked for a move it says %v, seated %v", strategy, size, err, seated)
			}
		}
	}
}
