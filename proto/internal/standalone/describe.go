package main

import (
	"fmt"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
)

// describe returns validation rules as text, such as `string.max_len = 64`.
func describe(rules protoreflect.Message, prefix string) []string {
	var lines []string
	fields := rules.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if !rules.Has(field) || field.Name() == "ignore" {
			continue
		}
		name, value := prefix+string(field.Name()), rules.Get(field)
		switch {
		case field.IsList():
			lines = append(lines, describeList(name, value.List())...)
		case field.Kind() == protoreflect.BoolKind:
			lines = append(lines, name)
		case field.Message() == nil:
			lines = append(lines, fmt.Sprintf("%s = %v", name, value))
		default:
			if duration, ok := value.Message().Interface().(*durationpb.Duration); ok {
				lines = append(lines, fmt.Sprintf("%s = %gs", name, duration.AsDuration().Seconds()))
			} else {
				lines = append(lines, describe(value.Message(), name+".")...)
			}
		}
	}
	return lines
}

// describeList returns the text of a rule with several values. Rules in CEL contain a message.
func describeList(name string, values protoreflect.List) []string {
	var lines, scalars []string
	for i := range values.Len() {
		message, ok := values.Get(i).Interface().(protoreflect.Message)
		if !ok {
			scalars = append(scalars, values.Get(i).String())
		} else if rule, ok := message.Interface().(*validate.Rule); ok {
			lines = append(lines, rule.GetMessage())
		}
	}
	if scalars != nil {
		lines = append(lines, fmt.Sprintf("%s = [%s]", name, strings.Join(scalars, ", ")))
	}
	return lines
}
