package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// host is a server with one game on it. It knows no rules: whoever's turn it is may say anything but "bad", robots say
// what the test tells them to, and the game is over after so many moves.
type host struct {
	mu      sync.Mutex
	game    *gamev1.Game
	log     []*gamev1.Event
	changed chan struct{} // closed at the next event
	robots  []string      // what they will play, in order
	length  int           // in moves
	cut     int           // ends every stream after so many events, 0 for never
}

// serve lets a fake answer for the host.
func (b *host) serve(f *fake) {
	f.sample()
	b.changed = make(chan struct{})
	on(f, b.create)
	on(f, b.play)
	on(f, b.resign)
	on(f, func(*gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
		return &gamev1.GetGameResponse{Game: b.now()}, nil
	})
	on(f, func(q *gamev1.RenderGameRequest) (*httpbody.HttpBody, error) {
		return &httpbody.HttpBody{Data: fmt.Appendf(nil, "<board at %d>", q.GetVersion())}, nil
	})
	on(f, func(q *gamev1.ListLegalMovesRequest) (*gamev1.ListLegalMovesResponse, error) {
		if q.GetSide() == rulesv1.Side_SIDE_FIRST {
			return fromJSON(&gamev1.ListLegalMovesResponse{}, `{"moves":[
				{"notation":"d3","flipCount":1,"move":{"place":{}}},{"notation":"c4","flipCount":2,"move":{"place":{}}},
				{"notation":"pass","move":{"passTurn":{}}}]}`), nil
		}
		return fromJSON(&gamev1.ListLegalMovesResponse{}, `{"moves":[
			{"notation":"a@0,0","flipCount":3,"move":{"playCard":{"card":"a"}}},{"notation":"b@0,0","move":{"playCard":{"card":"b"}}},
			{"notation":"a@0,1","flipCount":1,"move":{"playCard":{"card":"a"}}}]}`), nil
	})
	f.watchGame = b.watch
}

func (b *host) now() *gamev1.Game {
	b.mu.Lock()
	defer b.mu.Unlock()
	return proto.CloneOf(b.game)
}

func (b *host) create(q *gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.game = &gamev1.Game{Id: "01new", Kind: rulesv1.GameKind_GAME_KIND_REVERSI, Setup: q.GetSetup(), Seats: q.GetSeats()}
	if q.GetSetup().GetThreeTrios() != nil {
		b.game.Kind = rulesv1.GameKind_GAME_KIND_THREE_TRIOS
	}
	for i, seat := range b.game.GetSeats() {
		seat.Side = rulesv1.Side(i + 1)
		if seat.GetCaller() != nil {
			seat.Holder = &gamev1.Seat_Player{Player: &gamev1.Seat_SeatedPlayer{PlayerId: "01ada", DisplayName: "Ada"}}
		}
	}
	b.game.State = gamev1.GameState_GAME_STATE_ACTIVE
	b.game.TimeControl = q.GetTimeControl()
	b.turn(rulesv1.Side_SIDE_FIRST)
	b.game.Score = &rulesv1.Score{First: 3, Second: 3}
	b.append(&gamev1.Event{Kind: &gamev1.Event_Created{Created: &gamev1.GameCreated{Seats: b.game.GetSeats()}}})
	b.append(&gamev1.Event{Kind: &gamev1.Event_Started{Started: &gamev1.GameStarted{Turn: rulesv1.Side_SIDE_FIRST}}})
	created := proto.CloneOf(b.game)
	b.letRobotsMove()
	return &gamev1.CreateGameResponse{Game: created}, nil
}

// turn gives a side the turn, and five minutes where time counts.
func (b *host) turn(side rulesv1.Side) {
	b.game.Turn = &gamev1.Turn{Side: side}
	if b.game.GetTimeControl() != nil {
		b.game.Turn.Deadline = timestamppb.New(time.Date(2026, 11, 27, 10, 5, 0, 0, time.UTC))
		b.game.Clocks = fromJSON(&gamev1.Clocks{}, `{"first":"300s","second":"272.340s"}`)
	}
}

