// Command openapi writes the OpenAPI document of the REST API.
//
// It reads a descriptor set with source information. Messages become plain objects, so that every
// generator of clients understands them; comments become descriptions, validation rules become
// limits, and the errors in the comments of RPCs become responses. The file overlay.json adds the
// headers, the pages without RPC and the examples.
package main

import (
	"os"

	"github.com/flipside-games/flipside/proto/internal/descriptors"
)

func main() {
	descriptors.Main("openapi", "FILE", func(content []byte, file string) error {
		document, err := render(content)
		if err != nil {
			return err
		}
		return os.WriteFile(file, document, 0o644)
	})
}
