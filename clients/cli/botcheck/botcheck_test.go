package botcheck

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

type (
	request = *strategyv1.ChooseMoveRequest
	answer  = *strategyv1.ChooseMoveResponse
	choose  = func(context.Context, request) (answer, error)
)

// patient is a deadline that no provider misses on a busy machine.
const patient = time.Minute

// check checks a provider at an address.
func check(t *testing.T, address string, deadline time.Duration, now func() time.Time) *Report {
	t.Helper()
	report, err := Run(t.Context(), Options{
		Dial: func() (*grpc.ClientConn, error) { return dial(address) }, Deadline: deadline, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var positionsOnce = sync.OnceValues(readPositions)

// known returns the position with a notation.
func known(notation string) *Position {
	positions, err := positionsOnce()
	if err != nil {
		panic(err)
	}
	i := slices.IndexFunc(positions, func(p Position) bool { return p.Notation == notation })
	return &positions[i]
}

func chosen(notation string) answer {
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Notation: notation}}
}

// good chooses the first legal move.
func good(_ context.Context, q request) (answer, error) {
	return chosen(known(q.GetPosition().GetNotation()).Legal[0].Notation), nil
}

// edited chooses as good does, and edits the answer.
func edited(edit func(p *Position, a answer)) choose {
	return func(ctx context.Context, q request) (answer, error) {
		a, err := good(ctx, q)
		edit(known(q.GetPosition().GetNotation()), a)
		return a, err
	}
}

// Each provider has one fault, and the check finds this fault alone.
func TestFindsTheFaultOfEachProvider(t *testing.T) {
	t.Parallel()
	const hasty = 200 * time.Millisecond
	for _, test := range []struct {
		name, fault, problem string
		deadline             time.Duration
		choose               choose
	}{
		{"plays anywhere", "illegal move", "a1 is not a legal move", patient,
			edited(func(p *Position, a answer) {
				if p.Board == Square && p.Legal[0].Notation != "pass" {
					a.Chosen.Notation = "a1"
				}
			})},
		{"does not pass", "illegal move", "c1 is not a legal move", patient,
			edited(func(p *Position, a answer) {
				if strings.Contains(p.Name, "pass is the only") && p.Board == Square {
					a.Chosen.Notation = "c1"
				}
			})},
		{"is silent", "no answer", "no answer within 600ms either", hasty, silent},
		{"needs longer than the deadline", "late", "with a deadline of 6s it answered", 2 * time.Second,
			func(ctx context.Context, q request) (answer, error) {
				if end, _ := ctx.Deadline(); time.Until(end) < 4*time.Second {
					return silent(ctx, q)
				}
				return good(ctx, q)
			}},
		{"answers without a move", "empty answer", "no move", patient,
			edited(func(_ *Position, a answer) { a.Chosen = nil })},
		{"writes moves in words", "unreadable move", `"corner" is not a move in notation`, patient,
			edited(func(_ *Position, a answer) { a.Chosen.Notation = "corner" })},
		{"fails with an error", "error", "", patient,
			func(context.Context, request) (answer, error) {
				return nil, status.Error(codes.Internal, "index out of range")
			}},
		{"rejects a pass", "rejected", "it answers other positions of this board", patient,
			func(ctx context.Context, q request) (answer, error) {
				if strings.Contains(q.GetPosition().GetNotation(), "square:8 OX") {
					return nil, status.Error(codes.InvalidArgument, "no pass")
				}
				return good(ctx, q)
			}},
		{"rejects everything", "rejects everything", "", patient,
			func(context.Context, request) (answer, error) { return nil, status.Error(codes.InvalidArgument, "no") }},
		{"contradicts itself", "contradiction", `notation is "h8"`, patient,
			edited(func(p *Position, a answer) {
				if p.Board == Square {
					a.Chosen.Move, a.Chosen.Notation = p.Legal[0].Move, "h8"
				}
			})},
		{"lists a candidate twice", "wrong candidates", "is listed twice", patient,
			edited(func(_ *Position, a answer) { a.Candidates = []*strategyv1.Candidate{a.Chosen, a.Chosen} })},
		{"shares the position between calls", "mixed up", "it is a legal move of another request", patient, sharing()},
		{"answers the call before", "mixed up", "it is a legal move of another request", patient, queueing()},
		{"serves one connection", "error", "the call failed", patient, firstConnection()},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			report := check(t, provider{choose: test.choose}.serve(t), test.deadline, time.Now)
			if len(report.Findings) != 1 || report.Findings[0].Fault != test.fault ||
				!strings.Contains(report.Findings[0].Problem, test.problem) {
				t.Errorf("found\n%s\nwant only %s: %s", report.Text(), test.fault, test.problem)
			}
		})
	}
}

