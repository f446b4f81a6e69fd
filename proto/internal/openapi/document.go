package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// object is a JSON object.
type object = map[string]any

//go:embed overlay.json
var overlay []byte

// generator builds one document.
type generator struct {
	doc object
	// responses are the messages and enums that the server sends, requests those that it receives.
	requests, responses map[protoreflect.FullName]bool
	reasons             map[string]reason
}

// render returns the document of all services in an encoded descriptor set.
func render(descriptors []byte) ([]byte, error) {
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(descriptors, &set); err != nil {
		return nil, fmt.Errorf("read the descriptor set: %w", err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, err
	}
	g := generator{
		doc:       object{"openapi": "3.1.0"},
		requests:  map[protoreflect.FullName]bool{},
		responses: map[protoreflect.FullName]bool{},
	}
	var services []protoreflect.ServiceDescriptor
	for _, file := range set.GetFile() { // In a fixed order.
		if descriptor, err := files.FindFileByPath(file.GetName()); err == nil {
			for i := range descriptor.Services().Len() {
				services = append(services, descriptor.Services().Get(i))
			}
		}
	}
	if err := g.addReasons(files); err != nil {
		return nil, err
	}
	for _, service := range services {
		if err := g.addService(service); err != nil {
			return nil, fmt.Errorf("%s: %w", service.FullName(), err)
		}
	}
	var added object
	if err := json.Unmarshal(overlay, &added); err != nil {
		return nil, fmt.Errorf("overlay.json: %w", err)
	}
	merge(g.doc, added)
	text, err := json.MarshalIndent(g.doc, "", " ")
	return append(text, '\n'), err
}

// addReasons reads the reasons of errors and adds their schema.
func (g *generator) addReasons(files *protoregistry.Files) error {
	const name = "flipside.rules.v1.ErrorReason"
	descriptor, err := files.FindDescriptorByName(name)
	if err != nil {
		return err
	}
	values := descriptor.(protoreflect.EnumDescriptor).Values()
	g.reasons = map[string]reason{}
	var names []any
	for i := 1; i < values.Len(); i++ { // The first value is never sent.
		reason, err := newReason(values.Get(i))
		if err != nil {
			return err
		}
		g.reasons[reason.name] = reason
		names = append(names, reason.name)
	}
	g.schemas()["ErrorReason"] = object{
		"type": "string", "enum": names,
		"description": "The cause of a failed call. Later versions can have more.",
	}
	return nil
}

func (g *generator) schemas() object { return within(g.doc, "components", "schemas") }

func reference(kind, name string) object {
	return object{"$ref": "#/components/" + kind + "/" + name}
}

// within returns the object at a path. It creates missing objects.
func within(o object, path ...string) object {
	for _, name := range path {
		inner, ok := o[name].(object)
		if !ok {
			inner = object{}
			o[name] = inner
		}
		o = inner
	}
	return o
}

// merge adds one object to another: it merges objects, appends lists and replaces all other values.
func merge(to, from object) {
	for name, value := range from {
		switch value := value.(type) {
		case object:
			merge(within(to, name), value)
		case []any:
			list, _ := to[name].([]any)
			// An empty list also counts: it means no security.
			to[name] = append(append([]any{}, list...), value...)
		default:
			to[name] = value
		}
	}
}

var (
	// lintComment matches a comment line for the proto linter.
	lintComment = regexp.MustCompile(`(?m)\n?^ ?buf:lint:.*$`)
	// protoName matches a field name of the protos that differs from its JSON name.
	protoName = regexp.MustCompile("`[a-z]+(_[a-z]+)+`")
)

// comment returns the comment of an element, with JSON names.
func comment(d protoreflect.Descriptor) string {
	text := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	text = strings.ReplaceAll(lintComment.ReplaceAllString(text, ""), "\n ", "\n")
	return strings.TrimSpace(protoName.ReplaceAllStringFunc(text, lowerCamel))
}

// lowerCamel converts a field name of the protos to its JSON name.
func lowerCamel(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
