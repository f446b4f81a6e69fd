package gateway

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// route is the REST form of one RPC, taken from its descriptor and its google.api.http annotation.
type route struct {
	verb     string // GET or POST
	template string // as in the annotation: /v1/games/{game_id}:watch
	method   protoreflect.MethodDescriptor
	in, out  protoreflect.MessageType
	backend  *backend
	// query are the names of the query parameters: the fields outside the path. A route with a body
	// has none.
	query []string
	// after is the request field with the resume point of a stream, such as after_version. point is
	// the field of its messages with the next resume point, such as version. Both are nil if the
	// stream cannot be resumed.
	after, point protoreflect.FieldDescriptor
}

// routeKey identifies a route by its HTTP method and its pattern in the mux.
type routeKey struct{ verb, pattern string }

func (rt *route) isStream() bool { return rt.method.IsStreamingServer() }
func (rt *route) hasBody() bool  { return rt.verb == http.MethodPost }

// fullMethod returns the name of the RPC in the format of gRPC.
func (rt *route) fullMethod() string {
	return fmt.Sprintf("/%s/%s", rt.method.Parent().FullName(), rt.method.Name())
}

// newMessage returns an empty message of the stream.
func (rt *route) newMessage() proto.Message { return rt.out.New().Interface() }

// variable matches a variable of a path template.
var variable = regexp.MustCompile(`\{(\w+)\}`)

// key returns the key of the route. The mux writes a variable of a pattern with what it matches.
func (rt *route) key() routeKey {
	return routeKey{rt.verb, variable.ReplaceAllString(rt.template, "{$1=*}")}
}

// addRoutes adds the routes of every service in a file.
func (g *Gateway) addRoutes(file protoreflect.FileDescriptor, b *backend) error {
	for i := range file.Services().Len() {
		methods := file.Services().Get(i).Methods()
		for j := range methods.Len() {
			rt, err := newRoute(methods.Get(j), b)
			if err != nil {
				return fmt.Errorf("%s: %w", methods.Get(j).FullName(), err)
			}
			g.routes[rt.key()] = rt
		}
	}
	return nil
}

func newRoute(method protoreflect.MethodDescriptor, b *backend) (*route, error) {
	rt := &route{method: method, backend: b}
	rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	switch {
	case rule.GetGet() != "" && rule.GetBody() == "":
		rt.verb, rt.template = http.MethodGet, rule.GetGet()
	case rule.GetPost() != "" && rule.GetBody() == "*":
		rt.verb, rt.template = http.MethodPost, rule.GetPost()
	default:
		return nil, fmt.Errorf("unsupported HTTP rule %v: "+
			"use get without body or post with body \"*\"", rule)
	}
	var err error
	types := protoregistry.GlobalTypes
	if rt.in, err = types.FindMessageByName(method.Input().FullName()); err != nil {
		return nil, err
	}
	if rt.out, err = types.FindMessageByName(method.Output().FullName()); err != nil {
		return nil, err
	}
	fields := method.Input().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if name, ok := strings.CutPrefix(string(field.Name()), "after_"); ok && rt.isStream() {
			rt.after, rt.point = field, method.Output().Fields().ByName(protoreflect.Name(name))
		}
		if !rt.hasBody() && !strings.Contains(rt.template, "{"+string(field.Name())+"}") {
			rt.query = append(rt.query, field.JSONName())
		}
	}
	return rt, nil
}
