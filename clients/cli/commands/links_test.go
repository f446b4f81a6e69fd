package commands

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Each command with a game takes its id, or a link to it.
func TestGamesAreNamedByLinks(t *testing.T) {
	t.Parallel()
	const id = "01kb0x7e9t3m2s6d4v8w5y1z0q"
	for _, args := range []string{
		"game show LINK", "game join LINK", "game move LINK d3", "game legal LINK", "game offer LINK draw",
		"game decline LINK draw", "game resign LINK", "game claim LINK", "game abort LINK", "game fork LINK",
		"game robot LINK hard", "game board LINK", "game watch LINK", "export LINK", "analyze LINK",
		"strategy choose hard --game LINK",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			link := "http://127.0.0.1:8080/g/" + id
			got := f.run(strings.Fields(strings.Replace(args, "LINK", link, 1))...)
			named := 0
			for _, call := range f.calls {
				m := call.request.ProtoReflect()
				field := m.Descriptor().Fields().ByName(protoreflect.Name("game_id"))
				if field == nil {
					continue
				}
				if named++; m.Get(field).String() != id {
					t.Errorf("%s names the game %q", call.method, m.Get(field))
				}
			}
			if named == 0 {
				t.Errorf("no call names a game: %s", got.err)
			}
		})
	}
}

func TestHelpExplainsIDs(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"game show", "game move", "export", "analyze"} {
		f := newFake(t)
		got := f.run(append(strings.Fields(args), "--help")...)
		if !strings.Contains(got.out, "ID is the id of a game, or a link to it.") {
			t.Errorf("the help of %s does not explain IDs:\n%s", args, got.out)
		}
	}
}
