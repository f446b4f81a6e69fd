package serve

import (
	"errors"
	"fmt"
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

// MaxRequestBytes limits the size of a request. Every valid request is smaller.
const MaxRequestBytes = 1 << 20

// TooLarge returns the error for a request of more than [MaxRequestBytes].
func TooLarge() *fault.Error {
	return fault.New(fault.BodyTooLarge, "the request is too large: at most %d bytes are allowed",
		MaxRequestBytes).With("limit", MaxRequestBytes)
}

// validateRequest checks a request against the rules beside the fields in the protobuf files. It
// returns a fault that names the first invalid field.
func validateRequest(validator protovalidate.Validator, m proto.Message) error {
	err := validator.Validate(m)
	invalid, ok := errors.AsType[*protovalidate.ValidationError](err)
	if ok && len(invalid.Violations) > 0 {
		return violationFault(m.ProtoReflect(), invalid.Violations[0])
	}
	return err
}

// validateTexts rejects texts with a NUL character and texts that are not UTF-8, which not every
// store can store.
func validateTexts(m protoreflect.Message) (err error) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.IsMap() || field.Kind() != protoreflect.StringKind && field.Message() == nil {
			return true
		}
		if !field.IsList() {
			err = fault.At(validateText(field, value), field.JSONName())
			return err == nil
		}
		for i, list := 0, value.List(); i < list.Len() && err == nil; i++ {
			if err = validateText(field, list.Get(i)); err != nil {
				err = fault.At(err, fmt.Sprintf("%s[%d]", field.JSONName(), i))
			}
		}
		return err == nil
	})
	return err
}

// validateText calls validateTexts for a message, and checks a string.
func validateText(field protoreflect.FieldDescriptor, value protoreflect.Value) error {
	if field.Message() != nil {
		return validateTexts(value.Message())
	}
	switch text := value.String(); {
	case strings.IndexByte(text, 0) >= 0:
		return fault.Invalid("a text must not contain the NUL character")
	case !utf8.ValidString(text):
		return fault.Invalid("a text must be valid UTF-8")
	}
	return nil
}

// violationFault returns the fault for a violation. Its text uses JSON names.
func violationFault(m protoreflect.Message, v *protovalidate.Violation) error {
	if v.Proto.GetRuleId() == "message.oneof" {
		return oneofFault(m)
	}
	path := v.Proto.GetField().GetElements()
	last := len(path) - 1
	parent, at := resolve(m.Descriptor(), path[:last])
	name := protoreflect.Name(path[last].GetFieldName())
	if oneof := parent.Oneofs().ByName(name); oneof != nil {
		return fault.Invalid("set one of: %s", strings.Join(FieldNames(oneof.Fields()), ", ")).At(at)
	}
	_, at = resolve(m.Descriptor(), path)
	return fieldFault(v, parent.Fields().ByName(name)).At(at)
}

// oneofFault returns the fault for a request that sets none or several of the fields that a
// (buf.validate.message).oneof option of its message lists.
func oneofFault(m protoreflect.Message) error {
	rules := proto.GetExtension(m.Descriptor().Options(), validate.E_Message).(*validate.MessageRules)
	var set, all []string
	for _, name := range rules.GetOneof()[0].GetFields() {
		field := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		all = append(all, field.JSONName())
		if m.Has(field) {
			set = append(set, field.JSONName())
		}
	}
	if len(set) == 0 {
		return fault.Invalid("set one of: %s", strings.Join(all, ", ")).At(all[0])
	}
	return fault.Invalid("set only one of: %s", strings.Join(set, ", ")).At(set[len(set)-1])
}

// fieldFault returns the fault for the value of one field.
func fieldFault(v *protovalidate.Violation, field protoreflect.FieldDescriptor) *fault.Error {
	switch id := v.Proto.GetRuleId(); id {
	case "required":
		return fault.Invalid("a value is required")
	case "string.max_len":
		return fault.Invalid("at most %d characters are allowed, not %d", v.RuleValue.Uint(),
			utf8.RuneCountInString(v.FieldValue.String())).With("max", v.RuleValue.Uint())
	case "string.pattern":
		return fault.Invalid("%.40q has a character that is not allowed: it must match %s",
			v.FieldValue.String(), v.RuleValue.String()).With("pattern", v.RuleValue.String())
	case "repeated.max_items":
		return fault.Invalid("at most %d items are allowed, not %d", v.RuleValue.Uint(),
			v.FieldValue.List().Len()).With("max", v.RuleValue.Uint())
	case "enum.defined_only", "enum.not_in":
		number, allowed := v.FieldValue.Enum(), ValueNames(field.Enum())
		if value := field.Enum().Values().ByNumber(number); value != nil {
			return fault.Invalid("invalid value %s: use %s", value.Name(), allowed).
				With("value", value.Name())
		}
		return fault.Invalid("unknown value %d: use %s", number, allowed).With("value", number)
	default:
		message := v.Proto.GetMessage()
		if kind, _, _ := strings.Cut(id, "."); slices.Contains(quantities, kind) {
			value := formatQuantity(v.FieldValue)
			return fault.Invalid("%s, not %s", message, value).With("value", value)
		}
		return fault.Invalid("%s", message)
	}
}

// quantities are the rule kinds whose messages state the allowed range but not the value.
var quantities = []string{"int32", "int64", "double", "duration"}

// formatQuantity formats a number or a duration.
func formatQuantity(value protoreflect.Value) string {
	m, ok := value.Interface().(protoreflect.Message)
	if !ok {
		return value.String()
	}
	if text := strings.Trim(protojson.Format(m.Interface()), `"`); text != "" {
		return text
	}
	// JSON has no durations of more than 10,000 years and none with mixed signs.
	fields := m.Descriptor().Fields()
	return fmt.Sprintf("%vs %vns", m.Get(fields.ByName("seconds")), m.Get(fields.ByName("nanos")))
}

// FieldNames returns the JSON names of fields.
func FieldNames(fields protoreflect.FieldDescriptors) []string {
	names := make([]string, fields.Len())
	for i := range names {
		names[i] = fields.Get(i).JSONName()
	}
	return names
}

// ValueNames lists the names of the values of an enum but the first, which is unspecified.
func ValueNames(enum protoreflect.EnumDescriptor) string {
	var names []string
	for i := 1; i < enum.Values().Len(); i++ {
		names = append(names, string(enum.Values().Get(i).Name()))
	}
	return strings.Join(names, ", ")
}

// resolve follows the path of a field. It returns the message type of the field, nil for a field
// without one, and the path in JSON, such as setup.threeTrios.rules[0].
func resolve(
	m protoreflect.MessageDescriptor, path []*validate.FieldPathElement,
) (protoreflect.MessageDescriptor, string) {
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
