package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// bodyError returns the error for a body that protojson could not decode to a message. The texts of
// protojson are unstable and do not name the field.
func bodyError(body []byte, message protoreflect.MessageType) error {
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return syntaxFault(body, err)
	}
	v := &validator{in: json.NewDecoder(bytes.NewReader(body))}
	if err := v.message(message, ""); err != nil {
		return err
	}
	return fault.Invalid("invalid body: /docs describes the message").At("body")
}

func syntaxFault(body []byte, err error) error {
	before := body
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		before = body[:max(0, syntax.Offset-1)]
	}
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fault.Invalid("invalid JSON at line %d, column %d: send one object", line, column).
		With("line", line).With("column", column).At("body")
}

// validator finds the first part of a valid JSON text that does not fit a message, in one pass.
type validator struct {
	in *json.Decoder
	// depth is the number of objects around the next value.
	depth int
}

// message validates the next value, which must be an object.
func (v *validator) message(message protoreflect.MessageType, path string) *fault.Error {
	token, _ := v.in.Token()
	if token == nil && path != "" { // A null field counts as absent.
		return nil
	}
	if token != json.Delim('{') {
		return fault.Invalid("invalid value: it must be an object").At(cmp.Or(path, "body"))
	}
	if v.depth++; v.depth > maxNesting {
		return fault.Invalid("objects nest too deep: at most %d levels are allowed", maxNesting).
			With("limit", maxNesting).At("body")
	}
	defer func() { v.depth-- }()
	set := map[protoreflect.FullName]string{}
	for v.in.More() {
		name, _ := v.in.Token()
		if err := v.field(message, set, name.(string), path); err != nil {
			return err
		}
	}
	_, _ = v.in.Token() // The closing brace.
	return nil
}

// field validates the value of one field. set has the names of the fields and oneofs before it.
func (v *validator) field(
	message protoreflect.MessageType, set map[protoreflect.FullName]string, name, path string,
) *fault.Error {
	fields := message.Descriptor().Fields()
	if path != "" {
		path += "."
	}
	path += truncate(name)
	field := fields.ByJSONName(name)
	if field == nil {
		field = fields.ByTextName(name)
	}
	if field == nil {
		return unknownField("field", path, name, serve.FieldNames(fields))
	}
	choice := field.FullName()
	if oneof := field.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
		choice = oneof.FullName()
	}
	if other, ok := set[choice]; ok {
		return fault.Invalid("conflicts with %s: set only one of them", other).At(path)
	}
	set[choice] = name
	return v.value(message, field, path)
}

// value validates the value of a known field.
func (v *validator) value(
	message protoreflect.MessageType, field protoreflect.FieldDescriptor, path string,
) *fault.Error {
	kind := field.Message()
	if kind == nil || kind.ParentFile().Package() == "google.protobuf" || field.IsMap() {
		return v.scalar(message, field, path)
	}
	if !field.IsList() {
		return v.message(message.New().NewField(field).Message().Type(), path)
	}
	switch token, _ := v.in.Token(); token {
	case json.Delim('['):
	case nil:
		return nil
	default:
		return fault.Invalid("invalid value: it must be an array").At(path)
	}
	element := message.New().NewField(field).List().NewElement().Message().Type()
	for i := 0; v.in.More(); i++ {
		if err := v.message(element, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	_, _ = v.in.Token() // The closing bracket.
	return nil
}

// scalar validates a value without fields of this API.
func (v *validator) scalar(
	message protoreflect.MessageType, field protoreflect.FieldDescriptor, path string,
) *fault.Error {
	var value json.RawMessage
	if err := v.in.Decode(&value); err != nil {
		return invalidValue(field).At(path)
	}
	object := []byte(`{"` + field.JSONName() + `":` + string(value) + `}`)
	if err := protojson.Unmarshal(object, message.New().Interface()); err != nil {
		return invalidValue(field).At(path)
	}
	return nil
}

// unknownField returns the error for an unknown field or query parameter at a path. allowed are the
// known ones.
func unknownField(kind, path, name string, allowed []string) *fault.Error {
	path = truncate(path)
	err := fault.New(fault.UnknownField, "unknown %s: none is allowed here", kind)
	if len(allowed) > 0 {
		all := strings.Join(allowed, ", ")
		err = fault.New(fault.UnknownField, "unknown %s: use %s", kind, all)
		if near := nearest(name, allowed); near != "" {
			err = fault.New(fault.UnknownField, "unknown %s: did you mean %s? Allowed: %s", kind, near, all).
				With("nearest", near)
		}
	}
	return err.With("field", path).At(path)
}

// nearest returns the name that can be mistyped as a given one, or "".
func nearest(given string, names []string) string {
	if len(given) > maxName {
		return ""
	}
	given = normalize(given)
	best, bestDistance := "", 1+len(given)/3
	for _, name := range names {
		if d := distance(given, normalize(name)); d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = name, d
		}
	}
	return best
}

// maxName is a length in bytes that no mistyped name exceeds.
const maxName = 64

// normalize makes names of another spelling equal, such as game_id and gameId.
func normalize(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// distance returns the number of bytes to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances of a prefix of a to all prefixes of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// invalidValue returns the error for a value that its field cannot hold.
func invalidValue(field protoreflect.FieldDescriptor) *fault.Error {
	if enum := field.Enum(); enum != nil {
		return fault.Invalid("invalid value: use %s", serve.ValueNames(enum))
	}
	allowed := map[protoreflect.Kind]string{
		protoreflect.BoolKind:    "true or false",
		protoreflect.DoubleKind:  "a number",
		protoreflect.Int32Kind:   "a 32-bit integer",
		protoreflect.Int64Kind:   "a 64-bit integer",
		protoreflect.Uint64Kind:  "a 64-bit integer of at least 0",
		protoreflect.StringKind:  "a string in UTF-8",
		protoreflect.MessageKind: "a duration such as 1.5s",
	}[field.Kind()]
	return fault.Invalid("invalid value: use %s", cmp.Or(allowed, field.Kind().String()))
}
