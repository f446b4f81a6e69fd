package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// whatIsWrong says why a body is not a message of the given type. protojson says so too, but only in words of its own
// that it changes at will; this names the place for people and programs.
func whatIsWrong(body []byte, message protoreflect.MessageType) error {
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return notJSON(body, err)
	}
	f := &finder{in: json.NewDecoder(bytes.NewReader(body))}
	if wrong := f.message(message, ""); wrong != nil {
		return wrong
	}
	return fault.New(fault.InvalidField, "the body cannot be read").At("body")
}

func notJSON(body []byte, err error) error {
	wrong := fault.New(fault.InvalidField, "the body is not one JSON value").At("body")
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return wrong
	}
	before := body[:max(0, syntax.Offset-1)]
	line, column := bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')
	return fault.New(fault.InvalidField, "the body is not one JSON value: line %d, column %d", line, column).
		With("line", line).With("column", column).At("body")
}

// finder finds the first thing in a JSON text that does not fit a message, in one pass. The text is valid JSON.
type finder struct {
	in *json.Decoder
	// depth is in how many objects the next value is.
	depth int
}

// message looks through the next value, which is to be an object.
func (f *finder) message(message protoreflect.MessageType, path string) *fault.Error {
	token, _ := f.in.Token()
	if token == nil && path != "" { // A field that is null is a field that is not there.
		return nil
	}
	if token != json.Delim('{') {
		return fault.New(fault.InvalidField, "an object is needed").At(orBody(path))
	}
	if f.depth++; f.depth > maxNesting {
		return fault.New(fault.InvalidField, "objects are nested more than %d deep", maxNesting).
			With("limit", maxNesting).At("body")
	}
	defer func() { f.depth-- }()
	taken := map[protoreflect.FullName]string{}
	for f.in.More() {
		name, _ := f.in.Token()
		if wrong := f.field(message, taken, name.(string), path); wrong != nil {
			return wrong
		}
	}
	_, _ = f.in.Token() // The closing brace.
	return nil
}

// field looks through the value of one field. taken has the fields and choices that were made before.
func (f *finder) field(message protoreflect.MessageType, taken map[protoreflect.FullName]string, name, path string) *fault.Error {
	fields := message.Descriptor().Fields()
	at := join(path, short(name))
	field := fields.ByJSONName(name)
	if field == nil {
		field = fields.ByTextName(name)
	}
	if field == nil {
		return unknown("there is no such field", at)
	}
	choice := field.FullName()
	if oneof := field.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
		choice = oneof.FullName()
	}
	if before, ok := taken[choice]; ok {
		return fault.New(fault.InvalidField, "only one is possible, and %s is there already", before).At(at)
	}
	taken[choice] = name
	return f.value(message, field, at)
}

// value looks through the value of a field.
func (f *finder) value(message protoreflect.MessageType, field protoreflect.FieldDescriptor, at string) *fault.Error {
	if field.Message() == nil || field.Message().ParentFile().Package() == "google.protobuf" || field.IsMap() {
		return f.leaf(message, field, at)
	}
	if !field.IsList() {
		return f.message(message.New().NewField(field).Message().Type(), at)
	}
	switch token, _ := f.in.Token(); token {
	case json.Delim('['):
	case nil:
		return nil
	default:
		return fault.New(fault.InvalidField, "an array is needed").At(at)
	}
	element := message.New().NewField(field).List().NewElement().Message().Type()
	for i := 0; f.in.More(); i++ {
		if wrong := f.message(element, at+"["+strconv.Itoa(i)+"]"); wrong != nil {
			return wrong
		}
	}
	_, _ = f.in.Token() // The closing bracket.
	return nil
}

// leaf tries the value of a field that has no fields of ours.
func (f *finder) leaf(message protoreflect.MessageType, field protoreflect.FieldDescriptor, at string) *fault.Error {
	var value json.RawMessage
	if err := f.in.Decode(&value); err != nil {
		return fault.New(fault.InvalidField, "the value cannot be read").At(at)
	}
	alone := []byte(`{"` + field.JSONName() + `":` + string(value) + `}`)
	if err := protojson.Unmarshal(alone, message.New().Interface()); err != nil {
		return notA(field).At(at)
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func orBody(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// unknown is the fault of a name that means nothing.
func unknown(message, name string) *fault.Error {
	name = short(name)
	return fault.New(fault.UnknownField, "%s", message).With("field", name).At(name)
}

// notA is the fault of a value that its field cannot hold.
func notA(field protoreflect.FieldDescriptor) *fault.Error {
	what := field.Kind().String()
	switch {
	case field.Enum() != nil:
		what = string(field.Enum().Name())
	case field.Message() != nil:
		what = string(field.Message().Name())
	}
	return fault.New(fault.InvalidField, "the value is not one of the type %s", what)
}
