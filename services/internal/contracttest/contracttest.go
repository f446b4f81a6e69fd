// Package contracttest compares the contract of an interface with the subtests of its contract
// test.
package contracttest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// Compare fails the test unless tested lists every requirement of the interfaces in a Go file, word
// for word, and nothing else. A requirement is a sentence with the word "must" in a doc comment of
// a method, without its full stop.
func Compare(t *testing.T, file string, tested []string) {
	t.Helper()
	required := requirements(t, file)
	for _, sentence := range required {
		if !slices.Contains(tested, sentence) {
			t.Errorf("required, not tested: %s", sentence)
		}
	}
	for _, sentence := range tested {
		if !slices.Contains(required, sentence) {
			t.Errorf("tested, not required: %s", sentence)
		}
	}
}

func requirements(t *testing.T, file string) []string {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var required []string
	ast.Inspect(syntax, func(node ast.Node) bool {
		methods, ok := node.(*ast.InterfaceType)
		if !ok {
			return true
		}
		for _, method := range methods.Methods.List {
			required = append(required, requirementsIn(method.Doc.Text())...)
		}
		return false
	})
	if len(required) == 0 {
		t.Fatalf("%s has no interface with a requirement", file)
	}
	return required
}

func requirementsIn(comment string) []string {
	var required []string
	text := strings.TrimSuffix(strings.Join(strings.Fields(comment), " "), ".")
	for sentence := range strings.SplitSeq(text, ". ") {
		if slices.Contains(strings.Fields(sentence), "must") {
			required = append(required, sentence)
		}
	}
	return required
}
