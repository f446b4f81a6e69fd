package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

const intro = `# API reference

` + "`make generate`" + ` writes this page from the comments in [proto](../proto/flipside). A running server shows the
REST API at ` + "`/docs`" + `.

Over gRPC a call is ` + "`PACKAGE.SERVICE/CALL`" + `. Over REST the names of fields are in lowerCamelCase: ` + "`game_id`" + `
becomes ` + "`gameId`" + `. Numbers of 64 bits and enum values are JSON strings, times are RFC 3339, durations are
seconds such as ` + "`\"1.5s\"`" + `. The fields in a path are not in the body; a GET has its fields in the query. The reasons
of errors are on [their own page](errors.md).

`

// page is the reference of all services, messages and enums of Flipside in a descriptor set.
type page struct {
	bytes.Buffer
	services []protoreflect.ServiceDescriptor
	messages []protoreflect.MessageDescriptor
	enums    []protoreflect.EnumDescriptor
}

// render returns the page for an encoded descriptor set.
func render(descriptors []byte) ([]byte, error) {
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(descriptors, &set); err != nil {
		return nil, fmt.Errorf("read the descriptor set: %w", err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, err
	}
	p := &page{}
	p.collect(files)
	p.WriteString(intro)
	for _, service := range p.services {
		p.addService(service)
	}
	p.WriteString("## Messages\n\n")
	for _, message := range p.messages {
		p.addMessage(message)
	}
	p.WriteString("## Values\n\n")
	for _, enum := range p.enums {
		p.addEnum(enum)
	}
	return append(bytes.TrimSpace(p.Bytes()), '\n'), nil
}

// collect finds the descriptors of Flipside: services in a fixed order, all others by name.
func (p *page) collect(files *protoregistry.Files) {
	for file := range files.RangeFiles {
		if !strings.HasPrefix(string(file.Package()), "flipside.") {
			continue
		}
		for i := range file.Services().Len() {
			p.services = append(p.services, file.Services().Get(i))
		}
		p.collectTypes(file)
	}
	slices.SortFunc(p.services, byName)
	slices.SortFunc(p.messages, byName)
	slices.SortFunc(p.enums, byName)
}

// container is a file or a message.
type container interface {
	Messages() protoreflect.MessageDescriptors
	Enums() protoreflect.EnumDescriptors
}

func (p *page) collectTypes(in container) {
	for i := range in.Enums().Len() {
		if enum := in.Enums().Get(i); enum.Name() != "ErrorReason" { // It has its own page.
			p.enums = append(p.enums, enum)
		}
	}
	for i := range in.Messages().Len() {
		if message := in.Messages().Get(i); !message.IsMapEntry() {
			p.messages = append(p.messages, message)
			p.collectTypes(message)
		}
	}
}

func byName[D protoreflect.Descriptor](a, b D) int { return strings.Compare(title(a), title(b)) }

// title returns the name of a type without its package, such as Seat.Caller.
func title(d protoreflect.Descriptor) string {
	return strings.TrimPrefix(string(d.FullName()), string(d.ParentFile().Package())+".")
}

func (p *page) addService(service protoreflect.ServiceDescriptor) {
	fmt.Fprintf(p, "## %s\n\nPackage `%s`.\n\n%s\n\n",
		service.Name(), service.ParentFile().Package(), comment(service))
	for i := range service.Methods().Len() {
		method := service.Methods().Get(i)
		response := link(method.Output())
		if method.IsStreamingServer() {
			response = "stream of " + response
		}
		fmt.Fprintf(p, "### %s\n\n`%s` · %s → %s\n\n%s\n\n",
			title(method), httpRule(method), link(method.Input()), response, comment(method))
	}
}

// httpRule returns the method and the path of a call over REST.
func httpRule(method protoreflect.MethodDescriptor) string {
	rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	if path := rule.GetGet(); path != "" {
		return "GET " + path
	}
	return "POST " + rule.GetPost()
}

func (p *page) addMessage(message protoreflect.MessageDescriptor) {
	fmt.Fprintf(p, "### %s\n\n%s\n\n", title(message), comment(message))
	fields := message.Fields()
	if fields.Len() == 0 {
		return
	}
	p.WriteString("| field | type | meaning |\n| --- | --- | --- |\n")
	for i := range fields.Len() {
		field := fields.Get(i)
		text := cell(comment(field))
		if in := field.ContainingOneof(); in != nil && !in.IsSynthetic() {
			text += fmt.Sprintf(" At most one field of `%s` is set.", in.Name())
		}
		fmt.Fprintf(p, "| `%s` | %s | %s |\n", field.Name(), fieldType(field), text)
	}
	p.WriteString("\n")
}

func fieldType(field protoreflect.FieldDescriptor) string {
	switch {
	case field.IsMap():
		return "map of " + typeName(field.MapKey()) + " to " + typeName(field.MapValue())
	case field.IsList():
		return "list of " + typeName(field)
	default:
		return typeName(field)
	}
}

func typeName(field protoreflect.FieldDescriptor) string {
	switch {
	case field.Message() != nil:
		return link(field.Message())
	case field.Enum() != nil:
		return link(field.Enum())
	default:
		return field.Kind().String()
	}
}

// link returns the name of a type, with a link if the page has it.
func link(d protoreflect.Descriptor) string {
	if !strings.HasPrefix(string(d.FullName()), "flipside.") {
		return "`" + string(d.FullName()) + "`"
	}
	anchor := strings.ToLower(strings.ReplaceAll(title(d), ".", ""))
	return fmt.Sprintf("[%s](#%s)", title(d), anchor)
}

func (p *page) addEnum(enum protoreflect.EnumDescriptor) {
	fmt.Fprintf(p, "### %s\n\n%s\n\n| value | meaning |\n| --- | --- |\n", title(enum), comment(enum))
	values := enum.Values()
	for i := range values.Len() {
		fmt.Fprintf(p, "| `%s` | %s |\n", values.Get(i).Name(), cell(comment(values.Get(i))))
	}
	p.WriteString("\n")
}

// lintComment matches instructions for buf.
var lintComment = regexp.MustCompile(`(?m)^ *buf:lint:.*\n`)

// comment returns the comment of a descriptor as Markdown.
func comment(d protoreflect.Descriptor) string {
	text := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	text = strings.ReplaceAll("\n"+lintComment.ReplaceAllString(text, ""), "\n ", "\n")
	return strings.ReplaceAll(strings.TrimSpace(text), ":\n- ", ":\n\n- ")
}

// cell returns text for a cell of a table. The items of a list become sentences.
func cell(text string) string {
	text = strings.ReplaceAll(text, "\n- ", " ")
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
