// Package gen holds what `make generate` makes of the files in proto: Go code under go, one OpenAPI document under
// openapi. This file, the only one written by hand, lets a program carry the document.
package gen

import _ "embed"

// OpenAPI is the OpenAPI 3.1 document of the whole REST API, as JSON.
//
//go:embed openapi/openapi.json
var OpenAPI []byte
