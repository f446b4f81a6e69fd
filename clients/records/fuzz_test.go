package records

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Every file is read to its end or rejected with a place. A game that is read can be written as JSON
// and read again.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/games.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(file), content)
	}
	f.Add("a.wtb", []byte(database(databaseGame(56, 64))))
	f.Add("a.jou", []byte(nameFile(wthorPlayer, "Ann A.")))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		if IsNames(name) {
			checkPlace(t, (&Names{}).Add(name, content))
			return
		}
		all, err := readAll(name, string(content), &Names{Players: []string{"Ann"}})
		checkPlace(t, err)
		for _, r := range all {
			text, err := Write(r, JSON)
			if err != nil {
				t.Fatal(err)
			}
			again, err := readAll("again.json", text, nil)
			if err != nil || len(again) != 1 {
				t.Fatalf("%s: %v", text, err)
			}
		}
	})
}

func checkPlace(t *testing.T, err error) {
	t.Helper()
	if failed, ok := errors.AsType[*Error](err); err != nil && (!ok || failed.Place == "") {
		t.Fatalf("an error without a place: %v", err)
	}
}
