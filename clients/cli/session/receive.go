package session

import (
	"errors"
	"io"

	"google.golang.org/grpc"
)

// Receive handles the messages of a stream up to its end. It returns the first error of the stream
// or of handle.
func Receive[M any](stream grpc.ServerStreamingClient[M], handle func(*M) error) error {
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = handle(m)
		}
		if err != nil {
			return err
		}
	}
}
