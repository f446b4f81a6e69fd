package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fullstorydev/grpchan/inprocgrpc"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/callquota"
)

// services fakes Game, Player and Strategy. It records the calls that reach it.
type services struct {
	// unary answers unary calls. If it is nil, the response is an empty message.
	unary func(ctx context.Context, in proto.Message) (proto.Message, error)
	// stream serves streams. If it is nil, they end at once.
	stream func(ctx context.Context, in proto.Message, send func(proto.Message) error) error

	health *health.Server
	mu     sync.Mutex
	calls  []call
}

// call is a call that reached a service.
type call struct {
	method string
	in     proto.Message
	header metadata.MD
	ctx    context.Context
}

// channel returns an in-process connection to the services.
func (s *services) channel() grpc.ClientConnInterface {
	c := new(inprocgrpc.Channel).WithServerUnaryInterceptor(s.serveUnary).WithServerStreamInterceptor(s.serveStream)
	s.register(c)
	return c
}

// dialled returns an option that connects to the services over a network connection.
func dialled(t testing.TB, s *services) func(*Options) {
	return func(o *Options) {
		server := grpc.NewServer(grpc.UnaryInterceptor(s.serveUnary), grpc.StreamInterceptor(s.serveStream))
		s.register(server)
		listener := bufconn.Listen(1 << 16)
		go server.Serve(listener)
		conn, err := grpc.NewClient("passthrough:services", grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(); server.Stop() })
		o.Game, o.Strategy = conn, conn
	}
}

func (s *services) register(to grpc.ServiceRegistrar) {
	gamev1.RegisterGameServiceServer(to, gamev1.UnimplementedGameServiceServer{})
	gamev1.RegisterPlayerServiceServer(to, gamev1.UnimplementedPlayerServiceServer{})
	strategyv1.RegisterStrategyServiceServer(to, strategyv1.UnimplementedStrategyServiceServer{})
	grpc_health_v1.RegisterHealthServer(to, s.health)
}

func (s *services) record(ctx context.Context, method string, in any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	header, _ := metadata.FromIncomingContext(ctx)
	s.calls = append(s.calls, call{method, in.(proto.Message), header, ctx})
}

func (s *services) serveUnary(ctx context.Context, in any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if strings.Contains(info.FullMethod, "grpc.health") {
		return next(ctx, in)
	}
	s.record(ctx, info.FullMethod, in)
	if s.unary != nil {
		return s.unary(ctx, in.(proto.Message))
	}
	return responseOf(info.FullMethod), nil
}

func (s *services) serveStream(_ any, stream grpc.ServerStream, info *grpc.StreamServerInfo, _ grpc.StreamHandler) error {
	in := requestOf(info.FullMethod)
	if err := stream.RecvMsg(in); err != nil {
		return err
	}
	s.record(stream.Context(), info.FullMethod, in)
	if s.stream == nil {
		return nil
	}
	return s.stream(stream.Context(), in, func(m proto.Message) error { return stream.SendMsg(m) })
}

// last returns the last recorded call.
func (s *services) last(t testing.TB) call {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.calls) == 0 {
		t.Fatal("no call reached a service")
	}
	return s.calls[len(s.calls)-1]
}

func (s *services) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

// requestOf and responseOf return an empty request and response of a method.
func requestOf(method string) proto.Message  { return newMessage(descriptorOf(method).Input()) }
func responseOf(method string) proto.Message { return newMessage(descriptorOf(method).Output()) }

func descriptorOf(method string) protoreflect.MethodDescriptor {
	name := protoreflect.FullName(strings.ReplaceAll(method[1:], "/", "."))
	descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		panic(err)
	}
	return descriptor.(protoreflect.MethodDescriptor)
}

func newMessage(descriptor protoreflect.MessageDescriptor) proto.Message {
	message, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		panic(err)
	}
	return message.New().Interface()
}

