package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

// network is gRPC connections to a server.
type network []*grpc.ClientConn

// dial opens connections to a server. They close with the scope.
func (b *bench) dial(addr string, connections int) (n network) {
	for range connections {
		conn := must(grpc.NewClient("passthrough:///"+addr,
			grpc.WithTransportCredentials(insecure.NewCredentials())))
		b.cleanup(func() { _ = conn.Close() })
		n = append(n, conn)
	}
	return n
}

// call makes a unary call over the connection of a caller. It does not decode the response, so that
// the client costs the same for each kind.
func (n network) call(ctx context.Context, caller int, method string, request proto.Message) error {
	return n[caller%len(n)].Invoke(ctx, method, request, &emptypb.Empty{})
}

// receive waits for the next message of a stream.
type receive func() (encoded []byte, err error)

// stream opens a stream over the connection of a caller.
func (n network) stream(
	ctx context.Context, caller int, method string, request proto.Message,
) receive {
	desc := &grpc.StreamDesc{ServerStreams: true}
	stream := must(n[caller%len(n)].NewStream(ctx, desc, method))
	check(stream.SendMsg(request))
	check(stream.CloseSend())
	return func() (encoded []byte, err error) {
		var undecoded emptypb.Empty
		err = stream.RecvMsg(&undecoded)
		return undecoded.ProtoReflect().GetUnknown(), err
	}
}

// httpConn is an HTTP connection on which a caller repeats one request. It costs less than
// [http.Client].
type httpConn struct {
	conn      net.Conn
	responses *bufio.Reader
	request   []byte
}

// dialHTTP opens a connection for a GET request with two headers. It closes with the scope.
func (b *bench) dialHTTP(ctx context.Context, addr, path, authorization, accept string) *httpConn {
	conn := must((&net.Dialer{}).DialContext(ctx, "tcp", addr))
	b.cleanup(func() { _ = conn.Close() })
	const request = "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nAccept: %s\r\n\r\n"
	return &httpConn{conn, bufio.NewReader(conn),
		fmt.Appendf(nil, request, path, addr, authorization, accept)}
}

// get sends the request and returns the body of the response. Close reads the body to its end.
func (h *httpConn) get() (body io.ReadCloser, err error) {
	if _, err := h.conn.Write(h.request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(h.responses, nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("unexpected status %q", response.Status)
	}
	return response.Body, nil
}

// events sends the request for a stream of server-sent events.
func (h *httpConn) events() receive {
	lines := bufio.NewReader(must(h.get()))
	return func() (event []byte, err error) {
		for err == nil && !bytes.HasSuffix(event, []byte("\n\n")) {
			var line []byte
			line, err = lines.ReadBytes('\n')
			event = append(event, line...)
		}
		return event, err
	}
}
