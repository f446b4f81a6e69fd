package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// The golden files show whole games. The lines that the user types follow "<".
func TestPlay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		args   string
		lines  string
		robots string
		length int
	}{
		{"human against robot", "play hex human easy 3", "a\nbad\n\n  b  \nPASS\nignored\n", "x pass y", 6},
		{"robot against human", "play square easy human=Ben", "a\nb\n", "x y", 4},
		{"two people", "play hex human=Ada human=Ben 2", "a\nb\np\n", "", 3},
		{"two people without names", "play square", "a\nb\n", "", 2},
		{"two robots", "play trios strategy1 engine same plus", "ignored", "x y z", 3},
		{"against the clock", "play hex human=Ada human=Ben --clock 5m+3s", "a\nb\nc\n", "", 3},
		{"too late", "play hex human=Ada human --clock 5m --absent greedy", "late\na\nlate\n", "x y z", 4},
		{"quitting", "play trios human strategy2", "a\nnonsense\nquit\nb\n", "x", 9},
		{"resigning", "play hex human easy", "a\nresign\nb\n", "x", 9},
		{"the input ends", "play hex human easy 3", "a\nbad\n", "x", 9},
		{"nothing to read", "play trios human human", "", "", 9},
		{"hints", "play trios human human", "h\nq\nw\na\nw\nh\nb\nc\n", "", 3},
		{"offers", "play hex human human=Ben", "decline\na\nu\ndraw\nx\nb\n", "", 2},
		{"board and help", "play hex human easy 3", "board\nhelp\n?\nb\na\n", "", 1},
		{"only a pass", "play hex human easy 3", "a\npass\n", "forcing", 3},
		{"something breaks", "play hex human easy 3", "a\nfatal\nb\n", "x", 9},
		{"json", "play hex human easy 3 -o json", "a\nh\nboard\n", "", 1},
		{"jsonl", "play hex human easy 3 -o jsonl", "a\nb\n", "x", 3},
	} {
		for _, cut := range []int{0, 1} {
			name := test.name
			if cut > 0 {
				name += ", the stream cut after every event"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := newFake(t)
				g := &gameServer{robots: strings.Fields(test.robots), length: test.length, cut: cut}
				g.serve(f)
				f.stdin = test.lines
				got := strings.Replace(f.transcript(strings.Fields(test.args)...), "\n", fmt.Sprintf(" < %q\n", test.lines), 1)
				golden(t, "play/"+strings.ReplaceAll(test.name, " ", "_"), got)
			})
		}
	}
}

