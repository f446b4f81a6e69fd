package faulttest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func TestProvidersAreAddedAndRemovedWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "providers")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	server := start(t, "--strategy-providers-file", file, "--robot-attempts", "1")
	ann := server.join(t)
	seats := []*gamev1.Seat{callerSeat(), robotSeat("added")}
	// await waits until the server accepts robots of the provider, or rejects them.
	await := func(accepted bool) {
		t.Helper()
		for end := time.Now().Add(waitTimeout); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			request := &gamev1.CreateGameRequest{Setup: hexagon(3), Seats: seats}
			err := ann.via.call(t.Context(), ann.key, "CreateGame", request, &gamev1.CreateGameResponse{})
			if (err == nil) == accepted {
				return
			}
		}
		t.Fatalf("after %v, it is not %v that robots of the provider are accepted", waitTimeout, accepted)
	}
	await(false)

	write("added=" + provider(firstMove).serve(t))
	await(true)
	g := ann.create(t, hexagon(3), seats...)
	g = ann.move(t, g.GetId())
	moved := ann.awaitEvent(t, g.GetId(), g.GetVersion())
	if m := moved.GetMovePlayed(); m == nil || m.GetAutomatic() {
		t.Errorf("the added provider did not choose the move %v", m)
	}

	write("# none")
	await(false)
	g = ann.move(t, g.GetId())
	substitute := ann.awaitEvent(t, g.GetId(), g.GetVersion()).GetMovePlayed().GetSubstitute()
	if substitute.GetProvider() != "added" || substitute.GetReason() != gamev1.SubstituteReason_SUBSTITUTE_REASON_UNAVAILABLE {
		t.Errorf("the provider is removed: the substitute is %v", substitute)
	}
}