// replace has a robot take the seat of the side to move.
func (b *host) replace() {
	side, robot := b.game.GetTurn().GetSide(), b.game.GetTimeControl().GetOnAbsence().GetRobot()
	changed := &gamev1.RobotChanged{Side: side, Robot: robot, Replaced: b.game.GetSeats()[side-1]}
	b.game.Seats[side-1] = &gamev1.Seat{Side: side, Holder: &gamev1.Seat_Robot{Robot: robot}}
	b.append(&gamev1.Event{Kind: &gamev1.Event_RobotChanged{RobotChanged: changed}})
	b.letRobotsMove()
}

func (b *host) append(event *gamev1.Event) *gamev1.Event {
	b.game.Version++
	event.GameId, event.Version = b.game.GetId(), b.game.GetVersion()
	b.log = append(b.log, event)
	close(b.changed)
	b.changed = make(chan struct{})
	return event
}

func (b *host) play(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case q.GetExpectedVersion() != b.game.GetVersion():
		return nil, refusal(codes.Aborted, "VERSION_MISMATCH", "the game has moved on")
	case q.GetNotation() == "bad":
		return nil, refusal(codes.FailedPrecondition, "CELL_TAKEN", "bad holds a disc already")
	case q.GetNotation() == "fatal":
		return nil, status.Error(codes.Internal, "sorry")
	case q.GetNotation() == "late":
		b.replace()
		return nil, refusal(codes.PermissionDenied, "NOT_YOUR_SEAT", "you have no seat in this game")
	}
	event := b.move(q.GetNotation())
	played := &gamev1.PlayMoveResponse{Event: event, Game: proto.CloneOf(b.game)}
	b.letRobotsMove()
	return played, nil
}

// move plays any move for the side to move.
func (b *host) move(notation string) *gamev1.Event {
	side := b.game.GetTurn().GetSide()
	played := &gamev1.MovePlayed{Side: side, Notation: notation, Move: &rulesv1.Move{}, Score: b.game.GetScore()}
	if notation == "pass" {
		played.Move.Kind = &rulesv1.Move_PassTurn_{PassTurn: &rulesv1.Move_PassTurn{}}
	}
	event := b.append(&gamev1.Event{Kind: &gamev1.Event_MovePlayed{MovePlayed: played}})
	b.turn(3 - side)
	b.game.Turn.MustPass = notation == "forcing"
	if b.length--; b.length == 0 {
		b.end(&gamev1.Outcome{Draw: true, Ending: gamev1.Ending_ENDING_SCORE})
	}
	return event
}

func (b *host) letRobotsMove() {
	for b.game.GetTurn() != nil && b.game.GetSeats()[b.game.GetTurn().GetSide()-1].GetRobot() != nil && len(b.robots) > 0 {
		b.move(b.robots[0])
		b.robots = b.robots[1:]
	}
}

func (b *host) resign(q *gamev1.ResignRequest) (*gamev1.ResignResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end(&gamev1.Outcome{Winner: 3 - q.GetSide(), Ending: gamev1.Ending_ENDING_RESIGNATION})
	return &gamev1.ResignResponse{Game: proto.CloneOf(b.game)}, nil
}

func (b *host) end(outcome *gamev1.Outcome) {
	b.game.State, b.game.Outcome, b.game.Turn = gamev1.GameState_GAME_STATE_FINISHED, outcome, nil
	b.append(&gamev1.Event{Kind: &gamev1.Event_Finished{Finished: &gamev1.GameFinished{Outcome: outcome, Score: b.game.GetScore()}}})
}

func (b *host) watch(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
	for sent := q.GetAfterVersion(); ; {
		b.mu.Lock()
		log, changed, over := b.log, b.changed, b.game.GetOutcome() != nil
		b.mu.Unlock()
		for _, event := range log[sent:] {
			if b.cut > 0 && sent-q.GetAfterVersion() == int32(b.cut) {
				return status.Error(codes.Unavailable, "cut")
			}
			sent++
			if err := s.Send(&gamev1.WatchGameResponse{Version: sent, Message: &gamev1.WatchGameResponse_Event{Event: event}}); err != nil {
				return err
			}
		}
		if over {
			end := &gamev1.End{Reason: gamev1.EndReason_END_REASON_GAME_OVER}
			return s.Send(&gamev1.WatchGameResponse{Version: sent, Message: &gamev1.WatchGameResponse_End{End: end}})
		}
		select {
		case <-changed:
		case <-s.Context().Done():
			return s.Context().Err()
		}
	}
}