func TestPlayArguments(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"grid": "1 1\nC\n", "deck": "a 1 2 3 4\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const human, easy = `{"caller":{}}`, `{"robot":{"strategy":{"level":"LEVEL_EASY"}}}`
	robot := func(strategy string) string { return `{"robot":{"strategy":` + strategy + `}}` }
	for _, test := range []struct {
		args        []string
		setup       string
		first, next string
	}{
		{[]string{"hex"}, `{"reversi":{"hexagon":{}}}`, human, human},
		{[]string{"hex", "easy"}, `{"reversi":{"hexagon":{}}}`, easy, human},
		{[]string{"hex", "human=", "human=Ben"}, `{"reversi":{"hexagon":{}}}`, human, human},
		{[]string{"hex", "human", "easy", "3"}, `{"reversi":{"hexagon":{"rings":3}}}`, human, easy},
		{[]string{"square"}, `{"reversi":{"square":{}}}`, human, human},
		{[]string{"square", "human", "easy", "6", "--mirrored", "--pass-rule", "voluntary"},
			`{"reversi":{"square":{"side":6,"start":"START_MIRRORED"},"passRule":"PASS_RULE_VOLUNTARY"}}`, human, easy},
		{[]string{"hex", "medium", "hard"}, `{"reversi":{"hexagon":{}}}`, robot(`{"level":"LEVEL_MEDIUM"}`), robot(`{"level":"LEVEL_HARD"}`)},
		{[]string{"hex", "expert", "greedy"}, `{"reversi":{"hexagon":{}}}`, robot(`{"level":"LEVEL_EXPERT"}`), robot(`{"greedy":{}}`)},
		{[]string{"hex", "alphabeta", "engine", "--depth", "3", "--time", "1s"}, `{"reversi":{"hexagon":{}}}`,
			robot(`{"alphaBeta":{"maxDepth":3,"maxTime":"1s"}}`), robot(`{"engine":{"maxDepth":3,"maxTime":"1s"}}`)},
		{[]string{"hex", "skill:5", "skill:20"}, `{"reversi":{"hexagon":{}}}`, robot(`{"skill":5}`), robot(`{"skill":20}`)},
		{[]string{"trios", "human", "strategy1"}, `{"threeTrios":{}}`, human, robot(`{"corners":{}}`)},
		{[]string{"trios", "strategy2", "strategy3", "default"}, `{"threeTrios":{"rules":["RULE_DEFAULT"]}}`,
			robot(`{"mostFlips":{}}`), robot(`{"leastExposed":{}}`)},
		{[]string{"trios", "strategy4", "easy", ""}, `{"threeTrios":{"rules":["RULE_DEFAULT"]}}`, robot(`{"smallestReply":{}}`), easy},
		{[]string{"trios", "human", "human", "", "same"}, `{"threeTrios":{"rules":["RULE_DEFAULT","RULE_SAME"]}}`, human, human},
		{[]string{"trios", "human", "human", "reverse", "fallen-ace"}, `{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE"]}}`,
			human, human},
		{[]string{"trios", "human", "easy", "reverse", "fallen-ace", "same", "plus"},
			`{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE","RULE_SAME","RULE_PLUS"]}}`, human, easy},
		{[]string{"trios", "human", "human", "plus", "plus"}, `{"threeTrios":{"rules":["RULE_PLUS","RULE_PLUS"]}}`, human, human},
		{[]string{"trios", "human", "human", "--grid", filepath.Join(folder, "grid"), "--deck", filepath.Join(folder, "deck")},
			`{"threeTrios":{"grid":"1 1\nC\n","deck":"a 1 2 3 4\n"}}`, human, human},
	} {
		t.Run(fmt.Sprintf("%q", test.args), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
				return nil, serverError(codes.ResourceExhausted, "RATE_LIMITED", "the test needs no game")
			})
			if got := f.run(append([]string{"play"}, test.args...)...); got.code != 72 {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			want := fmt.Sprintf(`{"setup":%s,"seats":[%s,%s]}`, test.setup, test.first, test.next)
			got := withoutID(t, f.calls[0].request)
			if diff := cmp.Diff(fromJSON(&gamev1.CreateGameRequest{}, strings.ReplaceAll(want, "\n", `\n`)), got, protocmp.Transform()); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlayPromptsOnATerminal(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	g := &gameServer{length: 2}
	g.serve(f)
	f.stdin = "bad\na\nb\n"
	got := f.runInteractive("play", "hex", "human", "human=Ben")
	want := "X (Black) to move> bad: bad holds a disc already [CELL_TAKEN]\nX (Black) to move> O (White, Ben) to move> "
	if got.code != 0 || got.err != want {
		t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
	}
}

// Ctrl-D and Ctrl-C leave the cursor behind the prompt. What follows starts on a line of its own.
func TestPlayEndsTheLineOfThePrompt(t *testing.T) {
	t.Parallel()
	t.Run("at the end of the input", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		(&gameServer{length: 2}).serve(f)
		want := "X (Black) to move> \nflipside: the input ended in the middle of the game: X (Black) to move; " +
			"return with: flipside play 01new\n"
		if got := f.runInteractive("play", "hex"); got.code != 1 || got.err != want {
			t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
		}
	})
	t.Run("before an event", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		g := &gameServer{length: 2}
		g.serve(f)
		f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
			g.mu.Lock()
			log := g.log
			g.mu.Unlock()
			for _, event := range log {
				if err := s.Send(&gamev1.WatchGameResponse{Version: event.GetVersion(),
					Message: &gamev1.WatchGameResponse_Event{Event: event}}); err != nil {
					return err
				}
			}
			late := `{"robotDelayed":{"side":"SIDE_SECOND","attempt":3}}`
			if err := s.Send(fromJSON(&gamev1.WatchGameResponse{}, late)); err != nil {
				return err
			}
			return serverError(codes.NotFound, "GAME_NOT_FOUND", "there is no game")
		}
		in, _ := io.Pipe() // A user who types nothing.
		defer in.Close()
		want := "X (Black) to move> \nThe robot of O (White) is late; attempt 3 failed.\nX (Black) to move> \n" +
			"Game 01new goes on; return with: flipside play 01new\nflipside: there is no game [GAME_NOT_FOUND]\n"
		if got := f.runWith(in, true, "play", "hex"); got.code != 69 || got.err != want {
			t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
		}
	})
}

// Play survives an outage of the server, up to a limit.
func TestPlaySurvivesAnOutage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ lost, code int }{{settings.DefaultAttempts + 3, 0}, {1000, 78}} {
		t.Run(fmt.Sprint(test.lost), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			g := &gameServer{length: 2, robots: []string{"x"}}
			g.serve(f)
			f.stdin = "a\n"
			lost := test.lost
			on(f, func(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
				if lost--; lost >= 0 {
					return nil, status.Error(codes.Unavailable, "out")
				}
				return g.play(q)
			})
			if got := f.run("play", "hex", "human", "easy"); got.code != test.code {
				t.Errorf("exit %d: %s", got.code, got.err)
			}
		})
	}
}

