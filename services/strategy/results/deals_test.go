package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A deal is the same on every machine and in every version: solved deals stay in the file.
func TestDealsDoNotChange(t *testing.T) {
	got := deal{"default", 7}.setup().ThreeTrios.Deck
	if want := "c0 3 3 2 2\nc1 "; !strings.HasPrefix(got, want) {
		t.Errorf("deal 7 is %q", got)
	}
}

func TestTheTableCountsSolvedDealsAndContinuesAnUnfinishedFile(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	var solved strings.Builder
	for number := range 4 {
		for _, rules := range ruleSets() {
			if number == 3 && rules == "default" {
				continue // the last one is missing
			}
			fmt.Fprintln(&solved, rules, number, 2*(number%2))
		}
	}
	if err := os.WriteFile(log, []byte(solved.String()+"default 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := writeDeals(t.Context(), &page, log, 4); err != nil {
		t.Fatal(err)
	}
	const row = "| default, same, plus | 50.0 % ± 35.0 | 50.0 % ± 35.0 | 0.0 % ± 30.1 | +1.00 |\n"
	if !strings.Contains(page.String(), row) {
		t.Errorf("the page lacks %q:\n%s", row, page.String())
	}
	written, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(written), solved.String()) ||
		!strings.Contains(string(written), "\ndefault 3 ") {
		t.Errorf("the file does not continue: %v\n%s", err, written)
	}
}
