package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// failing returns services that fail every call and stream with one error.
func failing(err error) *services {
	return &services{
		unary:  func(context.Context, proto.Message) (proto.Message, error) { return nil, err },
		stream: func(context.Context, proto.Message, func(proto.Message) error) error { return err },
	}
}

// Unary calls and streams that have not started answer the errors of services alike.
func TestErrorsOfServices(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason fault.Reason
		code   codes.Code
		http   int
	}{
		{fault.InvalidField, codes.InvalidArgument, 400},
		{fault.OffBoard, codes.InvalidArgument, 400},
		{fault.InvalidKey, codes.Unauthenticated, 401},
		{fault.NotYourSeat, codes.PermissionDenied, 403},
		{fault.GameNotFound, codes.NotFound, 404},
		{fault.NotYourTurn, codes.FailedPrecondition, 400},
		{fault.VersionMismatch, codes.Aborted, 409},
		{fault.RequestIDReused, codes.AlreadyExists, 409},
		{fault.RateLimited, codes.ResourceExhausted, 429},
		{fault.TooManyStreams, codes.ResourceExhausted, 429},
		{fault.StoreContended, codes.Aborted, 409},
		{fault.StoreUnavailable, codes.Unavailable, 503},
		{fault.GameUnavailable, codes.Unavailable, 503},
		{fault.IssuerUnavailable, codes.Unavailable, 503},
	} {
		s := failing(serve.Status(fault.New(test.reason, "text")).Err())
		server, remote := start(t, s), start(t, s, dialled(t, s))
		want := failure{test.http, int(test.code), string(test.reason), "", "text"}
		for _, path := range []string{"/v1/games/g1", "/v1/games/g1:watch", "/v1/turns:watch"} {
			for _, server := range []*httptest.Server{server, remote} {
				if diff := cmp.Diff(want, errorIn(t, do(t, server, get(path)))); diff != "" {
					t.Errorf("%s of %s (-want +got):\n%s", test.reason, path, diff)
				}
			}
		}
	}
}

func TestErrorDetails(t *testing.T) {
	t.Parallel()
	err := fault.New(fault.RateLimited, "too many calls").With("limit", 5).At("gameId").RetryIn(2500 * time.Millisecond)
	a := do(t, start(t, failing(serve.Status(err).Err())), get("/v1/games/g1"))
	golden.Check(t, "error.json", compact(a.body))
	if got := a.Header.Get("Retry-After"); got != "3" {
		t.Errorf("Retry-After %q, want 3 whole seconds", got)
	}
}

// Retry-After asks a client for a repeat, so that errors without a retry delay must not have it.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  *fault.Error
		want string
	}{
		{fault.New(fault.BudgetExceeded, "the position is too large"), ""},
		{fault.New(fault.BudgetExceeded, "the search quota is used up").RetryIn(2500 * time.Millisecond), "3"},
		{fault.New(fault.StoreContended, "contended").RetryIn(100 * time.Millisecond), "1"},
		{fault.New(fault.StrategyUnavailable, "unavailable"), "1"},
		{fault.New(fault.VersionMismatch, "changed"), ""},
	} {
		a := do(t, start(t, failing(serve.Status(test.err).Err())), get("/v1/games/g1"))
		if got := a.Header.Get("Retry-After"); got != test.want {
			t.Errorf("%s: Retry-After %q, want %q", test.err, got, test.want)
		}
	}
}

// Errors between the gateway and a service get public texts.
func TestTransportErrors(t *testing.T) {
	t.Parallel()
	const secret = "dial tcp 10.0.0.7:9090: connection refused"
	for _, test := range []struct {
		code   codes.Code
		http   int
		want   codes.Code
		reason string
		text   string
	}{
		{codes.Unavailable, 503, codes.Unavailable, "GAME_UNAVAILABLE", "the Game service is unavailable: retry later"},
		{codes.Unknown, 500, codes.Internal, "INTERNAL", "internal error"},
		{codes.Internal, 500, codes.Internal, "INTERNAL", "internal error"},
		{codes.DataLoss, 500, codes.Internal, "INTERNAL", "internal error"},
		{codes.Unimplemented, 501, codes.Unimplemented, "UNIMPLEMENTED", "this server does not implement the call"},
		{codes.Canceled, 499, codes.Canceled, "CANCELLED", "the client canceled the call"},
		{codes.ResourceExhausted, 429, codes.ResourceExhausted, "OVERLOADED",
			"the server receives too many large requests at the moment: retry later"},
		{codes.DeadlineExceeded, 504, codes.DeadlineExceeded, "DEADLINE_EXCEEDED", "the deadline of the call has passed"},
	} {
		server := start(t, failing(status.Error(test.code, secret)))
		want := failure{test.http, int(test.want), test.reason, "", test.text}
		for _, path := range []string{"/v1/games/g1", "/v1/games/g1:watch"} {
			if diff := cmp.Diff(want, errorIn(t, do(t, server, get(path)))); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", test.code, path, diff)
			}
		}
	}
}

