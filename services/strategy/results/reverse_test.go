//go:build !race

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

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
