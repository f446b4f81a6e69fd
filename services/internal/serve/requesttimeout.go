package serve

import (
	"context"
	"time"

	"google.golang.org/grpc/tap"
)

// requestTime is how long a request may take to arrive after the headers of its call.
const requestTime = 30 * time.Second

// overdue is the key of the timer that ends a call whose request does not arrive.
type overdue struct{}

// expectRequest cancels a call unless arrived is called in time. It is a tap.ServerInHandle, since nothing else that surrounds
// a call comes before its request was read; who calls is seen only after that.
func expectRequest(ctx context.Context, _ *tap.Info) (context.Context, error) {
	ctx, cancel := context.WithCancel(ctx)
	return context.WithValue(ctx, overdue{}, time.AfterFunc(requestTime, cancel)), nil
}

// arrived says that the request of a call has arrived.
func arrived(ctx context.Context) {
	if timer, ok := ctx.Value(overdue{}).(*time.Timer); ok {
		timer.Stop()
	}
}
