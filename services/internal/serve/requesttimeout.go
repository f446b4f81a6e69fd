package serve

import (
	"context"
	"time"

	"google.golang.org/grpc/tap"
)

// requestTimeout limits the time between the headers of a call and its request.
const requestTimeout = 30 * time.Second

// requestTimer is the context key of the timer that cancels a call without a request.
type requestTimer struct{}

// startRequestTimer cancels a call unless stopRequestTimer is called in time. It is a
// tap.ServerInHandle, the only hook that grpc-go calls before it reads the request.
func startRequestTimer(ctx context.Context, _ *tap.Info) (context.Context, error) {
	ctx, cancel := context.WithCancel(ctx)
	return context.WithValue(ctx, requestTimer{}, time.AfterFunc(requestTimeout, cancel)), nil
}

// stopRequestTimer stops the timer once the request has arrived.
func stopRequestTimer(ctx context.Context) {
	if timer, ok := ctx.Value(requestTimer{}).(*time.Timer); ok {
		timer.Stop()
	}
}
