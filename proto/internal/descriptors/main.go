// Package descriptors starts the programs that generate files from a descriptor set.
package descriptors

import (
	"fmt"
	"os"
)

// Main runs generate with the two arguments of a program: the descriptor set in the file of the
// first one, still encoded, and the target. An error ends the program.
func Main(name, target string, generate func(descriptors []byte, target string) error) {
	if len(os.Args) != 3 {
		fmt.Fprintf(os.Stderr, "usage: %s DESCRIPTORS %s\n", name, target)
		os.Exit(2)
	}
	content, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = generate(content, os.Args[2])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
