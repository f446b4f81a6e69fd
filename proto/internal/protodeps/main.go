// Command protodeps writes the .proto files that ours import but others own into a folder, for buf to read:
// the HTTP annotations, the validation rules, the OpenAPI options.
//
// They are printed from the descriptors linked into this very program, so their versions are those of go.mod and
// nothing is copied into the tree. Comments are lost on the way. The files under google/protobuf are left out:
// buf brings its own.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	openapiv3 "github.com/grpc-ecosystem/grpc-gateway/v2/protoc-gen-openapiv3/options"
	"github.com/jhump/protoreflect/v2/protoprint"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// roots are the files our own may import; what these import follows by itself.
var roots = []protoreflect.FileDescriptor{
	annotations.File_google_api_annotations_proto,
	annotations.File_google_api_field_behavior_proto,
	httpbody.File_google_api_httpbody_proto,
	validate.File_buf_validate_validate_proto,
	openapiv3.File_protoc_gen_openapiv3_options_annotations_proto,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: protodeps FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "protodeps:", err)
		os.Exit(1)
	}
}

// run replaces folder by one that holds the roots and all they import.
func run(folder string) error {
	files := map[string]string{}
	for _, root := range roots {
		if err := collect(root, files); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for path, text := range files {
		path = filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// collect prints file and everything it imports into files, by import path.
func collect(file protoreflect.FileDescriptor, files map[string]string) error {
	if _, done := files[file.Path()]; done || strings.HasPrefix(file.Path(), "google/protobuf/") {
		return nil
	}
	text, err := (&protoprint.Printer{}).PrintProtoToString(file)
	if err != nil {
		return fmt.Errorf("print %s: %w", file.Path(), err)
	}
	files[file.Path()] = text
	for i := range file.Imports().Len() {
		if err := collect(file.Imports().Get(i).FileDescriptor, files); err != nil {
			return err
		}
	}
	return nil
}
