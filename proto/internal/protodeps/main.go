// Command protodeps writes the .proto files of other projects that our protos import into a folder,
// for buf to read: the HTTP annotations, the validation rules and the OpenAPI options.
//
// It prints them from the descriptors that are linked into this program. So go.mod decides their
// versions and the repository needs no copies. The output has no comments. It omits the files of
// google/protobuf, because buf contains them.
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

// roots are the files that our protos may import. Their own imports are added to them.
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

// run replaces a folder by a new one with the roots and all their imports.
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

// collect prints a file and all its imports into files. The key of files is the import path.
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
