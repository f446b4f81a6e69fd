//go:build !race && linux

package faulttest

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// attacks are the attacks that once stopped the server, and their relatives.
var attacks = []attack{
	{name: "incomplete requests", by: "stranger", workers: 8, begin: incompleteRequests},
	{name: "unfinished messages over gRPC", by: "stranger", workers: 64, begin: unfinishedMessages("")},
	{name: "unfinished bodies over REST", by: "stranger", workers: 64, begin: unfinishedBodies("")},
	{name: "compressed messages", by: "stranger", workers: 4, begin: compressedMessages},
	{name: "wrong keys", by: "stranger", workers: 8, begin: wrongKeys},
	{name: "previews", by: "stranger", workers: 8, begin: previews},
	{name: "unfinished messages with a key over gRPC", by: "player", workers: 64, begin: unfinishedMessages("key")},
	{name: "unfinished bodies with a key over REST", by: "player", workers: 64, begin: unfinishedBodies("key")},
	{name: "games of slow robots", by: "player", workers: 1, begin: slowRobots, keeps: searchMemory},
	{name: "large games", by: "player", workers: 4, begin: largeGames, keeps: cacheMemory},
	{name: "changes of robots", by: "player", workers: 4, begin: robotChanges, keeps: cacheMemory},
	{name: "expensive calls", by: "player", workers: 16, begin: expensiveCalls, keeps: cacheMemory},
	{name: "keys of one address", by: "player", workers: 40, begin: keysOfOneAddress, keeps: cacheMemory},
	{name: "new users", by: "service", workers: 8, begin: newUsers, keeps: cacheMemory},
	{name: "searches at Strategy", by: "process in the network", workers: 64, begin: strategySearches,
		keeps: searchMemory, trusted: true},
}

// incompleteRequests opens connections whose requests never end.
func incompleteRequests(a *attacker) func(context.Context, int) {
	requests := []string{
		"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"GET /v1/strategies HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"HEAD /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n",
		"POST /v1/games/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
		"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
		"POST /v1/players HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n",
		"POST /v1/players HTTP/1.1\r\nHo",
	}
	limit := int64(630 * a.scale.factor) // 10,080 at full size
	return func(ctx context.Context, worker int) {
		if a.calls.Load() >= limit {
			pause(ctx, time.Hour)
			return
		}
		i := int(a.calls.Add(1))
		listener := []string{"http", "metrics"}[i/len(requests)%2]
		conn, err := a.dial(ctx, 2+worker, a.server.addrs[listener])
		if err != nil {
			a.rejected.Add(1)
			return
		}
		_, _ = io.WriteString(conn, requests[i%len(requests)])
	}
}

// unfinished is a request body that lacks its last byte.
type unfinished struct {
	ctx    context.Context //nolint:containedctx // It ends the wait of Read.
	prefix []byte
	left   int
}

func (u *unfinished) Read(p []byte) (int, error) {
	if n := copy(p, u.prefix); n > 0 {
		u.prefix = u.prefix[n:]
		return n, nil
	}
	if u.left == 0 {
		<-u.ctx.Done()
		return 0, u.ctx.Err()
	}
	n := min(u.left, len(p))
	u.left -= n
	return n, nil
}

// largestRequest is the largest allowed request.
const largestRequest = 1 << 20

// unfinishedMessages sends gRPC messages that lack their last byte, on few connections.
func unfinishedMessages(key string) func(*attacker) func(context.Context, int) {
	return func(a *attacker) func(context.Context, int) {
		headers := a.headers(key)
		transport := a.newClient(2).Transport.(*http.Transport)
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
		send := a.unfinishedRequest(transport, "http://"+a.server.addrs["game"]+gamev1.GameService_CreateGame_FullMethodName,
			-1, []byte{0, 0, 0x10, 0, 0}, append(headers, "Content-Type", "application/grpc", "TE", "trailers"))
		return func(ctx context.Context, _ int) { send(ctx) }
	}
}

