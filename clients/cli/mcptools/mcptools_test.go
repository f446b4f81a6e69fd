package mcptools_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/services/app"
)

// startServer starts a server until the test ends. It returns the environment of its clients.
func startServer(t *testing.T) map[string]string {
	t.Helper()
	s := app.DefaultSettings()
	const free = "127.0.0.1:0"
	s.HTTPAddr, s.MetricsAddr, s.GameAddr, s.StrategyAddr = free, "", free, free
	s.Data = filepath.Join(t.TempDir(), "flipside.db")
	running, err := app.Start(context.Background(), app.All, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	return map[string]string{
		"FLIPSIDE_ADDRESS":          running.Addrs["game"],
		"FLIPSIDE_STRATEGY_ADDRESS": running.Addrs["strategy"],
	}
}

// client is a client of the command flipside mcp.
type client struct {
	*mcp.ClientSession
	t *testing.T
}

// connect runs the command with pipes as its standard streams, and connects a client to it. Every
// client is another player. The command must end with the exit code 0 when the client disconnects,
// and write nothing to its standard output but messages of the protocol.
func connect(t *testing.T, env map[string]string) *client {
	t.Helper()
	in, requests := io.Pipe()
	responses, out := io.Pipe()
	config := filepath.Join(t.TempDir(), "config.json")
	getenv := func(name string) string {
		return cmp.Or(env[name], map[string]string{"FLIPSIDE_CLIENT_CONFIG": config}[name])
	}
	var stdout, stderr bytes.Buffer
	var code int
	var running sync.WaitGroup
	running.Go(func() {
		streams := commands.Streams{In: in, Out: io.MultiWriter(&stdout, out), Err: &stderr}
		code = commands.Run(context.Background(), "1.0.0", []string{"mcp"}, streams, getenv)
		_ = out.Close()
	})
	about := &mcp.Implementation{Name: "test", Version: "1.0.0"}
	transport := &mcp.IOTransport{Reader: responses, Writer: requests}
	session, err := mcp.NewClient(about, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		running.Wait()
		if code != 0 {
			t.Errorf("exit code %d: %s", code, &stderr)
		}
		for line := range bytes.Lines(stdout.Bytes()) {
			var message struct{ JSONRPC string }
			if json.Unmarshal(line, &message) != nil || message.JSONRPC != "2.0" {
				t.Errorf("the standard output has %q", line)
			}
		}
	})
	return &client{session, t}
}

// result is the result of a tool.
type result struct {
	text   string
	failed bool
	data   struct { // the JSON, as far as tests need it
		YourSides []string
		YourTurn  bool
		Game      struct {
			ID, State string
			Version   int32
			Outcome   struct{ Ending string }
		}
		Games  []struct{ ID string }
		Moves  []struct{ Notation string }
		Chosen struct{ Notation string }
	}
}

type args = map[string]any

func (c *client) call(tool string, arguments args) result {
	c.t.Helper()
	got, err := c.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	r := result{failed: got.IsError}
	for _, content := range got.Content {
		r.text += content.(*mcp.TextContent).Text
	}
	document, err := json.Marshal(got.StructuredContent)
	if err == nil {
		err = json.Unmarshal(document, &r.data)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// do calls a tool that must succeed and answer with some texts.
func (c *client) do(tool string, arguments args, texts ...string) result {
	c.t.Helper()
	r := c.call(tool, arguments)
	if r.failed {
		c.t.Fatalf("%s: %s", tool, r.text)
	}
	c.contains(tool, r, texts)
	return r
}

// fail calls a tool that must fail with some texts.
func (c *client) fail(tool string, arguments args, texts ...string) {
	c.t.Helper()
	r := c.call(tool, arguments)
	if !r.failed {
		c.t.Errorf("%s %v succeeds: %s", tool, arguments, r.text)
	}
	c.contains(tool, r, texts)
}

func (c *client) contains(tool string, r result, texts []string) {
	c.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.text, text) {
			c.t.Errorf("%s answers without %q:\n%s", tool, text, r.text)
		}
	}
}

// A model plays a whole game against a robot with nothing but the tools.
func TestModelPlaysAGame(t *testing.T) {
	t.Parallel()
	c := connect(t, startServer(t))
	created := c.do("create_game", args{"board": "square", "size": 4, "second": "easy"},
		"square 4", "robot easy", "1 _ _ _ _", "You play X (Black). It is your turn: call play_move.")
	id, version := created.data.Game.ID, created.data.Game.Version
	for moves := 0; ; moves++ {
		now := c.do("wait_for_turn", args{"gameId": id, "afterVersion": version})
		if now.data.Game.State == "GAME_STATE_FINISHED" {
			if now.data.Game.Outcome.Ending != "ENDING_SCORE" || moves < 3 {
				t.Errorf("the game ends after %d moves: %s", moves, now.text)
			}
			break
		}
		if moves > 0 && !strings.Contains(now.text, "O (White) p") {
			t.Errorf("the robot has moved, but wait_for_turn answers:\n%s", now.text)
		}
		legal := c.do("list_legal_moves", args{"gameId": id}).data.Moves
		if len(legal) == 0 || !now.data.YourTurn {
			t.Fatalf("no move for the model:\n%s", now.text)
		}
		played := c.do("play_move", args{
			"gameId": id, "move": legal[0].Notation, "expectedVersion": now.data.Game.Version,
		}, "X (Black) p")
		version = played.data.Game.Version
	}
	c.do("get_game", args{"gameId": id}, "result", "finished")
	c.do("list_legal_moves", args{"gameId": id}, "the game is over")
	c.fail("play_move", args{"gameId": id, "move": "a1"}, "[GAME_OVER]", "call get_game")
}

