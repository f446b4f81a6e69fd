// Command reference writes docs/reference.md, the reference of the API, from a descriptor set with
// source information.
package main

import (
	"os"

	"github.com/flipside-games/flipside/proto/internal/descriptors"
)

func main() {
	descriptors.Main("reference", "FILE", func(content []byte, file string) error {
		page, err := render(content)
		if err != nil {
			return err
		}
		return os.WriteFile(file, page, 0o644)
	})
}
