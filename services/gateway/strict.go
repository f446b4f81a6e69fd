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
	"time"
	"unicode/utf8"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/internal/fault"
)

const (
	// maxBody is how many bytes a body may have: 1 MiB.
	maxBody = 1 << 20
	// maxNesting is how deep the objects of a body may be nested; strategies, which nest deepest, stop long before.
	maxNesting = 100
	// bodyTimeout is how long a body may take to arrive.
	bodyTimeout = 30 * time.Second
)

// strictly is how bodies are read.
var strictly = protojson.UnmarshalOptions{RecursionLimit: maxNesting}

// read reads a request: query, body, path, and the headers that stand for fields. It refuses whatever it would have to
// ignore.
func (rt *route) read(w http.ResponseWriter, r *http.Request, path map[string]string) (proto.Message, error) {
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

// readQuery reads query parameters, which are the fields of the request that are not in its path. A request with a
// body has none.
func (rt *route) readQuery(query string, in protoreflect.Message) error {
	if query == "" {
		return nil
	}
	parameters, err := url.ParseQuery(query)
	if err != nil {
		return fault.New(fault.InvalidField, "the query is not well formed").At("query")
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		field := in.Descriptor().Fields().ByJSONName(name)
		if field == nil || rt.hasBody() || strings.Contains(rt.template, "{"+string(field.Name())+"}") {
			return unknown("there is no such query parameter", name)
		}
		if err := readParameter(parameters[name], field, in); err != nil {
			return err
		}
	}
	return nil
}

func readParameter(values []string, field protoreflect.FieldDescriptor, in protoreflect.Message) error {
	if len(values) > 1 && !field.IsList() {
		return fault.New(fault.InvalidField, "the parameter is there more than once").At(field.JSONName())
	}
	for _, value := range values {
		err := runtime.PopulateFieldFromPath(in.Interface(), string(field.Name()), value)
		if err != nil || !utf8.ValidString(value) {
			return notA(field).At(field.JSONName())
		}
	}
	return nil
}

// readBody reads a JSON body. An empty one is an empty object.
func readBody(w http.ResponseWriter, r *http.Request, in proto.Message) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	tooLarge := fault.New(fault.BodyTooLarge, "the body is larger than %d bytes", maxBody).With("limit", maxBody)
	if r.ContentLength > maxBody {
		return tooLarge
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTimeout)) // Where the server offers it.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge
	}
	if err != nil {
		return fault.New(fault.InvalidField, "the body did not arrive whole").At("body")
	}
	_ = control.SetReadDeadline(time.Time{})
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	if err := strictly.Unmarshal(body, in); err != nil {
		return whatIsWrong(body, in.ProtoReflect().Type())
	}
	return nil
}

// checkMediaType refuses a body that is said to be something else than plain JSON.
func checkMediaType(h http.Header) error {
	said := h.Get(contentTypeHeader)
	if encoding := h.Get(encodingHeader); encoding != "" && encoding != "identity" {
		said = encoding
	} else if said == "" || said == jsonType {
		return nil
	} else if media, parameters, err := mime.ParseMediaType(said); err == nil && media == jsonType {
		if charset := parameters["charset"]; charset == "" || strings.EqualFold(charset, "utf-8") {
			return nil
		}
	}
	return fault.New(fault.UnsupportedMediaType, "the body must be %s, not %s", jsonType, short(said)).
		With("contentType", short(said))
}

// readPath reads the variables of the path. A body that names one of them must agree.
func readPath(path map[string]string, in protoreflect.Message) error {
	for name, value := range path {
		field := in.Descriptor().Fields().ByName(protoreflect.Name(name))
		if in.Has(field) && in.Get(field).String() != value {
			return fault.New(fault.InvalidField, "the path says otherwise").At(field.JSONName())
		}
		if err := runtime.PopulateFieldFromPath(in.Interface(), name, value); err != nil {
			return notA(field).At(field.JSONName())
		}
	}
	return nil
}

// readRequestID reads the header that does what the field request_id does, for requests that have one. Quotes round it,
// which some clients send, mean nothing.
func readRequestID(header string, in protoreflect.Message) error {
	key := strings.Trim(header, `"`)
	field := in.Descriptor().Fields().ByName("request_id")
	if key == "" || field == nil {
		return nil
	}
	if own := in.Get(field).String(); own != "" && own != key {
		return fault.New(fault.InvalidField, "the header %s says otherwise", idempotencyHeader).At(field.JSONName())
	}
	in.Set(field, protoreflect.ValueOfString(key))
	return nil
}

// readResumePoint reads the header in which a reader of server-sent events names the last one it has seen. It stands
// above the query, which a reader who reconnects repeats unchanged.
func (rt *route) readResumePoint(last string, in protoreflect.Message) error {
	if last == "" || rt.after == nil {
		return nil
	}
	if err := runtime.PopulateFieldFromPath(in.Interface(), string(rt.after.Name()), last); err != nil {
		return notA(rt.after).At(lastEventHeader)
	}
	return nil
}
