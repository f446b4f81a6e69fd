package apitest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/httpbody"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// services are the services of the API.
var services = []protoreflect.ServiceDescriptor{
	gamev1.File_flipside_game_v1_player_service_proto.Services().Get(0),
	gamev1.File_flipside_game_v1_game_service_proto.Services().Get(0),
	strategyv1.File_flipside_strategy_v1_strategy_service_proto.Services().Get(0),
}

// rpc is a method of the API.
type rpc struct{ protoreflect.MethodDescriptor }

// rpcs returns all methods.
func rpcs() []rpc {
	var all []rpc
	for _, service := range services {
		for i := range service.Methods().Len() {
			all = append(all, rpc{service.Methods().Get(i)})
		}
	}
	return all
}

// rpcNamed returns the method with a name, which is unique among the services.
func rpcNamed(t testing.TB, name string) rpc {
	t.Helper()
	for _, r := range rpcs() {
		if string(r.Name()) == name {
			return r
		}
	}
	t.Fatalf("unknown method %s", name)
	return rpc{}
}

func (r rpc) fullMethod() string { return "/" + string(r.Parent().FullName()) + "/" + string(r.Name()) }

func (r rpc) request() proto.Message  { return newMessage(r.Input()) }
func (r rpc) response() proto.Message { return newMessage(r.Output()) }

func newMessage(d protoreflect.MessageDescriptor) proto.Message {
	message, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		panic(err)
	}
	return message.New().Interface()
}

// answer is the result of a call.
type answer struct {
	status  *status.Status
	message proto.Message // the response, or the first message of a stream

	// Over REST only: the HTTP status, the header and the JSON of the message.
	http   int
	header http.Header
	json   []byte
}

// transport makes calls over gRPC or REST.
type transport interface {
	name() string
	call(t testing.TB, s *server, r rpc, headers map[string]string, in proto.Message) *answer
}

var transports = []transport{overGRPC{}, overREST{}}

type overGRPC struct{}

func (overGRPC) name() string { return "gRPC" }

func (overGRPC) call(t testing.TB, s *server, r rpc, headers map[string]string, in proto.Message) *answer {
	t.Helper()
	ctx, cancel := context.WithCancel(outgoing(t.Context(), headers))
	defer cancel()
	conn := s.game
	if r.Parent() == services[2] {
		conn = s.strategy
	}
	out := r.response()
	if !r.IsStreamingServer() {
		return &answer{status: status.Convert(conn.Invoke(ctx, r.fullMethod(), in, out)), message: out}
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, r.fullMethod())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.SendMsg(in); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	stream.CloseSend()
	return &answer{status: status.Convert(stream.RecvMsg(out)), message: out}
}

// outgoing returns a context for calls with headers.
func outgoing(ctx context.Context, headers map[string]string) context.Context {
	return metadata.NewOutgoingContext(ctx, metadata.New(headers))
}

// bytesCodec sends raw bytes, which need not be a message.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error)      { return v.([]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error { return nil }
func (bytesCodec) Name() string                       { return "proto" }

type overREST struct{}

func (overREST) name() string { return "REST" }

func (overREST) call(t testing.TB, s *server, r rpc, headers map[string]string, in proto.Message) *answer {
	t.Helper()
	verb, target, body := restForm(t, r, in)
	resp := s.do(t, verb, target, headers, body)
	defer resp.Body.Close()
	got := &answer{status: status.New(0, ""), http: resp.StatusCode, header: resp.Header, message: r.response()}
	reader := bufio.NewReader(resp.Body)
	switch _, document := got.message.(*httpbody.HttpBody); {
	case resp.StatusCode != http.StatusOK:
		got.status = readStatus(t, reader)
	case document:
		data, _ := io.ReadAll(reader)
		got.message = &httpbody.HttpBody{ContentType: resp.Header.Get("Content-Type"), Data: data}
	case r.IsStreamingServer():
		line, _ := reader.ReadBytes('\n')
		got.json, _ = bytes.CutPrefix(bytes.TrimSuffix(line, []byte("}\n")), []byte(`{"result":`))
		readMessage(t, got)
	default:
		got.json, _ = io.ReadAll(reader)
		readMessage(t, got)
	}
	return got
}

func readMessage(t testing.TB, got *answer) {
	t.Helper()
	if err := protojson.Unmarshal(got.json, got.message); err != nil {
		t.Fatalf("%v: %s", err, got.json)
	}
}

// readStatus parses the body of an error.
func readStatus(t testing.TB, body io.Reader) *status.Status {
	t.Helper()
	data, _ := io.ReadAll(body)
	var s rpcstatus.Status
	if err := protojson.Unmarshal(data, &s); err != nil {
		t.Fatalf("not a google.rpc.Status: %v: %s", err, data)
	}
	return status.FromProto(&s)
}

// do sends a request. The caller must close the body of the response.
func (s *server) do(t testing.TB, verb, target string, headers map[string]string, body []byte) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), verb, s.http+target, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if verb == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

var pathVariable = regexp.MustCompile(`\{(\w+)\}`)

// restForm returns the REST form of a request according to its google.api.http annotation.
func restForm(t testing.TB, r rpc, in proto.Message) (verb, target string, body []byte) {
	t.Helper()
	rule := proto.GetExtension(r.Options(), annotations.E_Http).(*annotations.HttpRule)
	verb, template := http.MethodGet, rule.GetGet()
	if template == "" {
		verb, template = http.MethodPost, rule.GetPost()
	}
	rest := proto.Clone(in).ProtoReflect()
	target = pathVariable.ReplaceAllStringFunc(template, func(variable string) string {
		field := rest.Descriptor().Fields().ByName(protoreflect.Name(strings.Trim(variable, "{}")))
		value := rest.Get(field).String()
		rest.Clear(field)
		return url.PathEscape(value)
	})
	if rule.GetBody() == "*" {
		body, err := protojson.Marshal(rest.Interface())
		if err != nil {
			t.Fatal(err)
		}
		return verb, target, body
	}
	if query := queryOf(t, rest); query != "" {
		target += "?" + query
	}
	return verb, target, nil
}

// queryOf returns the fields of a message as query parameters: their JSON without quotes.
func queryOf(t testing.TB, m protoreflect.Message) string {
	t.Helper()
	query := url.Values{}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		single := m.New()
		single.Set(field, value)
		text, err := protojson.Marshal(single.Interface())
		if err != nil {
			t.Fatal(err)
		}
		_, written, _ := strings.Cut(strings.Trim(string(text), "{}"), ":")
		query.Set(field.JSONName(), unquote(strings.TrimSpace(written)))
		return true
	})
	return query.Encode()
}

// unquote returns the content of a JSON string, and other JSON values unchanged.
func unquote(text string) string {
	var s string
	if err := jsonUnmarshal(text, &s); err != nil {
		return text
	}
	return s
}
