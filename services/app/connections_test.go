package app

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// connect opens a connection.
func connect(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// startHTTP2 starts HTTP/2 on a connection and returns the settings of the server.
func startHTTP2(t *testing.T, conn io.ReadWriter) (*http2.Framer, *http2.SettingsFrame) {
	t.Helper()
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	frames := http2.NewFramer(conn, conn)
	if err := frames.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	frame, err := frames.ReadFrame()
	if err != nil {
		t.Fatal(err)
	}
	settings, ok := frame.(*http2.SettingsFrame)
	if !ok {
		t.Fatalf("the first frame is %v, want settings", frame)
	}
	return frames, settings
}

// Every database needs connections, which clients must not take.
func TestFilesOfDatabasesAreReserved(t *testing.T) {
	t.Parallel()
	s := Settings{DatabaseURLs: []string{"postgres://one/games", "postgres://two/games"}}
	for role, want := range map[Role]int{Gateway: 72, Strategy: 72, Game: 72 + 2*24, All: 72 + 2*24} {
		if got := (&App{role: role, settings: s}).reservedFiles(); got != want {
			t.Errorf("%s reserves %d files, want %d", role, got, want)
		}
	}
}

// A connection without a call makes room for a new one, on every listener.
func TestConnectionsAboveTheLimitReplaceIdleOnes(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(*Settings){
		"listener": func(s *Settings) { s.MaxConnections = 1 },
		"address":  func(s *Settings) { s.MaxAddressConnections = 1 },
	} {
		for _, listener := range listeners {
			t.Run(name+" "+listener, func(t *testing.T) {
				t.Parallel()
				s := testSettings(t)
				limit(&s)
				a, _ := startDaemon(t, All, s)
				first, second := connect(t, a.Addrs[listener]), connect(t, a.Addrs[listener])
				first.SetReadDeadline(time.Now().Add(10 * time.Second))
				if _, err := io.Copy(io.Discard, first); err != nil && !errors.Is(err, syscall.ECONNRESET) {
					t.Errorf("the first connection stays open: %v", err)
				}
				request := "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
				if listener == "game" || listener == "strategy" {
					request = http2.ClientPreface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
				}
				if _, err := io.WriteString(second, request); err != nil {
					t.Fatal(err)
				}
				second.SetReadDeadline(time.Now().Add(10 * time.Second))
				if _, err := second.Read(make([]byte, 1)); err != nil {
					t.Errorf("the second connection: %v", err)
				}
			})
		}
	}
}

func TestStreamsAboveTheLimitOfAConnectionWait(t *testing.T) {
	t.Parallel()
	s := testSettings(t)
	s.MaxConnectionStreams = 1
	a, _ := startDaemon(t, All, s)
	conn, err := grpc.NewClient("passthrough:///"+a.Addrs["game"], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	players := gamev1.NewPlayerServiceClient(conn)
	created, err := players.CreatePlayer(t.Context(), &gamev1.CreatePlayerRequest{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+created.GetKey())
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	stream, err := gamev1.NewGameServiceClient(conn).WatchTurns(watching, &gamev1.WatchTurnsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := players.GetMe(short, &gamev1.GetMeRequest{}); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("a call during the stream: %v", err)
	}
	stopWatching()
	if _, err := players.GetMe(ctx, &gamev1.GetMeRequest{}); err != nil {
		t.Errorf("a call after the stream: %v", err)
	}
}

func TestServersAnnounceTheirLimits(t *testing.T) {
	t.Parallel()
	ours := certstest.NewAuthority(t, "ours").Files(t, "server")
	s := mutualTLS(t, ours)
	s.MaxConnectionStreams = 77
	a, _ := startDaemon(t, All, s)
	for listener, streams := range map[string]uint32{"http": 250, "game": 77, "strategy": 77, "metrics": 250} {
		config := clientConfig(t, ours, ours)
		config.NextProtos = []string{"h2"}
		conn, err := (&tls.Dialer{Config: config}).DialContext(t.Context(), "tcp", a.Addrs[listener])
		if err != nil {
			t.Fatal(err)
		}
		_, settings := startHTTP2(t, conn)
		if n, ok := settings.Value(http2.SettingMaxConcurrentStreams); !ok || n != streams {
			t.Errorf("%s: %d streams, want %d", listener, n, streams)
		}
		if n, ok := settings.Value(http2.SettingMaxHeaderListSize); !ok || n < serve.MaxHeaderBytes || n > serve.MaxHeaderBytes+1024 {
			t.Errorf("%s: headers of %d bytes", listener, n)
		}
		conn.Close()
	}
}

func TestTooLargeHeadersAreRejected(t *testing.T) {
	t.Parallel()
	a, _ := startDaemon(t, All, testSettings(t))
	conn, err := grpc.NewClient("passthrough:///"+a.Addrs["game"], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	for size, want := range map[int]struct {
		http int
		grpc codes.Code
	}{
		60 << 10: {http.StatusUnauthorized, codes.Unauthenticated},
		80 << 10: {http.StatusRequestHeaderFieldsTooLarge, codes.Internal},
	} {
		key := "Bearer " + strings.Repeat("x", size)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+a.Addrs["http"]+"/v1/players/me", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", key)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want.http {
			t.Errorf("%d bytes over REST: %d", size, resp.StatusCode)
		}
		ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", key)
		_, err = gamev1.NewPlayerServiceClient(conn).GetMe(ctx, &gamev1.GetMeRequest{})
		if status.Code(err) != want.grpc {
			t.Errorf("%d bytes over gRPC: %v", size, err)
		}
	}
}

func TestConnectionsWithTooManyPingsAreClosed(t *testing.T) {
	t.Parallel()
	a, _ := startDaemon(t, All, testSettings(t))
	frames, _ := startHTTP2(t, connect(t, a.Addrs["game"]))
	go func() {
		for range 100 {
			if frames.WritePing(false, [8]byte{}) != nil {
				return
			}
		}
	}()
	for {
		frame, err := frames.ReadFrame()
		if err != nil {
			t.Fatalf("the connection closed without GOAWAY: %v", err)
		}
		if goAway, ok := frame.(*http2.GoAwayFrame); ok {
			if goAway.ErrCode != http2.ErrCodeEnhanceYourCalm {
				t.Errorf("GOAWAY with code %v", goAway.ErrCode)
			}
			return
		}
	}
}

// pipes is an in-memory listener; dial opens a connection to it.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p <- server
	return client
}

func TestConnectionsWithoutARequestAreClosed(t *testing.T) {
	t.Run("HTTP", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			lis := make(pipes)
			server := serve.NewHTTPServer(lis, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
			}), nil, slog.New(slog.DiscardHandler))
			go server.Serve()
			for sent, timeout := range map[string]time.Duration{
				"":                                      10 * time.Second,
				"GET / HTTP/1.1\r\nHost: half a header": 10 * time.Second,
				"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf":           30 * time.Second,
				"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n": 30 * time.Second,
			} {
				checkClosed(t, lis.dial(), sent, timeout)
			}
			close(lis)
			server.Stop(t.Context())
		})
	})
	t.Run("gRPC", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			lis := make(pipes)
			server := startEmptyServer(t, lis)
			checkClosed(t, lis.dial(), "", 10*time.Second)
			const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
			checkClosed(t, lis.dial(), http2.ClientPreface+settings, 6*time.Minute) // And no call.
			close(lis)
			server.Stop(t.Context())
		})
	})
}

