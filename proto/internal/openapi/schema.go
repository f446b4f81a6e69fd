package main

import (
	"slices"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// direction is the direction of a message: it decides which fields are required and which limits
// hold.
type direction bool

const (
	request  direction = false
	response direction = true
)

// mark records all messages within a message by their direction.
func (g *generator) mark(message protoreflect.MessageDescriptor, d direction) {
	marked := g.requests
	if d == response {
		marked = g.responses
	}
	if marked[message.FullName()] || wellKnown(message) != nil {
		return
	}
	marked[message.FullName()] = true
	for i := range message.Fields().Len() {
		field := message.Fields().Get(i)
		if inner := field.Message(); inner != nil && !ignored(field, d) {
			g.mark(inner, d)
		}
	}
}

// ignored reports whether a message in a direction has no use for a field.
func ignored(field protoreflect.FieldDescriptor, d direction) bool {
	oneof := ""
	if field.ContainingOneof() != nil {
		oneof = comment(field.ContainingOneof())
	}
	prefix := "Output only."
	if d == response {
		prefix = "Input only."
	}
	return strings.HasPrefix(comment(field), prefix) || strings.HasPrefix(oneof, prefix)
}

// wellKnown returns the schema of a message with a JSON form of its own, or nil.
func wellKnown(message protoreflect.MessageDescriptor) object {
	switch message.FullName() {
	case "google.protobuf.Timestamp":
		return object{"type": "string", "format": "date-time"}
	case "google.protobuf.Duration":
		return object{"type": "string", "pattern": `^-?[0-9]+(\.[0-9]{1,9})?s$`}
	case "google.protobuf.Struct":
		return object{"type": "object", "additionalProperties": true}
	}
	return nil
}

// typeName returns the name of the schema of a message or an enum. A message that the server
// receives and sends has two schemas, unless it is empty.
func (g *generator) typeName(d protoreflect.Descriptor, dir direction) string {
	name := strings.TrimPrefix(string(d.FullName()), string(d.ParentFile().Package())+".")
	name = strings.ReplaceAll(name, ".", "")
	message, ok := d.(protoreflect.MessageDescriptor)
	if ok && dir == request && g.responses[d.FullName()] && message.Fields().Len() > 0 {
		name += "Input"
	}
	return name
}

// typeReference returns a reference to a message or an enum, and adds its schema.
func (g *generator) typeReference(d protoreflect.Descriptor, dir direction) object {
	name := g.typeName(d, dir)
	if _, ok := g.schemas()[name]; !ok {
		g.schemas()[name] = object{} // It ends the recursion.
		switch d := d.(type) {
		case protoreflect.EnumDescriptor:
			g.schemas()[name] = enumSchema(d)
		case protoreflect.MessageDescriptor:
			g.schemas()[name] = g.messageSchema(d, dir)
		}
	}
	return reference("schemas", name)
}

func enumSchema(enum protoreflect.EnumDescriptor) object {
	text := comment(enum) + "\n"
	var names []any
	for i := range enum.Values().Len() {
		value := enum.Values().Get(i)
		names = append(names, string(value.Name()))
		text += "\n- `" + string(value.Name()) + "`: " + strings.ReplaceAll(comment(value), "\n", " ")
	}
	return object{"type": "string", "enum": names, "description": text}
}

// messageSchema returns the schema of a message without the fields in the path of a request.
func (g *generator) messageSchema(
	message protoreflect.MessageDescriptor, dir direction, inPath ...string,
) object {
	schema := object{"type": "object", "description": comment(message)}
	properties, required := object{}, []any{}
	for i := range message.Fields().Len() {
		field := message.Fields().Get(i)
		if slices.Contains(inPath, string(field.Name())) || dir == response && ignored(field, dir) {
			continue
		}
		properties[field.JSONName()] = g.property(field, dir)
		if isRequired(field, dir) {
			required = append(required, field.JSONName())
		}
	}
	if len(properties) > 0 {
		schema["properties"] = properties
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	if dir == request || message.Fields().Len() == 0 {
		schema["additionalProperties"] = false
	}
	if dir == request {
		restrictVariants(schema, message)
	}
	return schema
}

// isRequired reports whether a field is always there. In a response, a comment names the cases in
// which it is not.
func isRequired(field protoreflect.FieldDescriptor, dir direction) bool {
	text := comment(field)
	switch {
	case field.ContainingOneof() != nil: // Also of an optional field.
		return false
	case dir == request:
		return strings.HasPrefix(text, "Required.") && !strings.Contains(text, "Required unless")
	case field.Message() == nil || field.IsList():
		return true
	}
	for _, exception := range []string{"Not set", "Set only", "Default"} {
		if strings.Contains(text, exception) {
			return false
		}
	}
	return true
}

// property returns the schema of a field. Limits hold for requests only: they may grow.
func (g *generator) property(field protoreflect.FieldDescriptor, dir direction) object {
	rules, _ := proto.GetExtension(field.Options(), validate.E_Field).(*validate.FieldRules)
	readOnly := dir == request && ignored(field, dir)
	if readOnly {
		dir = response
	}
	var schema object
	if field.IsList() {
		item := g.value(field, rules.GetRepeated().GetItems(), dir)
		schema = object{"type": "array", "items": item}
		if items := rules.GetRepeated().GetMaxItems(); dir == request && items > 0 {
			schema["maxItems"] = items
		}
	} else {
		schema = g.value(field, rules, dir)
	}
	schema["description"] = comment(field)
	if readOnly {
		schema["readOnly"] = true
	}
	return schema
}

// value returns the schema of a field, or of an element of a list.
func (g *generator) value(
	field protoreflect.FieldDescriptor, rules *validate.FieldRules, dir direction,
) object {
	var schema object
	switch {
	case field.Message() != nil:
		if schema = wellKnown(field.Message()); schema == nil {
			schema = g.typeReference(field.Message(), dir)
		}
	case field.Enum() != nil:
		schema = g.typeReference(field.Enum(), dir)
	default:
		schema = scalarSchema(field.Kind())
	}
	if dir == request {
		limit(schema, field, rules)
	}
	return schema
}

func scalarSchema(kind protoreflect.Kind) object {
	switch kind {
	case protoreflect.BoolKind:
		return object{"type": "boolean"}
	case protoreflect.Int32Kind:
		return object{"type": "integer", "format": "int32"}
	case protoreflect.Int64Kind:
		return object{"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"}
	case protoreflect.DoubleKind:
		return object{"type": "number", "format": "double"}
	case protoreflect.BytesKind:
		return object{"type": "string", "format": "byte"}
	default:
		return object{"type": "string"}
	}
}

// restrictVariants states that a message has at most one field of each oneof. Generators of clients
// ignore `not` and the numbers of properties, and see a plain object.
func restrictVariants(schema object, message protoreflect.MessageDescriptor) {
	var forbidden []any
	for i := range message.Oneofs().Len() {
		oneof := message.Oneofs().Get(i)
		if oneof.IsSynthetic() || ignored(oneof.Fields().Get(0), request) {
			continue
		}
		rules, _ := proto.GetExtension(oneof.Options(), validate.E_Oneof).(*validate.OneofRules)
		names := jsonNames(oneof.Fields())
		if len(names) == message.Fields().Len() {
			schema["maxProperties"] = 1
			if rules.GetRequired() {
				schema["minProperties"] = 1
			}
		} else {
			forbidden = append(forbidden, excluded(names, rules.GetRequired())...)
		}
	}
	rules, _ := proto.GetExtension(message.Options(), validate.E_Message).(*validate.MessageRules)
	for _, rule := range rules.GetOneof() {
		var names []string
		for _, name := range rule.GetFields() {
			names = append(names, lowerCamel(name))
		}
		forbidden = append(forbidden, excluded(names, rule.GetRequired())...)
	}
	if len(forbidden) == 1 {
		schema["not"] = forbidden[0]
	} else if len(forbidden) > 1 {
		schema["not"] = object{"anyOf": forbidden}
	}
}

func jsonNames(fields protoreflect.FieldDescriptors) []string {
	var names []string
	for i := range fields.Len() {
		names = append(names, fields.Get(i).JSONName())
	}
	return names
}

// excluded returns schemas of the objects that do not have at most one of some properties, or
// exactly one.
func excluded(names []string, exactlyOne bool) []any {
	var forbidden, each []any
	for i, name := range names {
		each = append(each, has(name))
		for _, other := range names[i+1:] {
			forbidden = append(forbidden, has(name, other))
		}
	}
	if exactlyOne {
		forbidden = append(forbidden, object{"not": object{"anyOf": each}})
	}
	return forbidden
}

// has returns a schema of objects with some properties.
func has(names ...string) object {
	properties, required := object{}, []any{}
	for _, name := range names {
		properties[name] = object{} // Some generators accept no boolean as a schema.
		required = append(required, name)
	}
	return object{"properties": properties, "required": required}
}
