package commands

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	time.Local = time.UTC // golden files contain times
	goleak.VerifyTestMain(m)
}

// fake is a server on a real port. It records all calls and gives the replies of the test.
type fake struct {
	gamev1.UnimplementedGameServiceServer
	gamev1.UnimplementedPlayerServiceServer
	strategyv1.UnimplementedStrategyServiceServer

	t       *testing.T
	health  *health.Server
	address string
	config  string
	env     map[string]string
	stdin   string

	answers    map[string]func(proto.Message) (proto.Message, error)
	watchGame  func(*gamev1.WatchGameRequest, grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error
	watchTurns func(*gamev1.WatchTurnsRequest, grpc.ServerStreamingServer[gamev1.WatchTurnsResponse]) error
	analyze    []*strategyv1.AnalyzePositionResponse

	mu    sync.Mutex
	calls []call
}

const (
	serving    = grpc_health_v1.HealthCheckResponse_SERVING
	notServing = grpc_health_v1.HealthCheckResponse_NOT_SERVING
)

type call struct {
	method  string
	request proto.Message
	key     string
}

func newFake(t *testing.T) *fake {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, address: listener.Addr().String(), config: filepath.Join(t.TempDir(), "flipside", "config.json")}
	f.answers = map[string]func(proto.Message) (proto.Message, error){}
	f.env = map[string]string{
		"FLIPSIDE_ADDRESS": f.address, "FLIPSIDE_STRATEGY_ADDRESS": f.address,
		"FLIPSIDE_KEY": "ada-key", "FLIPSIDE_CLIENT_CONFIG": f.config,
	}
	f.health = health.NewServer()
	server := grpc.NewServer(grpc.UnaryInterceptor(f.intercept))
	gamev1.RegisterGameServiceServer(server, f)
	gamev1.RegisterPlayerServiceServer(server, f)
	strategyv1.RegisterStrategyServiceServer(server, f)
	grpc_health_v1.RegisterHealthServer(server, f.health)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return f
}

// on sets the function that answers the call with request Q.
func on[Q, R proto.Message](f *fake, answer func(Q) (R, error)) {
	var q Q
	name := strings.TrimSuffix(string(q.ProtoReflect().Descriptor().Name()), "Request")
	f.answers[name] = func(request proto.Message) (proto.Message, error) {
		reply, err := answer(request.(Q))
		return reply, err
	}
}

// reply sets a fixed reply to the call with request Q.
func reply[Q, R proto.Message](f *fake, _ Q, message R) {
	on(f, func(Q) (R, error) { return message, nil })
}

func (f *fake) intercept(ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	name := path.Base(info.FullMethod)
	f.record(ctx, name, request.(proto.Message))
	if answer := f.answers[name]; answer != nil {
		return answer(request.(proto.Message))
	}
	return handler(ctx, request)
}

func (f *fake) record(ctx context.Context, name string, request proto.Message) {
	md, _ := metadata.FromIncomingContext(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	key := strings.TrimPrefix(strings.Join(md.Get("authorization"), ","), "Bearer ")
	f.calls = append(f.calls, call{method: name, request: proto.Clone(request), key: key})
}

// requestsOf returns the requests of one method, in order.
func requestsOf[Q proto.Message](f *fake) []Q {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Q
	for _, c := range f.calls {
		if request, ok := c.request.(Q); ok {
			all = append(all, request)
		}
	}
	return all
}

func (f *fake) methods() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, c := range f.calls {
		all = append(all, c.method)
	}
	return all
}

func (f *fake) WatchGame(
	request *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse],
) error {
	f.record(s.Context(), "WatchGame", request)
	return f.watchGame(request, s)
}

func (f *fake) WatchTurns(
	request *gamev1.WatchTurnsRequest, s grpc.ServerStreamingServer[gamev1.WatchTurnsResponse],
) error {
	f.record(s.Context(), "WatchTurns", request)
	return f.watchTurns(request, s)
}

func (f *fake) AnalyzePosition(
	request *strategyv1.AnalyzePositionRequest, s grpc.ServerStreamingServer[strategyv1.AnalyzePositionResponse],
) error {
	f.record(s.Context(), "AnalyzePosition", request)
	for _, m := range f.analyze {
		if err := s.Send(m); err != nil {
			return err
		}
	}
	return nil
}

// outcome is the result of a run of the client.
type outcome struct {
	code     int
	out, err string
	waits    int // number of pauses between attempts
}

// run runs the client against the fake. It does not wait between attempts.
func (f *fake) run(args ...string) outcome { return f.runOn(false, args...) }

// runInteractive runs the client as on a terminal.
func (f *fake) runInteractive(args ...string) outcome { return f.runOn(true, args...) }

func (f *fake) runOn(terminal bool, args ...string) outcome {
	return f.runWith(strings.NewReader(f.stdin), terminal, args...)
}

func (f *fake) runWith(in io.Reader, terminal bool, args ...string) outcome {
	var out, err bytes.Buffer
	var waits int
	p := newProgram(Streams{In: in, Out: &out, Err: &err}, f.getenv)
	p.interactive = terminal
	p.dialer.Retry.Pause = func(ctx context.Context, _ time.Duration) error {
		waits++
		return ctx.Err()
	}
	code := p.run(f.t.Context(), args)
	mask := strings.NewReplacer(f.address, "SERVER", f.config, "CONFIG")
	return outcome{code: code, out: mask.Replace(out.String()), err: mask.Replace(err.String()), waits: waits}
}

func (f *fake) getenv(name string) string { return f.env[name] }

// transcript runs the client and returns the output that a user sees. Lines of the standard error
// start with "! ".
func (f *fake) transcript(args ...string) string {
	got := f.run(args...)
	text := "$ flipside " + strings.Join(args, " ") + "\n" + got.out
	for line := range strings.Lines(got.err) {
		text += "! " + line
	}
	if got.code != 0 {
		text += "[exit " + itoa(got.code) + "]\n"
	}
	return text + "\n"
}

// golden compares a text with testdata/name.txt. The flag -update writes the file; then its diff
// needs a review.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no golden file (-update writes it): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// serverError returns an error as servers send it.
func serverError(code codes.Code, reason, message string) error {
	return detailed(status.Error(code, message), &errdetails.ErrorInfo{Reason: reason, Domain: "flipside"})
}

// notSent returns the error of a server that did not send a change to its store.
func notSent(message string) error {
	return detailed(status.Error(codes.Unavailable, message), &errdetails.ErrorInfo{
		Reason: "STORE_UNAVAILABLE", Domain: "flipside", Metadata: map[string]string{"sent": "false"},
	})
}

// withField adds the invalid field to an error.
func withField(err error, field string) error {
	violations := []*errdetails.BadRequest_FieldViolation{{Field: field}}
	return detailed(err, &errdetails.BadRequest{FieldViolations: violations})
}

// withDelay adds a retry delay of 1.5 s to an error.
func withDelay(err error) error {
	return detailed(err, &errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)})
}

func detailed(err error, detail protoadapt.MessageV1) error {
	detailed, failed := status.Convert(err).WithDetails(detail)
	if failed != nil {
		panic(failed)
	}
	return detailed.Err()
}
