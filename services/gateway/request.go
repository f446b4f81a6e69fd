package gateway

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// maxNesting limits nested objects in a body. Strategies nest deepest, far below this limit.
const maxNesting = 100

// unmarshalOptions are the options for bodies.
var unmarshalOptions = protojson.UnmarshalOptions{RecursionLimit: maxNesting}

// publicMethods are the methods that need no key.
var publicMethods = map[string]bool{
	gamev1.PlayerService_CreatePlayer_FullMethodName:         true,
	gamev1.GameService_PreviewGame_FullMethodName:            true,
	strategyv1.StrategyService_ListStrategies_FullMethodName: true,
}

// readCall reads the request message of a call and counts the call as in flight. It reads no body
// without a key.
func (rt *route) readCall(
	w http.ResponseWriter, r *http.Request, path map[string]string,
) (proto.Message, error) {
	if serve.BearerKey(r.Header.Get(authHeader)) == "" && !publicMethods[rt.fullMethod()] {
		return nil, fault.New(fault.InvalidKey, "this call needs a key: authorization: Bearer <key>")
	}
	in, err := rt.read(w, r, path)
	if err != nil {
		return nil, err
	}
	return in, serve.StartCall(r.Context())
}

// read returns the request message of a call from the query, the body, the path and the headers
// that stand for fields. It rejects everything that it would have to ignore.
func (rt *route) read(
	w http.ResponseWriter, r *http.Request, path map[string]string,
) (proto.Message, error) {
	in := rt.in.New()
	if err := rt.readQuery(r.URL.RawQuery, in); err != nil {
		return nil, err
	}
	if rt.hasBody() {
		if err := readBody(w, r, in.Interface()); err != nil {
			return nil, err
		}
	}
	if err := readPath(path, in); err != nil {
		return nil, err
	}
	if err := readRequestID(r.Header.Get(idempotencyHeader), in); err != nil {
		return nil, err
	}
	return in.Interface(), rt.readResumePoint(r.Header.Get(lastEventHeader), in)
}

// readQuery reads the query parameters.
func (rt *route) readQuery(query string, in protoreflect.Message) error {
	if query == "" {
		return nil
	}
	parameters, err := url.ParseQuery(query)
	if err != nil {
		return fault.Invalid("malformed query: use name=value pairs joined by &").At("query")
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if !slices.Contains(rt.query, name) {
			return unknownField("query parameter", name, name, rt.query)
		}
		field := in.Descriptor().Fields().ByJSONName(name)
		if err := readParameter(parameters[name], field, in); err != nil {
			return err
		}
	}
	return nil
}

func readParameter(
	values []string, field protoreflect.FieldDescriptor, in protoreflect.Message,
) error {
	if len(values) > 1 && !field.IsList() {
		return fault.Invalid("duplicate query parameter: send it once").At(field.JSONName())
	}
	for _, value := range values {
		if err := setField(in, field, value, field.JSONName()); err != nil {
			return err
		}
	}
	return nil
}

// setField sets a field to a value in text form. name is the name of the field in an error.
func setField(
	in protoreflect.Message, field protoreflect.FieldDescriptor, value, name string,
) error {
	err := runtime.PopulateFieldFromPath(in.Interface(), string(field.Name()), value)
	if err != nil || !utf8.ValidString(value) {
		return invalidValue(field).At(name)
	}
	return nil
}

// readBody reads a JSON body. An empty body stands for an empty object.
func readBody(w http.ResponseWriter, r *http.Request, in proto.Message) error {
	if err := validateMediaType(r.Header); err != nil {
		return err
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if r.ContentLength > serve.MaxRequestBytes {
		return serve.TooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, serve.MaxRequestBytes))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return serve.TooLarge()
	}
	if err != nil && fault.ReasonOf(err) == "" {
		err = fault.Invalid("incomplete body: send all of it within %v", intake.RequestTimeout).At("body")
	}
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	if err := unmarshalOptions.Unmarshal(body, in); err != nil {
		return bodyError(body, in.ProtoReflect().Type())
	}
	return nil
}

// validateMediaType rejects a body that is not plain JSON by its headers.
func validateMediaType(h http.Header) error {
	format := h.Get(contentTypeHeader)
	if encoding := h.Get(encodingHeader); encoding != "" && encoding != "identity" {
		format = encoding
	} else if format == "" || format == jsonType {
		return nil
	} else if media, parameters, err := mime.ParseMediaType(format); err == nil && media == jsonType {
		if charset := parameters["charset"]; charset == "" || strings.EqualFold(charset, "utf-8") {
			return nil
		}
	}
	format = truncate(format)
	return fault.New(fault.UnsupportedMediaType,
		"unsupported body format %q: send %s in UTF-8 without compression", format, jsonType).
		With("contentType", format)
}

// readPath reads the variables of the path. It rejects a body with another value for one of them.
func readPath(path map[string]string, in protoreflect.Message) error {
	for name, value := range path {
		field := in.Descriptor().Fields().ByName(protoreflect.Name(name))
		if in.Has(field) && in.Get(field).String() != value {
			return fault.Invalid("path and body disagree: leave it out of the body").At(field.JSONName())
		}
		if err := setField(in, field, value, field.JSONName()); err != nil {
			return err
		}
	}
	return nil
}

// readRequestID reads the header Idempotency-Key, which stands for the field request_id. It accepts
// quotes around the value, since some clients send them.
func readRequestID(header string, in protoreflect.Message) error {
	key := strings.Trim(header, `"`)
	field := in.Descriptor().Fields().ByName("request_id")
	if key == "" || field == nil {
		return nil
	}
	if id := in.Get(field).String(); id != "" && id != key {
		return fault.Invalid("body and header %s disagree: send only one of them",
			idempotencyHeader).At(field.JSONName())
	}
	in.Set(field, protoreflect.ValueOfString(key))
	return nil
}

// readResumePoint reads the header Last-Event-ID. It overrides the query, which EventSource repeats
// unchanged when it reconnects.
func (rt *route) readResumePoint(last string, in protoreflect.Message) error {
	if last == "" || rt.after == nil {
		return nil
	}
	return setField(in, rt.after, last, lastEventHeader)
}
