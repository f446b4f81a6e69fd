// Package contracttest reads what the comments of an interface promise, so that a conformance suite can show that it tests
// all of it. It is for tests only.
package contracttest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// Compare fails the test unless tested names every promise in the comments of the interfaces in a Go file, word for word,
// and nothing else. A promise is a sentence that says "must", without its full stop.
func Compare(t *testing.T, file string, tested []string) {
	t.Helper()
	promised := read(t, file)
	for _, sentence := range promised {
		if !slices.Contains(tested, sentence) {
			t.Errorf("promised, not tested: %s", sentence)
		}
	}
	for _, sentence := range tested {
		if !slices.Contains(promised, sentence) {
			t.Errorf("tested, not promised: %s", sentence)
		}
	}
}

func read(t *testing.T, file string) []string {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var promised []string
	ast.Inspect(syntax, func(node ast.Node) bool {
		methods, ok := node.(*ast.InterfaceType)
		if !ok {
			return true
		}
		for _, method := range methods.Methods.List {
			promised = append(promised, promisesIn(method.Doc.Text())...)
		}
		return false
	})
	if len(promised) == 0 {
		t.Fatalf("%s promises nothing", file)
	}
	return promised
}

func promisesIn(comment string) []string {
	var promised []string
	text := strings.TrimSuffix(strings.Join(strings.Fields(comment), " "), ".")
	for sentence := range strings.SplitSeq(text, ". ") {
		if slices.Contains(strings.Fields(sentence), "must") {
			promised = append(promised, sentence)
		}
	}
	return promised
}
