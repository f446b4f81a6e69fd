package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// The field numbers of descriptor.proto. The path of an element consists of them and of indexes.
const (
	messagesOfFile    = 4
	servicesOfFile    = 6
	fieldsOfMessage   = 2
	messagesOfMessage = 3
	oneofsOfMessage   = 8
	methodsOfService  = 2
)

// end is the span of elements that the source does not have: after all others.
var end = []int32{math.MaxInt32, 0, 0}

// simplifier changes one file.
type simplifier struct {
	file      *descriptorpb.FileDescriptorProto
	locations map[string]*descriptorpb.SourceCodeInfo_Location // by path
}

// simplify moves the options of other projects into comments, replaces their messages and drops
// their imports. In Java, each message becomes a class of its own.
func simplify(file *descriptorpb.FileDescriptorProto) {
	s := simplifier{file, map[string]*descriptorpb.SourceCodeInfo_Location{}}
	for _, location := range file.GetSourceCodeInfo().GetLocation() {
		s.locations[fmt.Sprint(location.GetPath())] = location
	}
	for i, service := range file.GetService() {
		for j, method := range service.GetMethod() {
			s.method(method, []int32{servicesOfFile, int32(i), methodsOfService, int32(j)})
		}
	}
	for i, message := range file.GetMessageType() {
		s.message(message, []int32{messagesOfFile, int32(i)})
	}
	file.Options.JavaMultipleFiles = new(true)
	file.Dependency = slices.DeleteFunc(file.Dependency, func(path string) bool {
		return !strings.HasPrefix(path, "flipside/") && !strings.HasPrefix(path, "google/protobuf/")
	})
}

// at returns the location of an element.
func (s *simplifier) at(path []int32) *descriptorpb.SourceCodeInfo_Location {
	key := fmt.Sprint(path)
	if s.locations[key] == nil {
		s.locations[key] = &descriptorpb.SourceCodeInfo_Location{Path: path, Span: end}
		s.file.SourceCodeInfo.Location = append(s.file.SourceCodeInfo.Location, s.locations[key])
	}
	return s.locations[key]
}

// comment adds a line to the comment of an element.
func (s *simplifier) comment(path []int32, line string) {
	if line == "" {
		return
	}
	location := s.at(path)
	location.LeadingComments = new(location.GetLeadingComments() + " " + line + "\n")
}

// lintComment matches the comment lines for the proto linter and the blank line before them.
var lintComment = regexp.MustCompile(`(?m)(^ ?\n)?^ buf:lint:.*\n`)

func (s *simplifier) method(method *descriptorpb.MethodDescriptorProto, path []int32) {
	location := s.at(path)
	comments := lintComment.ReplaceAllString(location.GetLeadingComments(), "")
	location.LeadingComments = new(comments + "\n")
	rule, _ := proto.GetExtension(method.GetOptions(), annotations.E_Http).(*annotations.HttpRule)
	if rule.GetGet() != "" {
		s.comment(path, "REST: GET "+rule.GetGet())
	} else {
		s.comment(path, "REST: POST "+rule.GetPost()+", with the request as the body.")
	}
	if method.GetOutputType() == ".google.api.HttpBody" {
		method.OutputType = new(s.addDocument(method.GetName() + "Response"))
	}
	method.Options = nil
}

// addDocument adds a message of our own that is equal to google.api.HttpBody on the wire.
func (s *simplifier) addDocument(name string) string {
	field := func(
		name string, number int32, kind descriptorpb.FieldDescriptorProto_Type,
	) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{
			Name: &name, Number: &number, Type: &kind,
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}
	}
	path := []int32{messagesOfFile, int32(len(s.file.GetMessageType()))}
	s.comment(path, name+" is a document. The server calls it google.api.HttpBody; "+
		"both are equal on the wire.")
	s.comment(append(path, fieldsOfMessage, 0),
		"The content type of the document, such as `image/png`.")
	s.comment(append(path, fieldsOfMessage, 1), "The content of the document.")
	s.file.MessageType = append(s.file.MessageType, &descriptorpb.DescriptorProto{
		Name: &name,
		Field: []*descriptorpb.FieldDescriptorProto{
			field("content_type", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING),
			field("data", 2, descriptorpb.FieldDescriptorProto_TYPE_BYTES),
		},
	})
	return "." + s.file.GetPackage() + "." + name
}

func (s *simplifier) message(message *descriptorpb.DescriptorProto, path []int32) {
	rules, _ := proto.GetExtension(message.GetOptions(), validate.E_Message).(*validate.MessageRules)
	for _, oneof := range rules.GetOneof() {
		s.comment(path, "Validation: exactly one of "+strings.Join(oneof.GetFields(), " and ")+".")
	}
	message.Options = nil
	for i, field := range message.GetField() {
		rules, _ := proto.GetExtension(field.GetOptions(), validate.E_Field).(*validate.FieldRules)
		s.validation(slices.Concat(path, []int32{fieldsOfMessage, int32(i)}), rules)
		field.Options = nil
	}
	for i, oneof := range message.GetOneofDecl() {
		rules, _ := proto.GetExtension(oneof.GetOptions(), validate.E_Oneof).(*validate.OneofRules)
		s.validation(slices.Concat(path, []int32{oneofsOfMessage, int32(i)}), rules)
		oneof.Options = nil
	}
	for i, nested := range message.GetNestedType() {
		s.message(nested, slices.Concat(path, []int32{messagesOfMessage, int32(i)}))
	}
}

// validation adds the validation rules of an element to its comment.
func (s *simplifier) validation(path []int32, rules proto.Message) {
	if lines := describe(rules.ProtoReflect(), ""); len(lines) > 0 {
		s.comment(path, "Validation: "+strings.Join(lines, ", ")+".")
	}
}
