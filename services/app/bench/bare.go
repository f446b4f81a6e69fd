//go:build linux

package main

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// bareCommand is the argument that makes this program a bare server on the address that follows it.
const bareCommand = "bare"

// The methods of a bare server.
const (
	bareName    = "flipside.bench.Bare"
	bareSet     = "/" + bareName + "/Set"
	bareGet     = "/" + bareName + "/Get"
	barePublish = "/" + bareName + "/Publish"
	bareWatch   = "/" + bareName + "/Watch"
)

// bare is a server of nothing but gRPC: what it was told last it answers to every caller, and what is published it
// sends to every watcher. Its messages are one field of bytes, which is what a message in field 1 looks like too.
type bare struct {
	answer   atomic.Pointer[wrapperspb.BytesValue]
	mu       sync.Mutex
	watchers map[chan *wrapperspb.BytesValue]struct{}
}

func serveBare(ctx context.Context, addr string) error {
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	b := &bare{watchers: map[chan *wrapperspb.BytesValue]struct{}{}}
	server := grpc.NewServer()
	server.RegisterService(b.service(), b)
	context.AfterFunc(ctx, server.Stop)
	return server.Serve(lis)
}

func (b *bare) service() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: bareName,
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{
			unary("Set", func(m *wrapperspb.BytesValue) *wrapperspb.BytesValue { b.answer.Store(m); return nothing }),
			unary("Get", func(*wrapperspb.BytesValue) *wrapperspb.BytesValue { return b.answer.Load() }),
			unary("Publish", b.publish),
		},
		Streams: []grpc.StreamDesc{{
			StreamName:    "Watch",
			ServerStreams: true,
			Handler:       func(_ any, stream grpc.ServerStream) error { return b.watch(stream) },
		}},
	}
}

var nothing = &wrapperspb.BytesValue{}

func unary(name string, answer func(*wrapperspb.BytesValue) *wrapperspb.BytesValue) grpc.MethodDesc {
	handler := func(_ any, _ context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		request := &wrapperspb.BytesValue{}
		if err := read(request); err != nil {
			return nil, err
		}
		return answer(request), nil
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

func (b *bare) publish(m *wrapperspb.BytesValue) *wrapperspb.BytesValue {
	b.mu.Lock()
	defer b.mu.Unlock()
	for w := range b.watchers {
		w <- m
	}
	return nothing
}

// watch sends a first message once it watches.
func (b *bare) watch(stream grpc.ServerStream) error {
	if err := stream.RecvMsg(&wrapperspb.BytesValue{}); err != nil {
		return err
	}
	messages := make(chan *wrapperspb.BytesValue, 1)
	b.mu.Lock()
	b.watchers[messages] = struct{}{}
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, messages)
	}()
	for m := nothing; ; {
		if err := stream.SendMsg(m); err != nil {
			return err
		}
		select {
		case m = <-messages:
		case <-stream.Context().Done():
			return nil
		}
	}
}
