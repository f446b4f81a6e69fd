package serve

import (
	"context"

	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// EndStreams returns an interceptor that cancels the contexts of all streams once stopping is done.
// A stream that fails after that ends with err. It is for services whose streams have no end
// message of their own.
func EndStreams(stopping context.Context, err *fault.Error) grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		ctx, cancel := context.WithCancel(stream.Context())
		defer cancel()
		defer context.AfterFunc(stopping, cancel)()
		failure := next(srv, &streamWithContext{stream, ctx})
		if failure != nil && stopping.Err() != nil && stream.Context().Err() == nil {
			return err
		}
		return failure
	}
}

// streamWithContext is a stream with a context of its own.
type streamWithContext struct {
	grpc.ServerStream
	ctx context.Context
}

func (s *streamWithContext) Context() context.Context { return s.ctx }
