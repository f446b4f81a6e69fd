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

// source makes streams of events for many watchers: games of the product, or the messages of a
// ceiling server.
type source struct {
	*process
	events int // of a stream
	size   int // of an event in bytes
	// begin starts a stream for watchers with that many connections. They close with the scope.
	begin func(ctx context.Context, connections int) broadcast
}

// broadcast is a stream of events for many watchers.
type broadcast struct {
	open func(watcher int) receive // opens the stream of a watcher
	next func(i int) error         // makes the i-th event
}

// watch compares delivery to watchers that share connections with a server that does nothing else.
func (b *bench) watch(ctx context.Context) []row {
	memory := b.compare(ctx, row{
		what:    fmt.Sprintf("memory of a watcher, from %s to %s", count(fewWatchers), count(manyWatchers)),
		ceiling: "a bare grpc-go stream", unit: kilobytes, reach: 1.7,
		figure: b.growth(func() source { product, _ := b.grpcSources(ctx); return product }),
		limit:  b.growth(func() source { _, ceiling := b.grpcSources(ctx); return ceiling }),
	})
	product, ceiling := b.grpcSources(ctx)
	var rows []row
	for _, watchers := range []int{fewWatchers, manyWatchers} {
		connections := watchers / streamsPerConnection
		rows = append(rows, row{
			what:    fmt.Sprintf("one event to %s watchers", count(float64(watchers))),
			ceiling: fmt.Sprintf("bare grpc-go sending the same %d bytes", product.size),
			unit:    perSecond, reach: 0.75,
			figure: b.delivery(product, watchers, connections),
			limit:  b.delivery(ceiling, watchers, connections),
		})
	}
	return append(b.compare(ctx, rows...), memory...)
}

// watchSeparately compares delivery to watchers with a connection each.
func (b *bench) watchSeparately(ctx context.Context) []row {
	var rows []row
	for _, over := range []struct {
		protocol, server string
		sources          func(*bench, context.Context) (product, ceiling source)
	}{
		{"gRPC", "grpc-go", (*bench).grpcSources},
		{"server-sent events", "net/http", (*bench).httpSources},
	} {
		product, ceiling := over.sources(b, ctx)
		rows = append(rows, row{
			what: fmt.Sprintf("one event to %s watchers with one connection each, %s",
				count(fewWatchers), over.protocol),
			ceiling: fmt.Sprintf("bare %s sending the same %d bytes", over.server, product.size),
			unit:    perSecond, reach: 0.6,
			figure: b.delivery(product, fewWatchers, fewWatchers),
			limit:  b.delivery(ceiling, fewWatchers, fewWatchers),
		})
	}
	return b.compare(ctx, rows...)
}

// grpcSources starts the product and a ceiling server with the same messages.
func (b *bench) grpcSources(ctx context.Context) (product, ceiling source) {
	p, c := b.startProduct(ctx, "watch.db"), b.startCeiling(ctx, 1)
	product = p.source(func(_ context.Context, connections int) broadcast {
		return p.watchedGame(b.dial(p.grpc, connections))
	})
	messages := b.record(ctx, &product)
	return product, c.source(messages, func(ctx context.Context, connections int) func(int) receive {
		over := b.dial(c.grpc, connections)
		return func(watcher int) receive { return over.stream(ctx, watcher, ceilingWatch, nil) }
	})
}

// httpSources is grpcSources over HTTP, with server-sent events.
func (b *bench) httpSources(ctx context.Context) (product, ceiling source) {
	p, c := b.startProduct(ctx, "events.db"), b.startCeiling(ctx, 1)
	events := func(ctx context.Context, addr, path, headers string) receive {
		conn := b.dialHTTP(ctx, addr, path, headers)
		must(conn.send())
		return conn.chunk
	}
	product = p.source(func(ctx context.Context, _ int) broadcast {
		return p.broadcast(func(game string, watcher int) receive {
			headers := authorization(p.keys[watcher%callers]) + "Accept: text/event-stream\r\n"
			return events(ctx, p.http, "/v1/games/"+game+":watch", headers)
		})
	})
	messages := b.record(ctx, &product)
	return product, c.source(messages, func(ctx context.Context, _ int) func(int) receive {
		return func(int) receive { return events(ctx, c.http, "/", "") }
	})
}

// source returns games of the product that are played while watchers watch them.
func (p *product) source(begin func(context.Context, int) broadcast) source {
	// The end of the game would end the streams.
	return source{process: p.process, events: len(script()) - 1, begin: begin}
}