// With lines of text too, a game opens by its id, and an open seat is taken by id or link.
func TestPlayOpensAndJoinsGames(t *testing.T) {
	t.Parallel()
	const id = "01kb0x7e9t3m2s6d4v8w5y1z0q"
	for _, test := range []struct {
		args   []string
		method string
	}{
		{[]string{"play", id}, "GetGame"},
		{[]string{"play", "--join", id}, "JoinGame"},
		{[]string{"play", "--join", "http://127.0.0.1:8080/g/" + id}, "JoinGame"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			g := &gameServer{length: 2, robots: []string{"x"}}
			g.serve(f)
			reply(f, &gamev1.GetMeRequest{}, &gamev1.GetMeResponse{Player: &gamev1.Player{Id: "01ada"}})
			on(f, func(q *gamev1.JoinGameRequest) (*gamev1.JoinGameResponse, error) {
				return &gamev1.JoinGameResponse{Game: g.now()}, nil
			})
			if _, err := g.create(fromJSON(&gamev1.CreateGameRequest{},
				`{"seats":[{"caller":{}},{"robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`)); err != nil {
				t.Fatal(err)
			}
			g.game.Id = id
			f.stdin = "a\n"
			got := f.run(test.args...)
			if got.code != 0 || !strings.Contains(got.out, "plays a") || !strings.Contains(got.out, "A draw on score") {
				t.Errorf("exit %d: %s\n%s", got.code, got.err, got.out)
			}
			if first := f.methods()[1]; first != test.method {
				t.Errorf("the call after GetMe is %s, want %s", first, test.method)
			}
		})
	}
}

func TestPlayInvitesAFriend(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	g := &gameServer{length: 1}
	g.serve(f)
	on(f, func(q *gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
		if q.GetSeats()[1].GetOpen() == nil {
			t.Errorf("the seats are %v", q.GetSeats())
		}
		created, err := g.create(q)
		created.Game.State = gamev1.GameState_GAME_STATE_WAITING
		return created, err
	})
	f.stdin = "a\n"
	got := f.run("play", "hex", "--invite")
	if want := "The second player joins with: flipside play --join 01new\n"; got.code != 0 || got.err != want {
		t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
	}
}

// If another client with the same key moves in the same game, the line is rejected and the other
// move is shown.
func TestPlayBesideAnotherClient(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	g := &gameServer{length: 3}
	g.serve(f)
	f.stdin = "a\nb\nc\n"
	once := sync.OnceFunc(func() {
		g.mu.Lock()
		g.move("elsewhere")
		g.mu.Unlock()
	})
	on(f, func(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
		once()
		return g.play(q)
	})
	got := f.run("play", "hex")
	if got.code != 0 || !strings.Contains(got.err, "a: the game has moved on [VERSION_MISMATCH]") || !strings.Contains(got.out, "plays elsewhere") {
		t.Errorf("exit %d: %s\n%s", got.code, got.err, got.out)
	}
}

func TestPlayEndsWhenTheGameIsAborted(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	g := &gameServer{length: 9}
	g.serve(f)
	on(f, func(*gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.game.State, g.game.Turn = gamev1.GameState_GAME_STATE_ABORTED, nil
		g.append(&gamev1.Event{Kind: &gamev1.Event_Aborted{Aborted: &gamev1.GameAborted{Side: rulesv1.Side_SIDE_SECOND}}})
		return nil, serverError(codes.FailedPrecondition, "GAME_OVER", "the game is over")
	})
	f.stdin = "a\nb\n"
	got := f.run("play", "hex")
	if got.code != 0 || !strings.HasSuffix(got.out, "The game is aborted by O (White).\n") {
		t.Errorf("exit %d: %s\n%s", got.code, got.err, got.out)
	}
}

func TestPlayShowsThatARobotIsLate(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	g := &gameServer{length: 2, robots: []string{"x"}}
	g.serve(f)
	f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
		late := `{"robotDelayed":{"side":"SIDE_SECOND","attempt":3}}`
		return errors.Join(s.Send(fromJSON(&gamev1.WatchGameResponse{}, late)), g.watch(q, s))
	}
	f.stdin = "a\n"
	got := f.run("play", "hex", "human", "easy")
	if want := "The robot of O (White) is late; attempt 3 failed.\n"; got.code != 0 || got.err != want {
		t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
	}
}