// newGateway returns a gateway to services with changed options.
func newGateway(t testing.TB, s *services, changes ...func(*Options)) *Gateway {
	t.Helper()
	s.health = health.NewServer()
	o := Options{
		Game: s.channel(), Strategy: s.channel(), Log: slog.New(slog.DiscardHandler),
		Registry: prometheus.NewRegistry(), Caches: cache.NewBudget(1 << 20),
		CallRates: callquota.Rates{Caller: 1000, Address: 4000}, SearchTime: 10 * time.Minute, Version: "1.2.3",
		Pages: fstest.MapFS{
			"index.html": {Data: []byte("<!doctype html><head><title>Flipside</title></head>")},
			"docs.html":  {Data: []byte("<!doctype html>")}, "app.js": {Data: []byte("{}")},
			"app.css": {Data: []byte("")}, "LICENSE.txt": {Data: []byte("license")},
		},
	}
	for _, change := range changes {
		change(&o)
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// start serves a gateway on a free port.
func start(t testing.TB, s *services, changes ...func(*Options)) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(newGateway(t, s, changes...))
	t.Cleanup(server.Close)
	return server
}

// response is an HTTP response with its body.
type response struct {
	*http.Response
	body string
}

// request is an HTTP request. Its header alternates names and values.
type request struct {
	verb, path, body string
	header           []string
}

// newRequest returns a request with a key, unless it has a header Authorization of its own. An empty
// one stands for no header.
func newRequest(ctx context.Context, t testing.TB, server *httptest.Server, r request) *http.Request {
	t.Helper()
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.verb, server.URL+r.path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(r.header); i += 2 {
		req.Header.Add(r.header[i], r.header[i+1])
	}
	switch key := req.Header.Values("Authorization"); {
	case key == nil:
		req.Header.Set("Authorization", "Bearer key")
	case key[0] == "":
		req.Header.Del("Authorization")
	}
	return req
}

// do sends a request and reads the response. It follows no redirects.
func do(t testing.TB, server *httptest.Server, r request) response {
	t.Helper()
	req := newRequest(t.Context(), t, server, r)
	client := *server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{resp, string(content)}
}

func get(path string, header ...string) request { return request{"GET", path, "", header} }

// post returns a request with a JSON body.
func post(path, body string, header ...string) request {
	return request{"POST", path, body, append([]string{"Content-Type", "application/json"}, header...)}
}

// failure is an error response.
type failure struct {
	Status  int
	Code    int
	Reason  string
	Field   string
	Message string
}

// errorIn decodes an error response. It fails the test if the response is not a google.rpc.Status.
func errorIn(t testing.TB, a response) failure {
	t.Helper()
	if got := a.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type of the error: %q, want application/json", got)
	}
	var status struct {
		Code    *int
		Message *string
		Details []struct {
			Type            string `json:"@type"`
			Reason, Domain  string
			FieldViolations []struct{ Field, Description string }
		}
	}
	decoder := json.NewDecoder(strings.NewReader(a.body))
	if err := decoder.Decode(&status); err != nil || status.Code == nil || status.Message == nil || status.Details == nil {
		t.Fatalf("status %d, body %q is no google.rpc.Status: %v", a.StatusCode, a.body, err)
	}
	f := failure{Status: a.StatusCode, Code: *status.Code, Message: *status.Message}
	for _, d := range status.Details {
		switch d.Type {
		case "type.googleapis.com/google.rpc.ErrorInfo":
			if f.Reason = d.Reason; d.Domain != "flipside" {
				t.Errorf("domain %q, want flipside", d.Domain)
			}
		case "type.googleapis.com/google.rpc.BadRequest":
			f.Field = d.FieldViolations[0].Field
		}
	}
	return f
}

// compact removes the random blanks of protojson from JSON, NDJSON and server-sent events.
func compact(text string) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		var object bytes.Buffer
		start := strings.Index(line, "{")
		if start < 0 || json.Compact(&object, []byte(line[start:])) != nil {
			out.WriteString(line)
			continue
		}
		out.WriteString(line[:start] + object.String() + "\n")
	}
	return out.Bytes()
}

// read decodes JSON to m and returns m.
func read[M proto.Message](t testing.TB, m M, text string) M {
	t.Helper()
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// logTo returns an option that writes the log to w.
func logTo(w io.Writer) func(*Options) {
	return func(o *Options) { o.Log = slog.New(slog.NewTextHandler(w, nil)) }
}

// sendEmpty serves a stream of one empty message.
func sendEmpty(_ context.Context, in proto.Message, send func(proto.Message) error) error {
	switch in.(type) {
	case *gamev1.WatchGameRequest:
		return send(&gamev1.WatchGameResponse{})
	case *gamev1.WatchTurnsRequest:
		return send(&gamev1.WatchTurnsResponse{})
	case *strategyv1.SearchMoveRequest:
		return send(&strategyv1.SearchMoveResponse{})
	case *strategyv1.PlayMatchRequest:
		return send(&strategyv1.PlayMatchResponse{})
	}
	return send(&strategyv1.AnalyzePositionResponse{})
}

// TestMain fails if a test leaves a goroutine running.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
