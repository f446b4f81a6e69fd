//go:build linux

package main

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// ceilingCommand is the argument that makes this program a ceiling server. An address follows and,
// for a server that writes moves, a database of the product and a game in it.
const ceilingCommand = "ceiling"

// The methods of the ceiling server.
const (
	ceilingService = "flipside.bench.Ceiling"
	ceilingSet     = "/" + ceilingService + "/Set"
	ceilingGet     = "/" + ceilingService + "/Get"
	ceilingPublish = "/" + ceilingService + "/Publish"
	ceilingWatch   = "/" + ceilingService + "/Watch"
)

// ceiling is a running ceiling server and the connections to it.
type ceiling struct {
	*process
	network network
}

// startCeiling starts a ceiling server. A database of the product and a game in it may follow.
func (b *bench) startCeiling(ctx context.Context, connections int, played ...string) *ceiling {
	p := &process{grpc: freeAddr(ctx)}
	b.start(ctx, p, must(os.Executable()), append([]string{ceilingCommand, p.grpc}, played...)...)
	return &ceiling{p, b.dial(p.grpc, connections)}
}

// set sets the answer of Get to an encoded message whose first field is a message.
func (c *ceiling) set(ctx context.Context, answer []byte) {
	check(c.network.call(ctx, 0, ceilingSet, answer))
}

// ceilingServer is a gRPC server that only moves bytes: Get answers the bytes of the last Set, and
// Publish sends its bytes to every stream of Watch. With a writer, Get writes a move before it
// answers.
type ceilingServer struct {
	answer   atomic.Pointer[wrapperspb.BytesValue]
	mu       sync.Mutex
	watchers map[chan message]struct{}
	writer   writer
}

// serveCeiling serves until ctx ends.
func (b *bench) serveCeiling(ctx context.Context, addr string, played []string) {
	c := &ceilingServer{watchers: map[chan message]struct{}{}}
	if len(played) == 2 {
		c.writer = b.openWriter(ctx, played[0], "served", played[1])
	}
	lis := must((&net.ListenConfig{}).Listen(ctx, "tcp", addr))
	server := grpc.NewServer()
	server.RegisterService(c.service(), c)
	context.AfterFunc(ctx, server.Stop)
	check(server.Serve(lis))
}

func (c *ceilingServer) service() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: ceilingService,
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{
			unary("Set", c.set),
			unary("Get", c.get),
			unary("Publish", c.publish),
		},
		Streams: []grpc.StreamDesc{{
			StreamName:    "Watch",
			ServerStreams: true,
			Handler:       func(_ any, stream grpc.ServerStream) error { return c.watch(stream) },
		}},
	}
}

// message is the only message type: field 1 contains bytes, which may be an encoded message.
type message = *wrapperspb.BytesValue

var empty = &wrapperspb.BytesValue{}

func unary(name string, answer func(context.Context, message) (message, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(
		_ any, ctx context.Context, read func(any) error, _ grpc.UnaryServerInterceptor,
	) (any, error) {
		request := &wrapperspb.BytesValue{}
		if err := read(request); err != nil {
			return nil, err
		}
		return answer(ctx, request)
	}}
}

func (c *ceilingServer) set(_ context.Context, m message) (message, error) {
	c.answer.Store(m)
	return empty, nil
}

func (c *ceilingServer) get(ctx context.Context, _ message) (message, error) {
	if c.writer == nil {
		return c.answer.Load(), nil
	}
	return c.answer.Load(), c.writer.write(ctx, 0)
}

func (c *ceilingServer) publish(_ context.Context, m message) (message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.watchers {
		w <- m
	}
	return empty, nil
}

// watch sends an empty message when it has subscribed, and then every published message.
func (c *ceilingServer) watch(stream grpc.ServerStream) error {
	if err := stream.RecvMsg(&wrapperspb.BytesValue{}); err != nil {
		return err
	}
	messages := make(chan message, 1)
	c.mu.Lock()
	c.watchers[messages] = struct{}{}
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, messages)
	}()
	for m := empty; ; {
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