// Whole games, as a user sees them. What he types is after the "<".
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
		{"resigning", "play hex human easy", "a\nresign\nb\n", "x", 9},
		{"the input ends", "play hex human easy 3", "a\nbad\n", "x", 9},
		{"nothing to read", "play trios human human", "", "", 9},
		{"hints", "play trios human human", "h\nq\nw\na\nw\nh\nb\nc\n", "", 3},
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
				b := &host{robots: strings.Fields(test.robots), length: test.length, cut: cut}
				b.serve(f)
				f.stdin = test.lines
				got := strings.Replace(f.transcript(strings.Fields(test.args)...), "\n", fmt.Sprintf(" < %q\n", test.lines), 1)
				golden(t, "play/"+strings.ReplaceAll(test.name, " ", "_"), got)
			})
		}
	}
}

// Arguments make the game that seeds and help say.
func TestPlayArguments(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"grid": "1 1\nC\n", "deck": "a 1 2 3 4\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const human, second = `{"caller":{}}`, `{"robot":{"strategy":{"level":"LEVEL_EASY"}}}`
	robot := func(strategy string) string { return `{"robot":{"strategy":` + strategy + `}}` }
	for _, test := range []struct {
		args        []string
		setup       string
		first, next string
	}{
		{[]string{"hex"}, `{"reversi":{"hexagon":{}}}`, human, human},
		{[]string{"hex", "easy"}, `{"reversi":{"hexagon":{}}}`, second, human},
		{[]string{"hex", "human=", "human=Ben"}, `{"reversi":{"hexagon":{}}}`, human, human},
		{[]string{"hex", "human", "easy", "3"}, `{"reversi":{"hexagon":{"rings":3}}}`, human, second},
		{[]string{"square"}, `{"reversi":{"square":{}}}`, human, human},
		{[]string{"square", "human", "easy", "6", "--mirrored", "--pass-rule", "voluntary"},
			`{"reversi":{"square":{"side":6,"start":"START_MIRRORED"},"passRule":"PASS_RULE_VOLUNTARY"}}`, human, second},
		{[]string{"hex", "medium", "hard"}, `{"reversi":{"hexagon":{}}}`, robot(`{"level":"LEVEL_MEDIUM"}`), robot(`{"level":"LEVEL_HARD"}`)},
		{[]string{"hex", "expert", "greedy"}, `{"reversi":{"hexagon":{}}}`, robot(`{"level":"LEVEL_EXPERT"}`), robot(`{"greedy":{}}`)},
		{[]string{"hex", "alphabeta", "engine", "--depth", "3", "--time", "1s"}, `{"reversi":{"hexagon":{}}}`,
			robot(`{"alphaBeta":{"maxDepth":3,"maxTime":"1s"}}`), robot(`{"engine":{"maxDepth":3,"maxTime":"1s"}}`)},
		{[]string{"trios", "human", "strategy1"}, `{"threeTrios":{}}`, human, robot(`{"corners":{}}`)},
		{[]string{"trios", "strategy2", "strategy3", "default"}, `{"threeTrios":{"rules":["RULE_DEFAULT"]}}`,
			robot(`{"mostFlips":{}}`), robot(`{"leastExposed":{}}`)},
		{[]string{"trios", "strategy4", "easy", ""}, `{"threeTrios":{"rules":["RULE_DEFAULT"]}}`, robot(`{"smallestReply":{}}`), second},
		{[]string{"trios", "human", "human", "", "same"}, `{"threeTrios":{"rules":["RULE_DEFAULT","RULE_SAME"]}}`, human, human},
		{[]string{"trios", "human", "human", "reverse", "fallen-ace"}, `{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE"]}}`,
			human, human},
		{[]string{"trios", "human", "human", "plus", "plus"}, `{"threeTrios":{"rules":["RULE_PLUS","RULE_PLUS"]}}`, human, human},
		{[]string{"trios", "human", "human", "--grid", filepath.Join(folder, "grid"), "--deck", filepath.Join(folder, "deck")},
			`{"threeTrios":{"grid":"1 1\nC\n","deck":"a 1 2 3 4\n"}}`, human, human},
	} {
		t.Run(fmt.Sprintf("%q", test.args), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
				return nil, refusal(codes.ResourceExhausted, "RATE_LIMITED", "that is enough for this test")
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
	b := &host{length: 2}
	b.serve(f)
	f.stdin = "bad\na\nb\n"
	got := f.runInteractive("play", "hex", "human", "human=Ben")
	want := "X (Black) to move> bad: bad holds a disc already [CELL_TAKEN]\nX (Black) to move> O (White, Ben) to move> "
	if got.code != 0 || got.err != want {
		t.Errorf("exit %d, told %q, want %q", got.code, got.err, want)
	}
}

// A server that goes away in mid-game is waited for, though not for ever.
func TestPlayOutlastsAnOutage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ lost, code int }{{settings.DefaultAttempts + 3, 0}, {1000, 78}} {
		t.Run(fmt.Sprint(test.lost), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			b := &host{length: 2, robots: []string{"x"}}
			b.serve(f)
			f.stdin = "a\n"
			lost := test.lost
			on(f, func(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
				if lost--; lost >= 0 {
					return nil, status.Error(codes.Unavailable, "out")
				}
				return b.play(q)
			})
			if got := f.run("play", "hex", "human", "easy"); got.code != test.code {
				t.Errorf("exit %d: %s", got.code, got.err)
			}
		})
	}
}