// silent answers after the caller has stopped waiting.
func silent(ctx context.Context, _ request) (answer, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// sharing mixes up calls at once: of two calls, one answers for the position of the other.
func sharing() choose {
	shared := make(chan request)
	return afterPositions(func(ctx context.Context, q request) (answer, error) {
		select {
		case shared <- q:
		case q = <-shared:
		case <-time.After(300 * time.Millisecond): // a single call
		}
		return good(ctx, q)
	})
}

// queueing keeps the answer of a cancelled call and sends it to the next one.
func queueing() choose {
	kept, cancelled, once := make(chan answer, parallel), make(chan struct{}), sync.Once{}
	return afterPositions(func(ctx context.Context, q request) (answer, error) {
		select {
		case a := <-kept:
			return a, nil
		default:
		}
		select {
		case <-cancelled:
		case <-ctx.Done():
			a, err := good(ctx, q)
			kept <- a
			once.Do(func() { close(cancelled) })
			return a, err
		}
		return good(ctx, q)
	})
}

// afterPositions chooses as good does for each position once, then as next does.
func afterPositions(next choose) choose {
	var calls atomic.Int32
	return func(ctx context.Context, q request) (answer, error) {
		if int(calls.Add(1)) <= len(recipes) {
			return good(ctx, q)
		}
		return next(ctx, q)
	}
}

// firstConnection fails calls on any other connection than the first.
func firstConnection() choose {
	var first atomic.Value
	return func(ctx context.Context, q request) (answer, error) {
		from, _ := peer.FromContext(ctx)
		if address := from.Addr.String(); !first.CompareAndSwap(nil, address) && first.Load() != address {
			return nil, status.Error(codes.Internal, "busy")
		}
		return good(ctx, q)
	}
}

// A provider that answers in the last tenth of its time is late under load.
func TestFindsASlowProvider(t *testing.T) {
	t.Parallel()
	var elapsed atomic.Int64
	slowly := provider{choose: func(ctx context.Context, q request) (answer, error) {
		elapsed.Add(int64(patient * 95 / 100))
		return good(ctx, q)
	}}
	now := func() time.Time { return time.Unix(0, elapsed.Load()) }
	report := check(t, slowly.serve(t), patient, now)
	if len(report.Findings) != 1 || report.Findings[0].Fault != "slow" {
		t.Errorf("found\n%s\nwant only slow", report.Text())
	}
}

// The Strategy service of Flipside has no fault, nor has a provider that rejects a kind of board or a
// size of it.
func TestFindsNoFault(t *testing.T) {
	t.Parallel()
	s := startServer(t, func(*app.Settings) {})
	squares := provider{choose: func(ctx context.Context, q request) (answer, error) {
		if !strings.HasPrefix(q.GetPosition().GetNotation(), "reversi/square") {
			return nil, status.Error(codes.InvalidArgument, "only squares")
		}
		return good(ctx, q)
	}}
	othello := provider{choose: func(ctx context.Context, q request) (answer, error) {
		if !strings.HasPrefix(q.GetPosition().GetNotation(), "reversi/square:8 ") {
			return nil, status.Error(codes.InvalidArgument, "only 8x8")
		}
		return good(ctx, q)
	}}
	for _, test := range []struct {
		name, address string
		boards        []Board
		rejected      []string
	}{
		{"Flipside", s.strategy, []Board{Square, Hexagon, Cards}, nil},
		{"only squares", squares.serve(t), []Board{Square}, nil},
		{"only 8x8", othello.serve(t), []Board{Square}, []string{"reversi/square:4", "reversi/square:16"}},
	} {
		report := check(t, test.address, patient, time.Now)
		if len(report.Findings) > 0 || !slices.Equal(report.Boards, test.boards) ||
			!slices.Equal(report.RejectedSizes, test.rejected) {
			t.Errorf("%s: %s", test.name, report.Text())
		}
	}
}

// The requests describe the turn of a robot, as those of Game do.
func TestRequestsDescribeTheTurn(t *testing.T) {
	t.Parallel()
	options, err := structpb.NewStruct(map[string]any{"style": "bold"})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	games := map[string]int{}
	address := provider{choose: func(ctx context.Context, q request) (answer, error) {
		mu.Lock()
		defer mu.Unlock()
		games[q.GetGameId()]++
		sides := map[string]rulesv1.Side{"X": rulesv1.Side_SIDE_FIRST, "O": rulesv1.Side_SIDE_SECOND}
		fields := strings.Fields(q.GetPosition().GetNotation())
		if side, ok := sides[fields[2]]; ok && q.GetSide() != side {
			t.Errorf("the side is %v in %s", q.GetSide(), q.GetPosition().GetNotation())
		}
		if q.GetSide() == rulesv1.Side_SIDE_UNSPECIFIED || !proto.Equal(q.GetOptions(), options) ||
			q.GetClock().GetFirst().AsDuration() != patient || q.GetClock().GetPerMove().AsDuration() != patient {
			t.Errorf("the request is %v", q)
		}
		return good(ctx, q)
	}}.serve(t)
	report, err := Run(t.Context(), Options{
		Dial: func() (*grpc.ClientConn, error) { return dial(address) }, Deadline: patient, Now: time.Now, RobotOptions: options,
	})
	if err != nil || len(report.Findings) != 0 {
		t.Errorf("%v, %v", report, err)
	}
	for id, n := range games {
		if n > 1 || id == "" {
			t.Errorf("%d requests have the game %q", n, id)
		}
	}
}

// A finding shows the request, the position, the answer and the contract.
func TestReport(t *testing.T) {
	t.Parallel()
	address := provider{choose: func(context.Context, request) (answer, error) { return chosen("a1"), nil }}.serve(t)
	text := check(t, address, patient, time.Now).Text()
	for _, want := range []string{
		"1. illegal move (", "a1 is not a legal move", "contract: The move is one of the legal moves",
		"position: square of side 8, start", "1 _ _ _ _ _ _ _ _", "legal:    d3 c4 f5 e6",
		`request:  {"position":{"notation":"reversi/square:8 `, `answer:   {"chosen":{"notation":"a1"}}`,
		`"a1" is not a move in notation: use q,r such as 1,-2, or pass`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
}

// A provider that does not run is an error, not a finding.
func TestProviderIsNotReachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	_, err = Run(t.Context(), Options{
		Dial: func() (*grpc.ClientConn, error) { return dial(address) }, Deadline: patient, Now: time.Now,
	})
	if _, ok := errors.AsType[*UnreachableError](err); !ok {
		t.Errorf("the error is %v", err)
	}
}
