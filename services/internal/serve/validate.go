package serve

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Checker checks that requests are well formed, by the rules beside the fields in the protobuf files.
type Checker struct{ validator protovalidate.Validator }

// NewChecker returns a checker, which may be used from many goroutines.
func NewChecker() (*Checker, error) {
	validator, err := protovalidate.New(protovalidate.WithFailFast())
	if err != nil {
		return nil, err
	}
	return &Checker{validator}, nil
}

// Check returns a fault that names the first field that is not well formed, or nil.
func (c *Checker) Check(m proto.Message) error {
	if proto.Size(m) > largestRequest {
		return fault.New(fault.BodyTooLarge, "the request is larger than %d bytes", largestRequest).With("limit", largestRequest)
	}
	err := c.validator.Validate(m)
	if err == nil {
		return nil
	}
	if invalid, ok := errors.AsType[*protovalidate.ValidationError](err); ok && len(invalid.Violations) > 0 {
		return explain(m.ProtoReflect(), invalid.Violations[0])
	}
	return err
}

// explain turns a violation into the fault that names the field and says what is wrong, in words for people who write JSON.
func explain(m protoreflect.Message, v *protovalidate.Violation) error {
	if v.Proto.GetRuleId() == "message.oneof" {
		return oneOf(m)
	}
	path := v.Proto.GetField().GetElements()
	last := len(path) - 1
	outer, at := follow(m.Descriptor(), path[:last])
	if choice := outer.Oneofs().ByName(protoreflect.Name(path[last].GetFieldName())); choice != nil {
		return fault.New(fault.InvalidField, "one of these is needed: %s", jsonNames(choice.Fields())).At(at)
	}
	_, at = follow(m.Descriptor(), path)
	return wrong(v, outer.Fields().ByName(protoreflect.Name(path[last].GetFieldName()))).At(at)
}

// oneOf says that a request must have one of some fields, as an option of its message has it.
func oneOf(m protoreflect.Message) error {
	rules := proto.GetExtension(m.Descriptor().Options(), validate.E_Message).(*validate.MessageRules)
	var given, all []string
	for _, name := range rules.GetOneof()[0].GetFields() {
		field := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		all = append(all, field.JSONName())
		if m.Has(field) {
			given = append(given, field.JSONName())
		}
	}
	if len(given) == 0 {
		return fault.New(fault.InvalidField, "one of these is needed: %s", strings.Join(all, ", ")).At(all[0])
	}
	return fault.New(fault.InvalidField, "only one of these is possible: %s", strings.Join(given, ", ")).At(given[len(given)-1])
}

// wrong says what is wrong with the value of a field.
func wrong(v *protovalidate.Violation, field protoreflect.FieldDescriptor) *fault.Error {
	switch id := v.Proto.GetRuleId(); id {
	case "required":
		return fault.New(fault.InvalidField, "a value is required")
	case "string.max_len":
		return fault.New(fault.InvalidField, "at most %d characters are possible, not %d", v.RuleValue.Uint(),
			utf8.RuneCountInString(v.FieldValue.String())).With("max", v.RuleValue.Uint())
	case "repeated.max_items":
		return fault.New(fault.InvalidField, "at most %d are possible, not %d", v.RuleValue.Uint(), v.FieldValue.List().Len()).
			With("max", v.RuleValue.Uint())
	case "enum.defined_only", "enum.not_in":
		number := v.FieldValue.Enum()
		if value := field.Enum().Values().ByNumber(number); value != nil {
			return fault.New(fault.InvalidField, "a value other than %s is required", value.Name()).With("value", value.Name())
		}
		return fault.New(fault.InvalidField, "there is no %s %d", field.Enum().Name(), number).With("value", number)
	default:
		message := v.Proto.GetMessage()
		if kind, _, _ := strings.Cut(id, "."); slices.Contains(measured, kind) {
			value := shown(v.FieldValue)
			return fault.New(fault.InvalidField, "%s, not %s", message, value).With("value", value)
		}
		return fault.New(fault.InvalidField, "%s", message)
	}
}

// measured are the kinds of values whose rules say what is wrong, but not with which value.
var measured = []string{"int32", "int64", "double", "duration"}

// shown writes a number or a duration.
func shown(value protoreflect.Value) string {
	if m, ok := value.Interface().(protoreflect.Message); ok {
		return strings.Trim(protojson.Format(m.Interface()), `"`)
	}
	return value.String()
}

func jsonNames(fields protoreflect.FieldDescriptors) string {
	names := make([]string, fields.Len())
	for i := range names {
		names[i] = fields.Get(i).JSONName()
	}
	return strings.Join(names, ", ")
}

// follow goes along the path of a field. It returns the message it comes to, nil where that is no message, and the path
// as it stands in JSON: setup.threeTrios.rules[0].
func follow(m protoreflect.MessageDescriptor, path []*validate.FieldPathElement) (protoreflect.MessageDescriptor, string) {
	var names []string
	for _, e := range path {
		field := m.Fields().ByName(protoreflect.Name(e.GetFieldName()))
		name := field.JSONName()
		if i, ok := e.GetSubscript().(*validate.FieldPathElement_Index); ok {
			name += "[" + strconv.FormatUint(i.Index, 10) + "]"
		}
		names, m = append(names, name), field.Message()
	}
	return m, strings.Join(names, ".")
}