// unfinishedBodies sends bodies over HTTP that lack their last byte.
func unfinishedBodies(key string) func(*attacker) func(context.Context, int) {
	return func(a *attacker) func(context.Context, int) {
		send := a.unfinishedRequest(a.client.Transport, "http://"+a.server.addrs["http"]+"/v1/games",
			largestRequest, nil, append(a.headers(key), "Content-Type", "application/json"))
		return func(ctx context.Context, _ int) { send(ctx) }
	}
}

// headers returns the header with a new key, or none for key "".
func (a *attacker) headers(key string) []string {
	if key == "" {
		return nil
	}
	name, value := a.player()
	return []string{name, value}
}

// unfinishedRequest returns a function that sends a request without its last byte and waits.
func (a *attacker) unfinishedRequest(
	transport http.RoundTripper, url string, length int64, prefix []byte, headers []string,
) func(context.Context) {
	return func(ctx context.Context) {
		body := &unfinished{ctx: ctx, prefix: prefix, left: largestRequest - 1}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
		if err != nil {
			a.t.Error(err)
			return
		}
		req.ContentLength = length
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := transport.RoundTrip(req)
		if a.count(false); err != nil {
			pause(ctx, 10*time.Millisecond)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// grpc returns a connection for gRPC to a listener.
func (a *attacker) grpc(listener string) *grpc.ClientConn {
	conn, err := grpc.NewClient("passthrough:///"+a.server.addrs[listener],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) {
			return a.dial(ctx, 2, addr)
		}))
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { conn.Close() })
	return conn
}

// compressedMessages sends messages that are small on the wire and large when decompressed.
func compressedMessages(a *attacker) func(context.Context, int) {
	players := gamev1.NewPlayerServiceClient(a.grpc("game"))
	large := &gamev1.CreatePlayerRequest{DisplayName: strings.Repeat("a", largestRequest-100)}
	return func(ctx context.Context, _ int) {
		_, err := players.CreatePlayer(ctx, large, grpc.UseCompressor(gzip.Name))
		a.count(err == nil)
	}
}

// wrongKeys makes calls with random keys, over both protocols.
func wrongKeys(a *attacker) func(context.Context, int) {
	players := gamev1.NewPlayerServiceClient(a.grpc("game"))
	return func(ctx context.Context, worker int) {
		key := "flk_" + rand.Text() + rand.Text()
		if worker%2 == 0 {
			a.call(ctx, "GET", "/v1/players/me", "", "Authorization", "Bearer "+key)
			return
		}
		_, err := players.GetMe(withKey(ctx, key), &gamev1.GetMeRequest{})
		a.count(err == nil)
	}
}

// previews reads previews with pictures, which need no key.
func previews(a *attacker) func(context.Context, int) {
	name, value := a.player()
	id := a.mustGame(largeGame(), name, value)
	return func(ctx context.Context, _ int) {
		a.call(ctx, "GET", "/v1/games/"+id+":preview?picture=true", "")
	}
}

// slowRobots starts games of robots that think as long as they may.
func slowRobots(a *attacker) func(context.Context, int) {
	const seat = `{"robot":{"strategy":{"engine":{"maxTime":"600s","threads":16}}}}`
	for range 4 {
		name, value := a.player()
		for range 16 {
			a.mustGame(`{"setup":{"reversi":{"square":{"side":8}}},"seats":[`+seat+","+seat+`]}`, name, value)
		}
	}
	return func(ctx context.Context, _ int) { pause(ctx, time.Hour) }
}

// largeGame returns a request for a game on the largest grid, with as many cards with long names.
func largeGame() string {
	var deck strings.Builder
	for i := range 256 {
		fmt.Fprintf(&deck, `card-%03d-%s 1 2 3 4\n`, i, strings.Repeat("x", 55))
	}
	grid := `16 16\n` + strings.Repeat(strings.Repeat("C", 16)+`\n`, 15) + strings.Repeat("C", 15) + `X\n`
	return `{"setup":{"threeTrios":{"grid":"` + grid + `","deck":"` + deck.String() + `"}},"seats":[{"caller":{}},{"caller":{}}]}`
}