// Somebody with the same key moves in the same game elsewhere: the line is refused, and what happened is shown.
func TestPlayBesideAnotherClient(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := &host{length: 3}
	b.serve(f)
	f.stdin = "a\nb\nc\n"
	once := sync.OnceFunc(func() {
		b.mu.Lock()
		b.move("elsewhere")
		b.mu.Unlock()
	})
	on(f, func(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
		once()
		return b.play(q)
	})
	got := f.run("play", "hex")
	if got.code != 0 || !strings.Contains(got.err, "a: the game has moved on [VERSION_MISMATCH]") || !strings.Contains(got.out, "plays elsewhere") {
		t.Errorf("exit %d: %s\n%s", got.code, got.err, got.out)
	}
}

func TestPlayEndsWhenTheGameIsCalledOff(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := &host{length: 9}
	b.serve(f)
	on(f, func(*gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.game.State, b.game.Turn = gamev1.GameState_GAME_STATE_ABORTED, nil
		b.append(&gamev1.Event{Kind: &gamev1.Event_Aborted{Aborted: &gamev1.GameAborted{Side: rulesv1.Side_SIDE_SECOND}}})
		return nil, refusal(codes.FailedPrecondition, "GAME_OVER", "the game is over")
	})
	f.stdin = "a\nb\n"
	got := f.run("play", "hex")
	if got.code != 0 || !strings.HasSuffix(got.out, "The game is aborted by O (White).\n") {
		t.Errorf("exit %d: %s\n%s", got.code, got.err, got.out)
	}
}

func TestPlayTellsThatARobotIsLate(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := &host{length: 2, robots: []string{"x"}}
	b.serve(f)
	f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
		late := `{"robotDelayed":{"side":"SIDE_SECOND","attempt":3}}`
		return errors.Join(s.Send(fromJSON(&gamev1.WatchGameResponse{}, late)), b.watch(q, s))
	}
	f.stdin = "a\n"
	got := f.run("play", "hex", "human", "easy")
	if want := "The robot of O (White) is late; attempt 3 failed.\n"; got.code != 0 || got.err != want {
		t.Errorf("exit %d, told %q, want %q", got.code, got.err, want)
	}
}
