package serve

import (
	"context"

	"google.golang.org/grpc"
)

// untilEndStreams runs a stream without an end message of its own. It cancels the context of the
// stream after [Server.EndStreams]; then the stream ends with the error Stopping.
func (in *interceptors) untilEndStreams(
	service any, stream *receivedStream, next grpc.StreamHandler,
) error {
	ctx, cancel := context.WithCancel(stream.ctx)
	defer cancel()
	defer context.AfterFunc(in.stopping, cancel)()
	left := stream.ctx
	stream.ctx = ctx
	err := next(service, stream)
	if err != nil && in.Stopping != nil && in.stopping.Err() != nil && left.Err() == nil {
		return in.Stopping
	}
	return err
}
