package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

func TestReverseIsTheMirrorImage(t *testing.T) {
	reversed := strings.NewReplacer("default", "reverse", "fallen-ace", "reverse+fallen-ace")
	value := regexp.MustCompile(` \d+`)
	mirror := func(text string) string {
		n, err := strconv.Atoi(text[1:])
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(" %d", 11-n)
	}
	for _, rules := range ruleSets() {
		mirrored := deal{reversed.Replace(rules), 3}.setup()
		mirrored.ThreeTrios.Deck = value.ReplaceAllStringFunc(mirrored.ThreeTrios.Deck, mirror)
		want, err := solve(t.Context(), deal{rules, 3}.setup())
		if err != nil {
			t.Fatal(err)
		}
		got, err := solve(t.Context(), mirrored)
		if err != nil || got.Best().Score != want.Best().Score || got.Nodes != want.Nodes {
			t.Errorf("%s: %+v, %v, want %+v", rules, got, err, want)
		}
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
