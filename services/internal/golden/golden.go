// Package golden compares what a test produced with a file kept in the repository. It does not say
// what is right: whoever rewrites the files with -update reads the difference before committing it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update is the one flag of the project that rewrites golden files: go test ./the/package -update.
var update = flag.Bool("update", false, "rewrite the golden files")

// Check fails the test unless got equals testdata/name of the package under test. With -update it
// writes the file instead. The name may have folders, with forward slashes.
func Check(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden file %s (-update writes it): %v", name, err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, diff)
	}
}

func write(t testing.TB, path string, got []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Fatal(err)
	}
}