// Two models play each other: one creates a game, the other finds it, joins and resigns.
func TestTwoModelsPlayEachOther(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	ann, ben := connect(t, server), connect(t, server)
	game := args{"gameId": ann.do("create_game", args{"board": "hex", "size": 2},
		"hex 2", "waiting", "It is not your turn: call wait_for_turn.").data.Game.ID}
	waiting := ben.do("list_games", args{"all": true, "state": "waiting", "limit": 5}).data.Games
	if len(waiting) != 1 || waiting[0].ID != game["gameId"] {
		t.Fatalf("the list has %v", waiting)
	}
	ben.do("get_game", game, "You have no seat in this game.")
	joined := ben.do("join_game", game, "You play O (White). It is not your turn")
	if sides := fmt.Sprint(joined.data.YourSides); sides != "[SIDE_SECOND]" {
		t.Errorf("ben has the sides %s", sides)
	}
	ben.fail("play_move", args{"gameId": game["gameId"], "move": "pass"},
		"[NOT_YOUR_TURN]", "call wait_for_turn")
	ann.do("wait_for_turn", game, "It is your turn")
	ann.do("play_move", args{"gameId": game["gameId"], "move": "pass"}, "X (Black) passes")
	ben.do("wait_for_turn", args{"gameId": game["gameId"], "afterVersion": joined.data.Game.Version},
		"X (Black) passes", "It is your turn")
	ben.do("resign", game, "X (Black) wins by resignation")
	ann.do("wait_for_turn", game, "X (Black) wins by resignation")
	ann.do("list_games", args{"state": "active"}, "There are no such games")
}

// The engine proposes a legal move and plays nothing.
func TestModelAsksTheEngine(t *testing.T) {
	t.Parallel()
	c := connect(t, startServer(t))
	game := c.do("create_game", args{"board": "trios", "second": "engine", "rules": []string{"same", "plus"}},
		"You play Red", "anchor")
	id := args{"gameId": game.data.Game.ID}
	chosen := c.do("ask_engine", args{"gameId": game.data.Game.ID, "seconds": 0.1}, "chosen", "depth").data.Chosen
	legal := c.do("list_legal_moves", id).data.Moves
	found := false
	for _, move := range legal {
		found = found || move == chosen
	}
	if !found {
		t.Errorf("the engine proposes %q, which is none of %v", chosen.Notation, legal)
	}
	if now := c.do("get_game", id); now.data.Game.Version != game.data.Game.Version {
		t.Errorf("the game has changed:\n%s", now.text)
	}
}

// wait_for_turn returns the state of the game when its time is up.
func TestWaitIsBounded(t *testing.T) {
	t.Parallel()
	c := connect(t, startServer(t))
	id := c.do("create_game", args{"board": "square"}).data.Game.ID
	c.do("wait_for_turn", args{"gameId": id, "seconds": 0.1}, "The time is up.", "waiting", "square 8")
}

// An error has the reason of the server and the next step, or the allowed values.
func TestErrorsExplainTheNextStep(t *testing.T) {
	t.Parallel()
	c := connect(t, startServer(t))
	id := c.do("create_game", args{"board": "square", "second": "easy"}).data.Game.ID
	for _, test := range []struct {
		tool      string
		arguments args
		want      []string
	}{
		{"get_game", args{"gameId": "nowhere"}, []string{"[GAME_NOT_FOUND]", "call list_games"}},
		{"get_game", args{}, []string{"gameId"}},
		{"play_move", args{"gameId": id, "move": "a1"}, []string{"[FLIPS_NOTHING]", "call list_legal_moves"}},
		{"play_move", args{"gameId": id, "move": "z99"}, []string{"call list_legal_moves"}},
		{"play_move", args{"gameId": id, "move": "d3", "expectedVersion": 1}, []string{"[VERSION_MISMATCH]", "call get_game"}},
		{"create_game", args{"board": "cube"}, []string{"hex", "square", "trios"}},
		{"create_game", args{"board": "hex", "size": 13}, []string{"[INVALID_FIELD]", "12"}},
		{"create_game", args{"board": "trios", "size": 3}, []string{"leave it out for trios"}},
		{"create_game", args{"board": "hex", "rules": []string{"same"}}, []string{"leave them out"}},
		{"create_game", args{"board": "trios", "rules": []string{"best"}}, []string{"fallen-ace"}},
		{"create_game", args{"board": "hex", "second": "bob"}, []string{`unknown player "bob": use me`}},
		{"create_game", args{"board": "hex", "clock": "soon"}, []string{`clock "soon": use 30s/move`}},
		{"wait_for_turn", args{"gameId": id, "seconds": 51}, []string{"50"}},
		{"resign", args{"gameId": id, "side": "green"}, []string{"first", "blue"}},
	} {
		c.fail(test.tool, test.arguments, test.want...)
	}
}

// A model learns that there is no server. The command stays and tries again at the next call.
func TestServerNotReachable(t *testing.T) {
	t.Parallel()
	const closed = "127.0.0.1:1"
	env := map[string]string{"FLIPSIDE_ADDRESS": closed, "FLIPSIDE_STRATEGY_ADDRESS": closed}
	c := connect(t, env)
	for range 2 {
		c.fail("list_games", nil, "cannot reach the Game service at "+closed, "start flipsided there")
	}
}