func TestUnavailableServices(t *testing.T) {
	t.Parallel()
	unreachable, err := grpc.NewClient("passthrough:unreachable", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return nil, errors.New("no route to host") }))
	if err != nil {
		t.Fatal(err)
	}
	defer unreachable.Close()
	var log strings.Builder
	server := start(t, &services{}, logTo(&log), func(o *Options) { o.Game, o.Strategy = unreachable, unreachable })
	for _, test := range []struct{ path, reason, text string }{
		{"/v1/games/g1", "GAME_UNAVAILABLE", "the Game service is unavailable: retry later"},
		{"/v1/games/g1:watch", "GAME_UNAVAILABLE", "the Game service is unavailable: retry later"},
		{"/v1/strategies", "STRATEGY_UNAVAILABLE", "the Strategy service is unavailable: retry later"},
	} {
		a := do(t, server, get(test.path))
		want := failure{503, int(codes.Unavailable), test.reason, "", test.text}
		if diff := cmp.Diff(want, errorIn(t, a)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
		if got := a.Header.Get("Retry-After"); got != "1" {
			t.Errorf("%s: Retry-After %q, want 1", test.path, got)
		}
	}
	if !strings.Contains(log.String(), "no route to host") {
		t.Errorf("the log lacks the cause: %s", log.String())
	}
}

func TestAuthenticateChallenge(t *testing.T) {
	t.Parallel()
	server := start(t, failing(serve.Status(fault.New(fault.InvalidKey, "no")).Err()))
	for _, test := range []struct {
		header []string
		want   string
	}{
		{[]string{"Authorization", ""}, `Bearer realm="flipside"`},
		{[]string{"Authorization", "Basic YW5uOnNlY3JldA=="}, `Bearer realm="flipside"`},
		{[]string{"Authorization", "Bearer nonsense"}, `Bearer realm="flipside", error="invalid_token"`},
	} {
		a := do(t, server, get("/v1/games/g1", test.header...))
		if got := a.Header.Get("WWW-Authenticate"); got != test.want {
			t.Errorf("%q: WWW-Authenticate %q, want %q", test.header, got, test.want)
		}
	}
}

// A panic ends one request only. The log has its request id.
func TestPanic(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	server := start(t, &services{}, logTo(&log), func(o *Options) { o.Game = panicking{} })
	a := do(t, server, get("/v1/games/g1", "X-Request-Id", "the-id"))
	want := failure{500, int(codes.Internal), "INTERNAL", "", "internal error"}
	if diff := cmp.Diff(want, errorIn(t, a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(log.String(), "the-id") || !strings.Contains(log.String(), "test panic") {
		t.Errorf("log: %q", log.String())
	}
	if a := do(t, server, get("/livez")); a.StatusCode != http.StatusOK {
		t.Errorf("status %d after the panic", a.StatusCode)
	}
}

type panicking struct{ grpc.ClientConnInterface }

func (panicking) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	panic("test panic")
}

// The gateway logs the requests that it rejects. Services log the others.
func TestRejectedRequestsAreLogged(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	server := start(t, failing(serve.Status(fault.New(fault.GameNotFound, "no")).Err()), logTo(&log))
	do(t, server, get("/v1/games/g1", "X-Request-Id", "from-service"))
	do(t, server, get("/v1/games/g1?secret=1", "X-Request-Id", "from-gateway"))
	if got := log.String(); !strings.Contains(got, "from-gateway") || !strings.Contains(got, "UNKNOWN_FIELD") ||
		strings.Contains(got, "from-service") || strings.Contains(got, "secret") {
		t.Errorf("log: %q", got)
	}
}
