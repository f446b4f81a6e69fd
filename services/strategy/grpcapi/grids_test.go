package grpcapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// The game service must not seat a robot whose strategy rejects the grid.
func TestALargeGridIsRejectedForRobotsAsForMoves(t *testing.T) {
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
			robot := wire.ValidateRobot(req.GetStrategy(), p)
			if (err == nil) != (robot == nil) {
				t.Errorf("%s on %v: the error for a move is %v, for a robot %v", strategy, size, err, robot)
			}
		}
	}
}
