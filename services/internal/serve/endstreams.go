package serve

import (
	"context"

	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// EndStreams returns an interceptor that ends the contexts of streams when stopping ends, so that a server need not wait
// for them to say all they have to. It is for services whose streams have no word for that: one that does not make an
// end of it by itself ends with away.
func EndStreams(stopping context.Context, away *fault.Error) grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		ctx, cancel := context.WithCancel(stream.Context())
		defer cancel()
		defer context.AfterFunc(stopping, cancel)()
		err := next(srv, &endedStream{stream, ctx})
		if err != nil && stopping.Err() != nil && stream.Context().Err() == nil {
			return away
		}
		return err
	}
}

// endedStream is a stream with a context of its own.
type endedStream struct {
	grpc.ServerStream
	ctx context.Context
}

func (s *endedStream) Context() context.Context { return s.ctx }
