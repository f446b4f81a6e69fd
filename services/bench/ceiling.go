package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// ceilingCommand is the argument that makes this program a ceiling server. Its addresses for gRPC
// and HTTP follow and, for a server that writes moves, a database of the product and a game in it.
const ceilingCommand = "ceiling"

// The methods of the ceiling server.
const (
	ceilingService = "flipside.bench.Ceiling"
	ceilingGet     = "/" + ceilingService + "/Get"
	ceilingPublish = "/" + ceilingService + "/Publish"
	ceilingWatch   = "/" + ceilingService + "/Watch"
)

// startCeiling starts a ceiling server. A database of the product and a game in it may follow.
func (b *bench) startCeiling(ctx context.Context, played ...string) *process {
	return b.start(ctx, must(os.Executable()), func(p *process) []string {
		return append([]string{ceilingCommand, p.grpc, p.http}, played...)
	})
}

// ceilingServer is a server that only moves bytes: Publish sends a message to every stream of Watch
// and every response over HTTP, and Get answers the last one. With a writer, Get writes a move
// before it answers.
type ceilingServer struct {
	last     atomic.Pointer[wrapperspb.BytesValue]
	watchers sync.Map // has the channel of each as a key
	writer   call
}

// serveCeiling serves until ctx ends.
func (b *bench) serveCeiling(ctx context.Context, grpcAddr, httpAddr string, played []string) {
	c := &ceilingServer{}
	if len(played) == 2 {
		c.writer = b.openWriter(ctx, played[0], "served", played[1])
	}
	listen := func(addr string) net.Listener {
		return must((&net.ListenConfig{}).Listen(ctx, "tcp", addr))
	}
	web := &http.Server{Handler: c, ReadHeaderTimeout: time.Minute}
	go func(lis net.Listener) { _ = web.Serve(lis) }(listen(httpAddr))
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: ceilingService,
		Methods: []grpc.MethodDesc{
			unary("Get", c.get),
			unary("Publish", c.publish),
		},
		Streams: []grpc.StreamDesc{{StreamName: "Watch", ServerStreams: true, Handler: c.watch}},
	}, nil)
	context.AfterFunc(ctx, server.Stop)
	check(server.Serve(listen(grpcAddr)))
}

// message is the only message type: field 1 contains bytes, which may be an encoded message. Other
// messages whose first field is one, or a string, can be sent as such.
type message = *wrapperspb.BytesValue

var empty = &wrapperspb.BytesValue{}

func unary(name string, answer func(message) message) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(
		_ any, _ context.Context, read func(any) error, _ grpc.UnaryServerInterceptor,
	) (any, error) {
		request := &wrapperspb.BytesValue{}
		if err := read(request); err != nil {
			return nil, err
		}
		return answer(request), nil
	}}
}

func (c *ceilingServer) get(message) message {
	if c.writer != nil {
		check(c.writer(0))
	}
	return c.last.Load()
}

func (c *ceilingServer) publish(m message) message {
	c.last.Store(m)
	for messages := range c.watchers.Range {
		messages.(chan message) <- m
	}
	return empty
}

// watch serves the stream Watch.
func (c *ceilingServer) watch(_ any, stream grpc.ServerStream) error {
	if err := stream.RecvMsg(&wrapperspb.BytesValue{}); err != nil {
		return err
	}
	return c.send(stream.Context(), empty, func(m message) error { return stream.SendMsg(m) })
}

// ServeHTTP implements [http.Handler].
func (c *ceilingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = c.send(r.Context(), wrapperspb.Bytes([]byte("data:\n\n")), func(m message) error {
		if _, err := w.Write(m.GetValue()); err != nil {
			return err
		}
		return control.Flush()
	})
}

// send sends a first message when it has subscribed, and then every published message.
func (c *ceilingServer) send(ctx context.Context, m message, send func(message) error) error {
	messages := make(chan message, 1)
	c.watchers.Store(messages, nil)
	defer c.watchers.Delete(messages)
	for {
		if err := send(m); err != nil {
			return err
		}
		select {
		case m = <-messages:
		case <-ctx.Done():
			return nil
		}
	}
}
