//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/wrapperspb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// streamsPerConnection is the number of streams that share a connection.
const streamsPerConnection = 100

// fewWatchers and manyWatchers are the measured numbers of watchers.
const fewWatchers, manyWatchers = 1000, 10_000

// source makes streams of events for many watchers: games of the product, or the same messages of a
// ceiling server.
type source struct {
	*process
	messages [][]byte // of a stream
	// begin starts a stream and returns the function that makes its i-th event.
	begin func() (stream string, next func(i int) error)
	open  opener
}

// opener opens a stream for a watcher. Over gRPC, the watchers share connections; over HTTP, each
// gets a connection of its own.
type opener func(shared network, stream string, watcher int) receive

// watch compares delivery to watchers that share connections with a server that does nothing else.
func (b *bench) watch(ctx context.Context) []string {
	memory := b.compare(row{
		what: fmt.Sprintf("memory of a watcher, from %s to %s",
			count(fewWatchers), count(manyWatchers)),
		ceiling: "a bare grpc-go stream", unit: kilobytes, reach: 1.7,
		figure: b.growth(func() source { product, _ := b.grpcSources(ctx); return product }),
		limit:  b.growth(func() source { _, ceiling := b.grpcSources(ctx); return ceiling }),
	})
	product, ceiling := b.grpcSources(ctx)
	var rows []row
	for _, watchers := range []int{fewWatchers, manyWatchers} {
		what := fmt.Sprintf("one event to %s watchers", count(float64(watchers)))
		connections := watchers / streamsPerConnection
		rows = append(rows,
			b.deliveries(row{what: what, reach: 0.75}, "grpc-go", product, ceiling, watchers, connections))
	}
	return append(b.compare(rows...), memory...)
}

// watchSeparately compares delivery to watchers with a connection each.
func (b *bench) watchSeparately(ctx context.Context) []string {
	var rows []row
	for _, over := range []struct {
		protocol, server string
		sources          func(*bench, context.Context) (product, ceiling source)
	}{
		{"gRPC", "grpc-go", (*bench).grpcSources},
		{"server-sent events", "net/http", (*bench).httpSources},
	} {
		what := fmt.Sprintf("one event to %s watchers with one connection each, %s",
			count(fewWatchers), over.protocol)
		product, ceiling := over.sources(b, ctx)
		rows = append(rows,
			b.deliveries(row{what: what, reach: 0.6}, over.server, product, ceiling, fewWatchers, fewWatchers))
	}
	return b.compare(rows...)
}

// grpcSources starts the product and a ceiling server with the same messages.
func (b *bench) grpcSources(ctx context.Context) (product, ceiling source) {
	p, c := b.startProduct(ctx, b.file("watch.db")), b.startCeiling(ctx, 1)
	return b.sources(ctx, p, c, p.watchGame, func(shared network, _ string, watcher int) receive {
		return shared.stream(ctx, watcher, ceilingWatch, nil)
	})
}

// httpSources is grpcSources over HTTP, with server-sent events.
func (b *bench) httpSources(ctx context.Context) (product, ceiling source) {
	p, c := b.startProduct(ctx, b.file("events.db")), b.startCeiling(ctx, 1)
	events := func(addr, path, headers string) receive {
		conn := b.dialHTTP(ctx, addr, path, headers)
		must(conn.send())
		return conn.chunk
	}
	return b.sources(ctx, p, c, func(_ network, game string, watcher int) receive {
		headers := authorization(p.keys[watcher%callers]) + "Accept: text/event-stream\r\n"
		return events(p.http, "/v1/games/"+game+":watch", headers)
	}, func(network, string, int) receive { return events(c.http, "/", "") })
}

// sources returns a source of games of the product, and one that publishes the same messages on a
// ceiling server. It records the messages of a game.
func (b *bench) sources(
	ctx context.Context, p *product, c *ceiling, watchGame, watchCeiling opener,
) (games, copies source) {
	var messages [][]byte
	b.scope(func() {
		game, next := p.beginGame()
		receive := watchGame(b.dial(p.grpc, 1), game, 0)
		check(receive(nil))                // A snapshot.
		for i := range len(script()) - 1 { // The end of the game would end the stream.
			var message []byte
			check(next(i))
			check(receive(&message))
			messages = append(messages, message)
		}
	})
	publish := func(i int) error { return c.publish(ctx, encode(wrapperspb.Bytes(messages[i]))) }
	return source{p.process, messages, p.beginGame, watchGame},
		source{c.process, messages, func() (string, func(int) error) { return "", publish }, watchCeiling}
}

// beginGame starts a game and returns the function that plays its next move.
func (p *product) beginGame() (game string, play func(int) error) {
	player := p.newPlayer(0)
	player.game = must(p.newGame(0))
	return player.game, func(int) error { return player.move() }
}

// watchGame is an opener over gRPC.
func (p *product) watchGame(shared network, game string, watcher int) receive {
	request := encode(&gamev1.WatchGameRequest{GameId: game})
	const method = gamev1.GameService_WatchGame_FullMethodName
	return shared.stream(p.as[watcher%callers], watcher, method, request)
}

// deliveries completes the row that compares delivery by the product and by a bare server.
func (b *bench) deliveries(
	r row, server string, product, ceiling source, watchers, connections int,
) row {
	r.ceiling = fmt.Sprintf("bare %s sending the same %d bytes", server, len(product.messages[0]))
	r.unit = perSecond
	r.figure = b.delivery(product, watchers, connections)
	r.limit = b.delivery(ceiling, watchers, connections)
	return r
}

