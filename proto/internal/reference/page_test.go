package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

func rendered(t *testing.T) []byte {
	t.Helper()
	descriptors, err := os.ReadFile("../../../gen/descriptor.binpb")
	if err != nil {
		t.Fatal(err)
	}
	page, err := render(descriptors)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestThePageIsCurrent(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile("../../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, rendered(t)) {
		t.Error("docs/reference.md is out of date: run `make generate`")
	}
}

// A heading is unique, so that links lead to the right type.
func TestLinksLeadToOneHeading(t *testing.T) {
	t.Parallel()
	headings := map[string]int{}
	for _, found := range regexp.MustCompile(`(?m)^##+ (.*)$`).FindAllSubmatch(rendered(t), -1) {
		headings[strings.ToLower(strings.ReplaceAll(string(found[1]), ".", ""))]++
	}
	for _, found := range regexp.MustCompile(`\(#(\w+)\)`).FindAllSubmatch(rendered(t), -1) {
		if n := headings[string(found[1])]; n != 1 {
			t.Errorf("%d headings have the anchor %s", n, found[1])
		}
	}
}

func TestCallsHaveTheirPathsAndErrors(t *testing.T) {
	t.Parallel()
	page := string(rendered(t))
	for _, want := range []string{
		"### GameService.PlayMove\n\n`POST /v1/games/{game_id}/moves` · [PlayMoveRequest](#playmoverequest) → " +
			"[PlayMoveResponse](#playmoveresponse)\n\nPlay a move.\n",
		"→ stream of [WatchGameResponse](#watchgameresponse)",
		"\n- NOT_FOUND: GAME_NOT_FOUND.\n",
		"| `END_REASON_GAME_OVER` | The game ended. It gets no more moves; ListEvents has later offers of a rematch. |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
