package grpcapi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestASearchEndsBeforeTheDeadlineOfItsCall(t *testing.T) {
	for name, test := range map[string]struct{ deadline, ends time.Duration }{
		"a quarter of a short time": {100 * time.Millisecond, 75 * time.Millisecond},
		"50 ms":                     {400 * time.Millisecond, 350 * time.Millisecond},
		"a tenth":                   {2 * time.Second, 1800 * time.Millisecond},
		"500 ms of a long time":     {time.Minute, 59500 * time.Millisecond},
		"the limit of the server":   {time.Hour, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				call, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				server := NewServer(nil, 10*time.Minute, Providers{})
				ctx, cancel := server.withMargin(call)
				defer cancel()
				<-ctx.Done()
				if got := time.Since(start); got != test.ends || call.Err() != nil {
					t.Errorf("it ends after %v, want %[3]v; the error of the call is %[2]v", got, call.Err(), test.ends)
				}
			})
		})
	}
}
