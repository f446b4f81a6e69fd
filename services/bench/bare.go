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

// bareCommand is the argument that makes this program a bare server on the address that follows it. When a database of the
// product and a game in it follow too, it writes moves like those of the game.
const bareCommand = "bare"

// The methods of a bare server.
const (
	bareName    = "flipside.bench.Bare"
	bareSet     = "/" + bareName + "/Set"
	bareGet     = "/" + bareName + "/Get"
	bareWrite   = "/" + bareName + "/Write"
	barePublish = "/" + bareName + "/Publish"
	bareWatch   = "/" + bareName + "/Watch"
)

// bare is a server of nothing but gRPC: what it was told last it answers to every caller, and what is published it
// sends to every watcher. Before it answers it may write a move. Its messages are one field of bytes, which is what a
// message in field 1 looks like too.
type bare struct {
	answer   atomic.Pointer[wrapperspb.BytesValue]
	mu       sync.Mutex
	watchers map[chan message]struct{}
	writer   writer
}

func serveBare(ctx context.Context, addr string, played []string) error {
	b := &bare{watchers: map[chan message]struct{}{}}
	if len(played) == 2 {
		var err error
		if b.writer, err = openWriter(ctx, played[0], "served", played[1]); err != nil {
			return err
		}
		defer b.writer.close()
	}
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
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
			unary("Set", func(_ context.Context, m message) (message, error) { b.answer.Store(m); return nothing, nil }),
			unary("Get", func(context.Context, message) (message, error) { return b.answer.Load(), nil }),
			unary("Write", func(ctx context.Context, _ message) (message, error) {
				return b.answer.Load(), b.writer.write(ctx, 0)
			}),
			unary("Publish", b.publish),
		},
		Streams: []grpc.StreamDesc{{
			StreamName:    "Watch",
			ServerStreams: true,
			Handler:       func(_ any, stream grpc.ServerStream) error { return b.watch(stream) },
		}},
	}
}

type message = *wrapperspb.BytesValue

var nothing = &wrapperspb.BytesValue{}

func unary(name string, answer func(context.Context, message) (message, error)) grpc.MethodDesc {
	handler := func(_ any, ctx context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		request := &wrapperspb.BytesValue{}
		if err := read(request); err != nil {
			return nil, err
		}
		return answer(ctx, request)
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

func (b *bare) publish(_ context.Context, m message) (message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for w := range b.watchers {
		w <- m
	}
	return nothing, nil
}

// watch sends a first message once it watches.
func (b *bare) watch(stream grpc.ServerStream) error {
	if err := stream.RecvMsg(&wrapperspb.BytesValue{}); err != nil {
		return err
	}
	messages := make(chan message, 1)
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
