package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"
)

// read returns the descriptor set of our protos and their printed texts.
func read(t *testing.T) (set *descriptorpb.FileDescriptorSet, texts map[string]string) {
	t.Helper()
	content, err := os.ReadFile("../../../gen/descriptor.binpb")
	if err != nil {
		t.Fatal(err)
	}
	set = &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(content, set); err != nil {
		t.Fatal(err)
	}
	files, err := render(content)
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for path, text := range files {
		texts[path] = string(text.Data)
	}
	return set, texts
}

// Without any other file, the printed files compile to our messages and services.
func TestFilesCompileAlone(t *testing.T) {
	t.Parallel()
	set, texts := read(t)
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(texts),
	})}
	compiled, err := compiler.Compile(t.Context(), slices.Sorted(maps.Keys(texts))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range set.GetFile() {
		file := compiled.FindFileByPath(want.GetName())
		if !strings.HasPrefix(want.GetName(), "flipside/") {
			continue
		}
		if file == nil {
			t.Errorf("%s is missing", want.GetName())
			continue
		}
		got := protodesc.ToFileDescriptorProto(file)
		restoreDocument(got)
		for _, side := range []*descriptorpb.FileDescriptorProto{got, want} {
			side.Dependency, side.SourceCodeInfo = nil, nil
			clearOptions(side.ProtoReflect())
		}
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Errorf("%s differs from proto:\n%s", want.GetName(), diff)
		}
	}
}

// restoreDocument undoes the only intended difference: the own message for google.api.HttpBody.
func restoreDocument(file *descriptorpb.FileDescriptorProto) {
	const document = "RenderGameResponse"
	file.MessageType = slices.DeleteFunc(file.MessageType, func(message *descriptorpb.DescriptorProto) bool {
		return message.GetName() == document
	})
	for _, service := range file.GetService() {
		for _, method := range service.GetMethod() {
			if strings.HasSuffix(method.GetOutputType(), "."+document) {
				method.OutputType = new(".google.api.HttpBody")
			}
		}
	}
}

func clearOptions(message protoreflect.Message) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Name() == "options":
			message.Clear(field)
		case field.IsList() && field.Message() != nil:
			for i := range value.List().Len() {
				clearOptions(value.List().Get(i).Message())
			}
		}
		return true
	})
}

// Otherwise protoc would put all messages into one class, such as GameOuterClass.
func TestJavaHasAClassForEachMessage(t *testing.T) {
	t.Parallel()
	_, texts := read(t)
	for path, text := range texts {
		if !strings.Contains(text, "\noption java_multiple_files = true;\n") {
			t.Errorf("%s lacks java_multiple_files", path)
		}
	}
}

func TestOptionsBecomeComments(t *testing.T) {
	t.Parallel()
	_, texts := read(t)
	for path, lines := range map[string][]string{
		"flipside/game/v1/game_service.proto": {
			"// REST: GET /v1/games/{game_id}\n",
			"// REST: POST /v1/games/{game_id}/moves, with the request as the body.\n",
			"// Validation: exactly one of move and notation.\n",
			"// Validation: required, string.max_len = 64, string.pattern = ",
			"// Validation: duration.lte = 50s, duration.gte = 0s.\n",
			"// RenderGameResponse is a document.",
		},
		"flipside/game/v1/player_service.proto": {
			"// Validation: a name has no control characters and no format characters, string.max_len = 64.\n",
		},
		"flipside/rules/v1/setup.proto": {
			"// Validation: repeated.max_items = 16, repeated.items.enum.defined_only, repeated.items.enum.not_in = [0].\n",
			"// Validation: required.\n  oneof game {\n",
		},
	} {
		for _, line := range lines {
			if !strings.Contains(texts[path], line) {
				t.Errorf("%s lacks %q", path, line)
			}
		}
	}
	for path, text := range texts {
		for _, foreign := range []string{"buf/validate", "buf.validate", "buf:lint", "google/api", "(google.api"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s contains %q", path, foreign)
			}
		}
	}
}
