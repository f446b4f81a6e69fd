// Command protodeps writes the .proto files of other projects that our protos import into a folder,
// for buf to read: the HTTP annotations and the validation rules.
//
// It prints them from the descriptors that are linked into this program, so go.mod decides their
// versions. The output has no comments except a header with the licence. It omits the files of
// google/protobuf, because buf contains them.
package main

import (
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"github.com/jhump/protoreflect/v2/protoprint"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// roots are the files that our protos may import. Their own imports are added to them.
var roots = []protoreflect.FileDescriptor{
	annotations.File_google_api_annotations_proto,
	httpbody.File_google_api_httpbody_proto,
	validate.File_buf_validate_validate_proto,
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

// header precedes every file: all these projects have the same licence.
const header = "// Copyright %s. Licensed under the Apache License, Version 2.0.\n" +
	"// Printed from the descriptors of the version in go.mod by `make generate`. Do not edit.\n\n"

// run replaces a folder by a new one with the roots and all their imports.
func run(folder string) error {
	files := fstest.MapFS{}
	for _, root := range roots {
		if err := collect(root, files); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.CopyFS(folder, files)
}

// collect prints a file and all its imports into files. The key of files is the import path.
func collect(file protoreflect.FileDescriptor, files fstest.MapFS) error {
	if _, done := files[file.Path()]; done || strings.HasPrefix(file.Path(), "google/protobuf/") {
		return nil
	}
	text, err := (&protoprint.Printer{}).PrintProtoToString(file)
	if err != nil {
		return fmt.Errorf("print %s: %w", file.Path(), err)
	}
	owner := "Google LLC"
	if file.Package().Parent() == "buf" {
		owner = "Buf Technologies, Inc."
	}
	files[file.Path()] = &fstest.MapFile{Data: []byte(fmt.Sprintf(header, owner) + text)}
	for i := range file.Imports().Len() {
		if err := collect(file.Imports().Get(i).FileDescriptor, files); err != nil {
			return err
		}
	}
	return nil
}
