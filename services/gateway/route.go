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

// route is one RPC as REST offers it, read off its descriptor and its google.api.http annotation.
type route struct {
	verb     string // GET or POST
	template string // as in the annotation: /v1/games/{game_id}:watch
	method   protoreflect.MethodDescriptor
	in, out  protoreflect.MessageType
	backend  *backend
	// after is the field of the request that says where to resume a stream, and point the field of its messages
	// that it is taken from: after_version and version. Both are nil where a stream cannot be resumed.
	after, point protoreflect.FieldDescriptor
}

// routeKey finds a route by the HTTP method and the pattern that the mux has matched.
type routeKey struct{ verb, pattern string }

func (rt *route) streams() bool { return rt.method.IsStreamingServer() }
func (rt *route) hasBody() bool { return rt.verb == http.MethodPost }

// fullMethod is the name of the RPC as gRPC writes it.
func (rt *route) fullMethod() string {
	return fmt.Sprintf("/%s/%s", rt.method.Parent().FullName(), rt.method.Name())
}

// variable is a variable of a path template.
var variable = regexp.MustCompile(`\{(\w+)\}`)

// key is where the mux puts the route: it writes the variables of a pattern with what they match.
func (rt *route) key() routeKey {
	return routeKey{rt.verb, variable.ReplaceAllString(rt.template, "{$1=*}")}
}

// routesOf returns the routes of every service in a file.
func routesOf(file protoreflect.FileDescriptor, b *backend) ([]*route, error) {
	var routes []*route
	for i := range file.Services().Len() {
		methods := file.Services().Get(i).Methods()
		for j := range methods.Len() {
			rt, err := routeOf(methods.Get(j), b)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", methods.Get(j).FullName(), err)
			}
			routes = append(routes, rt)
		}
	}
	return routes, nil
}

func routeOf(method protoreflect.MethodDescriptor, b *backend) (*route, error) {
	rt := &route{method: method, backend: b}
	rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	switch {
	case rule.GetGet() != "" && rule.GetBody() == "":
		rt.verb, rt.template = http.MethodGet, rule.GetGet()
	case rule.GetPost() != "" && rule.GetBody() == "*":
		rt.verb, rt.template = http.MethodPost, rule.GetPost()
	default:
		return nil, fmt.Errorf("only GET without a body and POST with all of it are served, not %v", rule)
	}
	var err error
	if rt.in, err = protoregistry.GlobalTypes.FindMessageByName(method.Input().FullName()); err != nil {
		return nil, err
	}
	if rt.out, err = protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName()); err != nil {
		return nil, err
	}
	rt.after, rt.point = resumeFields(method)
	return rt, nil
}

// resumeFields returns the fields after_x of a stream's request and x of its messages, or nil.
func resumeFields(method protoreflect.MethodDescriptor) (after, point protoreflect.FieldDescriptor) {
	if !method.IsStreamingServer() {
		return nil, nil
	}
	fields := method.Input().Fields()
	for i := range fields.Len() {
		if name, ok := strings.CutPrefix(string(fields.Get(i).Name()), "after_"); ok {
			return fields.Get(i), method.Output().Fields().ByName(protoreflect.Name(name))
		}
	}
	return nil, nil
}