// delivery measures the messages per second that watchers receive. The next event follows when all
// watchers have received the last one.
func (b *bench) delivery(s source, watchers, connections int) meter {
	return func() (result sample) {
		b.scope(func() {
			c, next := b.begin(s, watchers, connections)
			start, cpu, delivered := time.Now(), s.cpu(), 0
			for i := 0; i < len(s.messages) && time.Since(start) < b.length; i++ {
				c.expect(watchers)
				check(next(i))
				check(c.wait())
				delivered += watchers
			}
			n := float64(delivered)
			result = sample{n / time.Since(start).Seconds(), (s.cpu() - cpu) / n}
		})
		return result
	}
}

// growth measures the memory of a new process for each watcher beyond the first ones, in bytes. The
// memory of the first ones counts as that of the process.
func (b *bench) growth(open func() source) meter {
	return func() (result sample) {
		b.scope(func() {
			s := open()
			memory := func(watchers int) float64 {
				b.begin(s, watchers, watchers/streamsPerConnection)
				return s.memory()
			}
			const more = manyWatchers - fewWatchers
			before := memory(fewWatchers)
			result.value = (memory(more) - before) / more
		})
		return result
	}
}

// crowd is the watchers of one stream.
type crowd struct {
	missing atomic.Int64 // messages that wait still expects
	results chan error   // nil when missing is 0, and the error of each stream that has ended
}

// begin begins a stream of a source with watchers, and returns the function that makes its i-th
// event. The connections of the watchers close with the scope.
func (b *bench) begin(s source, watchers, connections int) (*crowd, func(i int) error) {
	stream, next := s.begin()
	shared := b.dial(s.grpc, connections)
	return gather(watchers, func(i int) receive { return s.open(shared, stream, i) }), next
}

// gather opens the streams of watchers and waits until each has received a message.
func gather(watchers int, open func(watcher int) receive) *crowd {
	c := &crowd{results: make(chan error, watchers+1)}
	c.expect(watchers)
	for i := range watchers {
		go c.receive(open(i))
	}
	check(c.wait())
	return c
}

// expect sets the number of messages for which wait waits. It is called before they are sent.
func (c *crowd) expect(messages int) { c.missing.Store(int64(messages)) }

func (c *crowd) wait() error { return <-c.results }

func (c *crowd) receive(receive receive) {
	for {
		if err := receive(nil); err != nil {
			c.results <- err
			return
		}
		if c.missing.Add(-1) == 0 {
			c.results <- nil
		}
	}
}

// The load of paced: games played at the pace of people, with watchers.
const (
	crowdGames   = 1000
	crowdPerGame = 10
	crowdPace    = 2 * time.Second // between the moves of a game
	crowdTime    = 20 * time.Second
)

// paced measures the delays, the processor time and the memory of one process with many games and
// watchers. A delay starts when the move is due, not when the client sends it: a slow server cannot
// hide delays by slowing the client.
func (b *bench) paced(ctx context.Context) (lines []string) {
	p := b.startProduct(ctx, b.file("crowd.db"))
	empty := p.memory()
	conns := b.dial(p.grpc, crowdGames*crowdPerGame/streamsPerConnection)
	const moves = int(crowdTime / crowdPace) // of each game
	answered, delivered := make([]float64, crowdGames*moves), make([]float64, crowdGames*moves)
	begin, games := make(chan time.Time), new(errgroup.Group)
	for i := range crowdGames {
		game, play := p.beginGame()
		c := gather(crowdPerGame, func(watcher int) receive {
			return p.watchGame(conns[i%len(conns):][:1], game, watcher)
		})
		games.Go(func() error {
			return c.follow(<-begin, play, answered[i*moves:][:moves], delivered[i*moves:])
		})
	}
	start, cpu := time.Now(), p.cpu()
	for range crowdGames {
		begin <- start.Add(rand.N(crowdPace)) //nolint:gosec // Only spreads the moves.
	}
	check(games.Wait())
	full := p.memory()
	used := (p.cpu() - cpu) / 1e6 / time.Since(start).Seconds()

	what := fmt.Sprintf("%s games with %s watchers, %d moves a second: ",
		count(crowdGames), count(crowdGames*crowdPerGame), int(crowdGames/crowdPace.Seconds()))
	for _, r := range []struct {
		what  string
		value float64
		unit  unit
	}{
		{"from a move to its response, median", median(answered), microseconds},
		{"from a move to its response, p99", quantile(answered, 0.99), microseconds},
		{"from a move to its last watcher, median", median(delivered), microseconds},
		{"from a move to its last watcher, p99", quantile(delivered, 0.99), microseconds},
		{"processor", used, cores},
		{"memory of the process without them", empty, megabytes},
		{"memory of the process with them", full, megabytes},
	} {
		lines = append(lines, figureRow(what+r.what, r.unit, sample{value: r.value}))
	}
	return lines
}

// follow plays a game with its watchers. The first move is due at first. It fills answered and
// delivered with the delays of the moves, in microseconds.
func (c *crowd) follow(first time.Time, next func(int) error, answered, delivered []float64) error {
	for i := range answered {
		due := first.Add(time.Duration(i) * crowdPace)
		time.Sleep(time.Until(due))
		c.expect(crowdPerGame)
		if err := next(i); err != nil {
			return err
		}
		answered[i] = float64(time.Since(due).Microseconds())
		if err := c.wait(); err != nil {
			return err
		}
		delivered[i] = float64(time.Since(due).Microseconds())
	}
	return nil
}
