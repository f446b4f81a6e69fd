package serve_test

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// startHTTP serves a handler that reads no body at /unread, all of it at /read and a stream at
// /stream.
func startHTTP(t *testing.T, limits *intake.Limits) (addr string, server *serve.HTTPServer) {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/unread", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/read", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/silent", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/read", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = serve.StartCall(r.Context())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusTooManyRequests)
			return
		}
		w.Write(body)
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		if err := serve.StartCall(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusTooManyRequests)
			return
		}
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	server = serve.NewHTTPServer(limits.Listen(lis, "http", 0), mux, nil, slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		server.Stop(t.Context())
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return lis.Addr().String(), server
}

// send sends text on a new connection.
func send(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A request whose body is missing is answered at once and loses its connection.
func TestUnreadBodiesCloseTheConnection(t *testing.T) {
	t.Parallel()
	addr, _ := startHTTP(t, intake.New(intake.Options{}))
	for name, text := range map[string]string{
		"POST":          "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"GET":           "GET /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"HEAD":          "HEAD /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"chunked":       "POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
		"half a chunk":  "POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"100-continue":  "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
		"large":         "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\nab",
		"redirect":      "POST /moved HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nab",
		"no such path":  "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"empty answer":  "POST /silent HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"HTTP/1.0":      "POST /unread HTTP/1.0\r\nContent-Length: 100\r\n\r\n",
		"keep-alive":    "POST /unread HTTP/1.0\r\nContent-Length: 100\r\nConnection: keep-alive\r\n\r\n",
		"CONNECT":       "CONNECT x:1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"a whole body":  "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
		"unknown verb":  "BREW /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"stream":        "POST /stream HTTP/1.0\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"wrong framing": "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := send(t, addr, text)
			responses := bufio.NewReader(conn)
			conn.SetReadDeadline(time.Now().Add(20 * time.Second)) // less than a request may take
			resp, err := http.ReadResponse(responses, nil)
			if err != nil {
				t.Fatal(err)
			}
			if name == "stream" {
				conn.Close() // Its response has no end.
				return
			}
			conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			if _, err := io.Copy(io.Discard, resp.Body); err != nil && name != "HEAD" {
				t.Error(err)
			}
			if _, err := responses.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("the connection stays open: %v", err)
			}
		})
	}
}

// A connection whose bodies are read is used again.
func TestReadBodiesKeepTheConnection(t *testing.T) {
	t.Parallel()
	addr, _ := startHTTP(t, intake.New(intake.Options{}))
	request := "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
	chunked := "POST /read HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
	plain := "GET /read HTTP/1.1\r\nHost: x\r\n\r\n"
	conn := send(t, addr, request+chunked+plain+request)
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	responses := bufio.NewReader(conn)
	for i, want := range []string{"ab", "ab", "", "ab"} {
		resp, err := http.ReadResponse(responses, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || string(body) != want || resp.Close {
			t.Errorf("response %d: %q, close %t, %v", i, body, resp.Close, err)
		}
	}
}

// Too many bytes of incomplete bodies end the oldest of them. Other requests are served.
func TestIncompleteBodiesAreLimited(t *testing.T) {
	t.Parallel()
	addr, _ := startHTTP(t, intake.New(intake.Options{MaxBytes: 1 << 20}))
	half := strings.Repeat("x", 600<<10)
	const header = "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n"
	oldest := send(t, addr, header+"Expect: 100-continue\r\n\r\n")
	oldest.SetReadDeadline(time.Now().Add(time.Minute))
	answers := bufio.NewReader(oldest)
	if resp, err := http.ReadResponse(answers, nil); err != nil || resp.StatusCode != http.StatusContinue {
		t.Fatalf("the server does not begin to read: %v, %v", resp, err)
	}
	io.WriteString(oldest, half)
	send(t, addr, header+"\r\n"+half)
	resp, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusTooManyRequests || !strings.Contains(string(body), "too many large requests") {
		t.Errorf("the oldest request: %d %s", resp.StatusCode, body)
	}
	small := send(t, addr, "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
	small.SetReadDeadline(time.Now().Add(time.Minute))
	if resp, err := http.ReadResponse(bufio.NewReader(small), nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a small request: %v, %v", resp, err)
	}
}

// Connections above the limit get an answer while all others are in calls.
func TestConnectionsAboveTheLimitMakeNoCalls(t *testing.T) {
	t.Parallel()
	addr, _ := startHTTP(t, intake.New(intake.Options{MaxConnections: 1}))
	stream := send(t, addr, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := http.ReadResponse(bufio.NewReader(stream), nil); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/silent": http.StatusOK, "/read": http.StatusTooManyRequests} {
		resp, err := new(http.Client).Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, resp.Status, want)
		}
	}
}

// Clients that keep connections open without a request do not delay the stop.
func TestStopClosesIdleConnections(t *testing.T) {
	t.Parallel()
	addr, server := startHTTP(t, intake.New(intake.Options{}))
	silent := send(t, addr, "")
	send(t, addr, "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
	time.Sleep(50 * time.Millisecond) // The server accepts the connections.
	start := time.Now()
	server.Stop(t.Context())
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("Stop took %v", took)
	}
	silent.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := silent.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a connection stays open: %v", err)
	}
}
