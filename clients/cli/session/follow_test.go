package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// silentStream delivers one message and then nothing, as over a dead connection.
type silentStream struct {
	ctx  context.Context
	sent bool
}

func (s *silentStream) Recv() (*gamev1.WatchTurnsResponse, error) {
	if !s.sent {
		s.sent = true
		return &gamev1.WatchTurnsResponse{HeartbeatInterval: durationpb.New(10 * time.Second)}, nil
	}
	<-s.ctx.Done()
	return nil, s.ctx.Err()
}

func TestSilenceIsACut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
		defer cancel()
		opened := 0
		var notes bytes.Buffer
		f := &Follower[*gamev1.WatchTurnsResponse]{
			Note:  func(format string, args ...any) { fmt.Fprintf(&notes, format, args...) },
			Pause: settings.Pause,
			Open: func(ctx context.Context) (Stream[*gamev1.WatchTurnsResponse], error) {
				opened++
				return &silentStream{ctx: ctx}, nil
			},
			Handle: func(*gamev1.WatchTurnsResponse) error { return nil },
		}
		if err := f.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
		if opened != 4 { // at 0 s, and after each 30 s of silence
			t.Errorf("opened %d times in 100 s", opened)
		}
		if notes.Len() > 0 {
			t.Errorf("notes %q, though each attempt worked", &notes)
		}
	})
}
