// Command openapi writes the OpenAPI document of the REST API.
//
// It reads a descriptor set with source information. Messages become plain objects, so that every
// generator of clients understands them; comments become descriptions, validation rules become
// limits, and the errors in the comments of RPCs become responses. The file overlay.json adds the
// headers, the pages without RPC and the examples.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: openapi DESCRIPTORS FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func run(descriptors, target string) error {
	content, err := os.ReadFile(descriptors)
	if err != nil {
		return err
	}
	document, err := render(content)
	if err != nil {
		return err
	}
	return os.WriteFile(target, document, 0o644)
}
