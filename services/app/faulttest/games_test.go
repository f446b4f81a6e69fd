package faulttest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"
)

// curl makes a request like the program curl, and returns the JSON of the response.
func (d *daemon) curl(t *testing.T, key, verb, path, body string) map[string]any {
	t.Helper()
	rest := newREST(t, d.addrs["http"])
	headers := http.Header{}
	if key != "" {
		headers.Set("Authorization", "Bearer "+key)
	}
	var out structpb.Struct
	var sent []byte
	if body != "" {
		sent = []byte(body)
	}
	if err := rest.do(t.Context(), verb, path, headers, sent, &out); err != nil {
		t.Fatalf("%s %s %s: %v", verb, path, body, err)
	}
	return out.AsMap()
}

// at returns the JSON value at a path.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

// The test plays every kind of game against a robot, with plain JSON.
func TestWholeGamesOverJSON(t *testing.T) {
	inEach(t, testWholeGamesOverJSON)
}

func testWholeGamesOverJSON(t *testing.T, start starter) {
	server := start(t)
	key := at(t, server.curl(t, "", "POST", "/v1/players", `{"displayName":"Ann"}`), "key").(string)
	for _, setup := range []string{
		`{"reversi":{"hexagon":{"rings":3}}}`, `{"reversi":{"square":{"side":4}}}`, `{"threeTrios":{}}`,
	} {
		t.Run(setup, func(t *testing.T) {
			created := server.curl(t, key, "POST", "/v1/games",
				`{"setup":`+setup+`,"seats":[{"caller":{}},{"robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`)
			path := "/v1/games/" + at(t, created, "game", "id").(string)
			game := at(t, created, "game")
			for at(t, game, "state") == "GAME_STATE_ACTIVE" {
				if at(t, game, "turn", "side") == "SIDE_FIRST" {
					moves := server.curl(t, key, "GET", path+"/legalMoves?pageSize=1", "")
					body := fmt.Sprintf(`{"notation":%q,"expectedVersion":%v}`,
						at(t, moves, "moves", 0, "notation"), at(t, game, "version"))
					game = at(t, server.curl(t, key, "POST", path+"/moves", body), "game")
				} else {
					server.curl(t, key, "GET", fmt.Sprintf("%s/events?afterVersion=%v&wait=20s", path, at(t, game, "version")), "")
					game = at(t, server.curl(t, key, "GET", path, ""), "game")
				}
			}
			if at(t, game, "state") != "GAME_STATE_FINISHED" || at(t, game, "outcome", "ending") != "ENDING_SCORE" {
				t.Errorf("the game ended with %v", game)
			}
			events := server.curl(t, key, "GET", path+"/events?pageSize=1000", "")
			if n := len(at(t, events, "events").([]any)); float64(n) != at(t, game, "version") {
				t.Errorf("the log has %d events, want %v", n, at(t, game, "version"))
			}
		})
	}
}

// The test pipes moves into the program flipside. The input repeats all cells, since the client
// reports illegal moves and reads the next line.
func TestWholeGamesWithTheClient(t *testing.T) { //nolint:tparallel // The daemon stops after all subtests.
	t.Parallel()
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	var cells strings.Builder
	for q := -3; q <= 3; q++ {
		for r := max(-3, -3-q); r <= min(3, 3-q); r++ {
			fmt.Fprintf(&cells, "%d,%d\n", q, r)
		}
	}
	tests := []struct {
		name, input string
		args        []string
		code        int
		out         string // in the last lines of the output
	}{
		{"to the end", strings.Repeat(cells.String()+"pass\n", 40), []string{"hex", "human", "easy", "3"}, 0, "wins"},
		{"two robots", "", []string{"hex", "easy", "greedy", "3"}, 0, "wins"},
		{"input that ends during the game", "pass\n", []string{"hex", "human", "easy", "3"}, 1, ""},
		{"an unknown player", "", []string{"hex", "human", "unknown"}, 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client := exec.CommandContext(t.Context(), programs.path(t, "flipside"), append([]string{"play"}, tt.args...)...)
			client.Env = append(os.Environ(), "FLIPSIDE_ADDRESS="+server.addrs["game"], "FLIPSIDE_STRATEGY_ADDRESS="+server.addrs["strategy"],
				"FLIPSIDE_CLIENT_CONFIG="+filepath.Join(t.TempDir(), "config.json"))
			client.Stdin = strings.NewReader(tt.input)
			var out, errs bytes.Buffer
			client.Stdout, client.Stderr = &out, &errs
			err := client.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := client.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, tail(errs.String()))
			}
			if !strings.Contains(tail(out.String()), tt.out) {
				t.Errorf("the output ends with %s", tail(out.String()))
			}
		})
	}
	server.checkStop(t, waitTimeout)
	verify(t, server.data)
}

// tail returns the last lines of a text.
func tail(text string) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-6):], "\n")
}