// Calls end after a while without a request. After the request they have no limit.
func TestCallsWithoutARequestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lis := make(pipes)
		server := startEmptyServer(t, lis)
		conn, err := grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return lis.dial(), nil }))
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{healthv1.Health_Check_FullMethodName, healthv1.Health_Watch_FullMethodName} {
			start := time.Now()
			stream, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method)
			if err != nil {
				t.Fatal(err)
			}
			err = stream.RecvMsg(&healthv1.HealthCheckResponse{})
			if took := time.Since(start); status.Code(err) != codes.Canceled || took != 30*time.Second {
				t.Errorf("%s without a request ends after %v with %v", method, took, err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		watch, err := healthv1.NewHealthClient(conn).Watch(ctx, &healthv1.HealthCheckRequest{})
		for err == nil {
			_, err = watch.Recv()
		}
		if status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("a stream with a request ends with %v", err)
		}
		conn.Close()
		close(lis)
		server.Stop(t.Context())
	})
}

// checkClosed sends bytes on a connection and checks that the server closes it within the timeout.
func checkClosed(t *testing.T, conn net.Conn, sent string, timeout time.Duration) {
	t.Helper()
	defer conn.Close()
	start := time.Now()
	go io.WriteString(conn, sent)
	if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if took := time.Since(start); took > timeout+time.Second {
		t.Errorf("after %q the connection stays open for %v", sent, took)
	}
}

// startEmptyServer starts a gRPC server without services.
func startEmptyServer(t *testing.T, lis net.Listener) *serve.Server {
	t.Helper()
	server, err := serve.NewServer(serve.Options{
		Name: "test", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(lis)
	return server
}

func TestWithinLimitsTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, end := time.Now(), make(chan struct{})
		defer close(end)
		err := within(storeCloseTimeout, func() error {
			<-end
			return nil
		})
		if err == nil || time.Since(start) != storeCloseTimeout {
			t.Errorf("returned after %v with %v", time.Since(start), err)
		}
		if err := within(storeCloseTimeout, func() error { return io.EOF }); !errors.Is(err, io.EOF) {
			t.Errorf("returned %v", err)
		}
	})
}