// largeGames creates and reads large games.
func largeGames(a *attacker) func(context.Context, int) {
	name, value := a.player()
	request := largeGame()
	var games atomic.Int64
	id := a.mustGame(request, name, value)
	return func(ctx context.Context, _ int) {
		if games.Add(1) <= int64(95*a.scale.factor) { // 1,520 at full size
			a.game(ctx, request, name, value)
			return
		}
		a.call(ctx, "GET", "/v1/games/"+id, "", name, value)
	}
}

// robotChanges fills the log of a game with large strategies and reads its old versions.
func robotChanges(a *attacker) func(context.Context, int) {
	name, value := a.player()
	id := a.mustGame(`{"setup":{"reversi":{"square":{"side":16}}},`+
		`"seats":[{"caller":{}},{"robot":{"strategy":{"greedy":{}}}}]}`, name, value)
	strategy := strings.Repeat(`{"tryTwo":{"first":{"corners":{}},"second":`, 7) + `{"greedy":{}}` + strings.Repeat("}}", 7)
	return func(ctx context.Context, worker int) {
		switch worker {
		case 0:
			a.call(ctx, "POST", "/v1/games/"+id+":setRobot", `{"strategy":`+strategy+`}`, name, value)
		case 1:
			a.call(ctx, "GET", "/v1/games/"+id+"/board?version=2", "", name, value)
		default:
			a.call(ctx, "GET", "/v1/games/"+id+"/events?pageSize=1000", "", name, value)
		}
	}
}

// expensiveCalls makes the calls that cost the most for their rate.
func expensiveCalls(a *attacker) func(context.Context, int) {
	name, value := a.player()
	id := a.mustGame(largeGame(), name, value)
	for range 20 {
		a.game(a.t.Context(), largeGame(), name, value)
	}
	match := `{"setup":{"reversi":{"square":{"side":8}}},"first":{"level":"LEVEL_EXPERT"},` +
		`"second":{"level":"LEVEL_EXPERT"},"games":100000,"parallel":256}`
	calls := [][3]string{
		{"GET", "/v1/games/" + id + "/board?format=FORMAT_SVG&hints=true&labels=true", ""},
		{"GET", "/v1/games/" + id + "/legalMoves", ""},
		{"GET", "/v1/games?pageSize=100", ""},
		{"POST", "/v1/matches:play", match},
	}
	return func(ctx context.Context, worker int) {
		c := calls[worker%len(calls)]
		a.call(ctx, c[0], c[1], c[2], name, value)
	}
}

// keysOfOneAddress makes expensive calls with many keys from one address.
func keysOfOneAddress(a *attacker) func(context.Context, int) {
	keys := make([][]string, 20)
	for i := range keys {
		keys[i] = a.headers("key")
	}
	id := a.mustGame(largeGame(), keys[0]...)
	views := []string{"/board?format=FORMAT_SVG&hints=true&labels=true", "/legalMoves"}
	return func(ctx context.Context, worker int) {
		view := views[worker/len(keys)%len(views)]
		a.call(ctx, "GET", "/v1/games/"+id+view, "", keys[worker%len(keys)]...)
	}
}

// newUsers creates games for ever new users of a product.
func newUsers(a *attacker) func(context.Context, int) {
	return func(ctx context.Context, _ int) {
		a.game(ctx, `{"setup":{"reversi":{}},"seats":[{"caller":{}},{"caller":{}}]}`,
			"Authorization", "Bearer "+attackServiceKey, "Flipside-On-Behalf-Of", rand.Text())
	}
}

// strategySearches searches without a key, at a Strategy service that the attacker can reach.
func strategySearches(a *attacker) func(context.Context, int) {
	client := strategyv1.NewStrategyServiceClient(a.grpc("strategy"))
	in := &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"},
		Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{
			Engine: &strategyv1.Engine{MaxTime: durationpb.New(10 * time.Minute), Threads: 16},
		}},
	}
	return func(ctx context.Context, _ int) {
		_, err := client.ChooseMove(ctx, in)
		a.count(err == nil)
	}
}