// broadcast starts a game whose watchers open streams with open.
func (p *product) broadcast(open func(game string, watcher int) receive) broadcast {
	player := &player{product: p, script: script(), game: must(p.newGame(0))}
	return broadcast{
		open: func(watcher int) receive { return open(player.game, watcher) },
		next: func(int) error { return player.move() },
	}
}

// watchedGame starts a game whose watchers share connections.
func (p *product) watchedGame(over network) broadcast {
	return p.broadcast(func(game string, watcher int) receive {
		request := encode(&gamev1.WatchGameRequest{GameId: game})
		const method = gamev1.GameService_WatchGame_FullMethodName
		return over.stream(p.as[watcher%callers], watcher, method, request)
	})
}

// record watches one stream of a source and returns its events. It sets their size.
func (b *bench) record(ctx context.Context, s *source) (messages [][]byte) {
	b.scope(func() {
		stream := s.begin(ctx, 1)
		receive := stream.open(0)
		check(receive(nil)) // A snapshot.
		for i := range s.events {
			var message []byte
			check(stream.next(i))
			check(receive(&message))
			messages = append(messages, message)
		}
	})
	s.size = len(messages[0])
	return messages
}

// source returns a source that publishes the messages. watch returns the function that opens the
// stream of a watcher.
func (c *ceiling) source(
	messages [][]byte, watch func(ctx context.Context, connections int) func(watcher int) receive,
) source {
	return source{
		process: c.process, events: len(messages), size: len(messages[0]),
		begin: func(ctx context.Context, connections int) broadcast {
			return broadcast{watch(ctx, connections), func(i int) error {
				return c.network.call(ctx, 0, ceilingPublish, encode(wrapperspb.Bytes(messages[i])))
			}}
		},
	}
}

// delivery measures the messages per second that watchers receive. The next event follows when all
// watchers have received the last one.
func (b *bench) delivery(s source, watchers, connections int) meter {
	return func(ctx context.Context) (result sample) {
		b.scope(func() {
			stream := s.begin(ctx, connections)
			c := gather(ctx, stream, watchers)
			start, cpu, delivered := time.Now(), s.cpu(), 0
			for i := 0; i < s.events && time.Since(start) < b.length; i++ {
				c.expect(watchers)
				check(stream.next(i))
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
	return func(ctx context.Context) (result sample) {
		b.scope(func() {
			s := open()
			memory := func(watchers int) float64 {
				gather(ctx, s.begin(ctx, watchers/streamsPerConnection), watchers)
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
	ended   context.Context // when a stream has ended
	fail    context.CancelCauseFunc
	missing atomic.Int64  // messages that wait still expects
	all     chan struct{} // receives a value when missing is 0
}

// gather opens the streams of watchers and waits until each has received a message. The streams end
// with their connections.
func gather(ctx context.Context, stream broadcast, watchers int) *crowd {
	c := &crowd{all: make(chan struct{}, 1)}
	c.ended, c.fail = context.WithCancelCause(ctx)
	c.expect(watchers)
	for i := range watchers {
		go c.receive(stream.open(i))
	}
	check(c.wait())
	return c
}

// expect sets the number of messages for which wait waits. It is called before they are sent.
func (c *crowd) expect(messages int) { c.missing.Store(int64(messages)) }

func (c *crowd) wait() error {
	select {
	case <-c.all:
		return nil
	case <-c.ended.Done():
		return context.Cause(c.ended)
	}
}

func (c *crowd) receive(receive receive) {
	for {
		if err := receive(nil); err != nil {
			c.fail(err)
			return
		}
		if c.missing.Add(-1) == 0 {
			c.all <- struct{}{}
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
func (b *bench) paced(ctx context.Context) []row {
	p := b.startProduct(ctx, "crowd.db")
	empty := p.memory()
	conns := b.dial(p.grpc, crowdGames*crowdPerGame/streamsPerConnection)
	const moves = int(crowdTime / crowdPace) // of each game
	answered, delivered := make([]float64, crowdGames*moves), make([]float64, crowdGames*moves)
	begin, games := make(chan time.Time), new(errgroup.Group)
	for i := range crowdGames {
		stream := p.watchedGame(conns[i%len(conns):][:1])
		c := gather(ctx, stream, crowdPerGame)
		games.Go(func() error {
			return c.follow(<-begin, stream.next, answered[i*moves:][:moves], delivered[i*moves:])
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
	var rows []row
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
		rows = append(rows, row{what: what + r.what, unit: r.unit, median: sample{value: r.value}})
	}
	return rows
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
