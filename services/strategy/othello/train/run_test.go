//go:build !race

package train

import (
	"bytes"
	"log/slog"
	"os"
	"testing"
)

func TestRunDependsOnTheSeedAlone(t *testing.T) {
	plan := []Generation{{Games: chunk, Depth: 0, Exact: 6}, {Games: chunk, Depth: 1, Exact: 6}}
	train := func(folder string, threads int) []byte {
		s := Settings{Folder: folder, Seed: 3, Threads: threads, Window: 2, Log: slog.New(slog.DiscardHandler)}
		var weights bytes.Buffer
		if err := Run(t.Context(), plan, s, &weights); err != nil {
			t.Fatal(err)
		}
		return weights.Bytes()
	}
	folder := t.TempDir()
	want := train(folder, 1)
	if got := train(t.TempDir(), 1); !bytes.Equal(got, want) {
		t.Error("a second run made other weights")
	}
	// A run cut off in the middle of a chunk, and of the file of weights, goes on from the whole chunks.
	s := Settings{Folder: folder}
	if err := os.Truncate(s.path(1, "games"), 10*recordBytes+7); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.path(1, "weights")); err != nil {
		t.Fatal(err)
	}
	if got := train(folder, 1); !bytes.Equal(got, want) {
		t.Error("a run that was cut off made other weights")
	}
}
