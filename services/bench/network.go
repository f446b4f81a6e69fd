//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
)

// rawCodec sends encoded messages and counts the bytes of those it receives, so that the client
// costs the same for every kind of message.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*int) = data.Len()
	return nil
}

// network is connections to a server for encoded messages.
type network []*grpc.ClientConn

// dial opens connections to a server. They close with the scope.
func (b *bench) dial(addr string, connections int) network {
	var n network
	for range connections {
		n = append(n, must(grpc.NewClient("passthrough:///"+addr,
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))))
	}
	b.cleanup(n.close)
	return n
}

func (n network) close() {
	for _, conn := range n {
		_ = conn.Close()
	}
}

// call makes a unary call over the connection of a caller.
func (n network) call(ctx context.Context, caller int, method string, request []byte) error {
	var received int
	return n[caller%len(n)].Invoke(ctx, method, request, &received)
}

// httpConn is an HTTP connection on which a caller repeats one request. It reads only the status
// and the length of each response.
type httpConn struct {
	conn      net.Conn
	responses *bufio.Reader
	request   []byte
}

// dialHTTP opens a connection to repeat a GET request. It closes with the scope.
func (b *bench) dialHTTP(ctx context.Context, addr, path, key string) *httpConn {
	conn := must((&net.Dialer{}).DialContext(ctx, "tcp", addr))
	b.cleanup(func() { _ = conn.Close() })
	const format = "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
	request := fmt.Sprintf(format, path, addr, key)
	return &httpConn{conn: conn, responses: bufio.NewReader(conn), request: []byte(request)}
}

func (h *httpConn) get() error {
	if _, err := h.conn.Write(h.request); err != nil {
		return err
	}
	for length := -1; ; {
		line, err := h.responses.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte("\r\n"))
		switch value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); {
		case ok:
			length, _ = strconv.Atoi(string(value))
		case len(line) == 0: // The end of the headers; a missing length is an error of Discard.
			_, err := h.responses.Discard(length)
			return err
		case bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")):
			return fmt.Errorf("unexpected status %q", line)
		}
	}
}
