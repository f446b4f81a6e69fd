//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
)

// raw sends bytes and counts those it receives, so that the load costs the same whatever the messages mean.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*int) = data.Len()
	return nil
}

// network is connections to a server, over which raw messages go.
type network []*grpc.ClientConn

func dial(addr string, connections int) (network, error) {
	var n network
	for range connections {
		conn, err := grpc.NewClient("passthrough:///"+addr,
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(raw{})))
		if err != nil {
			n.close()
			return nil, err
		}
		n = append(n, conn)
	}
	return n, nil
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

// web is an HTTP connection on which a caller repeats one request. It reads no more of the answers than it must.
type web struct {
	conn    net.Conn
	answers *bufio.Reader
	request []byte
}

func dialWeb(ctx context.Context, addr, path, key string) (*web, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, addr, key)
	return &web{conn: conn, answers: bufio.NewReader(conn), request: []byte(request)}, nil
}

func (w *web) call() error {
	if _, err := w.conn.Write(w.request); err != nil {
		return err
	}
	status, err := w.line()
	if err != nil {
		return err
	}
	if !bytes.Equal(status, []byte("HTTP/1.1 200 OK")) {
		return fmt.Errorf("answered %s", status)
	}
	length := -1
	for {
		header, err := w.line()
		if err != nil {
			return err
		}
		if len(header) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(value))
		}
	}
	if length < 0 {
		return errors.New("the answer has no length")
	}
	_, err = w.answers.Discard(length)
	return err
}

func (w *web) line() ([]byte, error) {
	line, err := w.answers.ReadSlice('\n')
	return bytes.TrimSuffix(line, []byte("\r\n")), err
}
