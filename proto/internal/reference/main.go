// Command reference writes docs/reference.md, the reference of the API, from a descriptor set with
// source information.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: reference DESCRIPTORS FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(descriptors, target string) error {
	content, err := os.ReadFile(descriptors)
	if err != nil {
		return err
	}
	page, err := render(content)
	if err != nil {
		return err
	}
	return os.WriteFile(target, page, 0o644)
}
