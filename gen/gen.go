// Package gen holds the output of `make generate`: Go code in go, the OpenAPI document in openapi,
// protos that compile without other files in proto, all protos as a descriptor set, and the protos
// of other projects in thirdparty. Only this file, which embeds the documents, is written by hand.
package gen

import "embed"

// OpenAPI is the OpenAPI 3.1 document of the whole REST API, as JSON.
//
//go:embed openapi/openapi.json
var OpenAPI []byte

// Protos holds the protos of all services below the folder proto. They import only files of
// google/protobuf.
//
//go:embed proto
var Protos embed.FS

// Descriptors is the encoded google.protobuf.FileDescriptorSet of all protos and their imports, with
// comments and all options.
//
//go:embed descriptor.binpb
var Descriptors []byte
