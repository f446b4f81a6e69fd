package faulttest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// watcher opens streams in one of the three formats.
type watcher interface {
	// game opens WatchGame; after is the version to resume at, "" for none.
	game(ctx context.Context, p *player, id, after string) (reader[*gamev1.WatchGameResponse], error)
	// turns opens WatchTurns; after is the cursor to resume at, "" for none.
	turns(ctx context.Context, p *player, after string) (reader[*gamev1.WatchTurnsResponse], error)
}

// reader reads the messages of a stream.
type reader[M proto.Message] interface {
	Recv() (M, error)
}

// watchers returns a watcher for each format, by its name.
func watchers(t testing.TB, game, rest string) map[string]watcher {
	t.Helper()
	return map[string]watcher{
		"gRPC":   grpcWatcher{overGRPC{dial(t, game)}},
		"NDJSON": restWatcher{newREST(t, rest), ""},
		"SSE":    restWatcher{newREST(t, rest), "text/event-stream"},
	}
}

type grpcWatcher struct{ overGRPC }

func (w grpcWatcher) game(ctx context.Context, p *player, id, after string) (reader[*gamev1.WatchGameResponse], error) {
	in := &gamev1.WatchGameRequest{GameId: id}
	if after != "" {
		in.AfterVersion = new(int32)
		if _, err := fmt.Sscan(after, in.AfterVersion); err != nil {
			return nil, err
		}
	}
	return gamev1.NewGameServiceClient(w.conn).WatchGame(withKey(ctx, p.key), in)
}

func (w grpcWatcher) turns(ctx context.Context, p *player, after string) (reader[*gamev1.WatchTurnsResponse], error) {
	return gamev1.NewGameServiceClient(w.conn).WatchTurns(withKey(ctx, p.key), &gamev1.WatchTurnsRequest{AfterCursor: after})
}

// restWatcher watches over REST. It resumes NDJSON with a query parameter, and SSE with a header
// like browsers.
type restWatcher struct {
	overREST
	accept string
}

func (w restWatcher) game(ctx context.Context, p *player, id, after string) (reader[*gamev1.WatchGameResponse], error) {
	body, err := w.open(ctx, p, "/v1/games/"+id+":watch", "afterVersion", after)
	return restReader[*gamev1.WatchGameResponse]{body, func() *gamev1.WatchGameResponse { return &gamev1.WatchGameResponse{} }}, err
}

func (w restWatcher) turns(ctx context.Context, p *player, after string) (reader[*gamev1.WatchTurnsResponse], error) {
	body, err := w.open(ctx, p, "/v1/turns:watch", "afterCursor", after)
	return restReader[*gamev1.WatchTurnsResponse]{body, func() *gamev1.WatchTurnsResponse { return &gamev1.WatchTurnsResponse{} }}, err
}

// errNoContent is status 204, with which the server ends the reconnects of browsers after the end
// of a game.
var errNoContent = errors.New("no content")

// open opens a stream and returns a reader of its messages.
func (w restWatcher) open(ctx context.Context, p *player, path, resume, after string) (jsonReader, error) {
	if after != "" && w.accept == "" {
		path += "?" + resume + "=" + after
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	if w.accept != "" {
		req.Header.Set("Accept", w.accept)
		if after != "" {
			req.Header.Set("Last-Event-ID", after)
		}
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { resp.Body.Close() })
	if resp.StatusCode == http.StatusNoContent {
		return nil, errNoContent
	}
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		return nil, statusOf(body)
	}
	lines := bufio.NewReader(resp.Body)
	if w.accept == "" {
		return func() ([]byte, error) { return nextLine(lines) }, nil
	}
	return func() ([]byte, error) { return nextEvent(lines) }, nil
}

// jsonReader reads the JSON of the next message.
type jsonReader func() ([]byte, error)

// nextLine reads the next message of an NDJSON stream. It ignores an incomplete last line.
func nextLine(from *bufio.Reader) ([]byte, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if failure, failed := strings.CutPrefix(line, `{"error":`); failed {
		return nil, statusOf([]byte(strings.TrimSuffix(failure, "}\n")))
	}
	message, whole := strings.CutPrefix(line, `{"result":`)
	if !whole {
		return nil, fmt.Errorf("not a line of an NDJSON stream: %.200s", line)
	}
	return []byte(strings.TrimSuffix(message, "}\n")), nil
}

// nextEvent reads the next message of an SSE stream. It ignores an incomplete last event.
func nextEvent(from *bufio.Reader) ([]byte, error) {
	fields := map[string]string{}
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line == "\n" {
			break
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		fields[name] = value
	}
	if fields["event"] == "error" {
		return nil, statusOf([]byte(fields["data"]))
	}
	return []byte(fields["data"]), nil
}

// restReader parses messages of one type.
type restReader[M proto.Message] struct {
	next  jsonReader
	empty func() M
}

func (r restReader[M]) Recv() (M, error) {
	m := r.empty()
	data, err := r.next()
	if err != nil {
		return m, err
	}
	return m, protojson.Unmarshal(data, m)
}
