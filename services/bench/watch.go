//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// streamsPerConnection is the number of streams that share a connection.
const streamsPerConnection = 100

// fewWatchers and manyWatchers are the measured numbers of watchers.
const fewWatchers, manyWatchers = 1000, 10_000

// source is a stream of events for many watchers: a game of the product, or the messages of a
// ceiling server.
type source struct {
	*process
	method string
	as     []context.Context // of the callers that watch
	events int
	// begin starts the stream. It returns the watchers' request and a function that makes the i-th
	// event.
	begin func() (request []byte, next func(i int) error)
}

// watch compares delivery to watchers with a server that does nothing else.
func (b *bench) watch(ctx context.Context) []row {
	memory := b.compare(ctx, row{
		what:    fmt.Sprintf("memory of a watcher, from %s to %s", count(fewWatchers), count(manyWatchers)),
		ceiling: "a bare grpc-go stream", unit: kilobytes, reach: 2,
		figure: b.growth(func() *source { product, _, _ := b.openSources(ctx); return product }),
		limit:  b.growth(func() *source { _, ceiling, _ := b.openSources(ctx); return ceiling }),
	})
	product, ceiling, size := b.openSources(ctx)
	var rows []row
	for _, watchers := range []int{fewWatchers, manyWatchers} {
		rows = append(rows, row{
			what:    fmt.Sprintf("one event to %s watchers", count(float64(watchers))),
			ceiling: fmt.Sprintf("bare grpc-go sending the same %d bytes", size),
			figure:  b.delivery(product, watchers), limit: b.delivery(ceiling, watchers),
			unit: perSecond, reach: 0.6,
		})
	}
	return append(b.compare(ctx, rows...), memory...)
}

// openSources starts the product and a ceiling server, with the same messages of size bytes.
func (b *bench) openSources(ctx context.Context) (product, ceiling *source, size int) {
	p, c := b.startProduct(ctx, "watch.db"), b.startCeiling(ctx, 1)
	product = p.source()
	messages := p.messages(product)
	return product, c.source(product.as, messages), len(messages[0])
}

// source returns a game of the product that is played while watchers watch it.
func (p *product) source() *source {
	return &source{
		process: p.process, method: gamev1.GameService_WatchGame_FullMethodName, as: p.as,
		events: len(script()) - 1, // The end of the game would end the streams.
		begin: func() ([]byte, func(int) error) {
			player := &player{product: p, script: script(), game: must(p.newGame(0))}
			request := must(proto.Marshal(&gamev1.WatchGameRequest{GameId: player.game}))
			return request, func(int) error { return player.move() }
		},
	}
}

// messages watches one game of the product and returns the encoded messages of its events.
func (p *product) messages(s *source) [][]byte {
	ctx, cancel := context.WithCancel(s.as[0])
	defer cancel()
	request, next := s.begin()
	var watch gamev1.WatchGameRequest
	check(proto.Unmarshal(request, &watch))
	stream := must(p.game.WatchGame(ctx, &watch))
	must(stream.Recv()) // A snapshot.
	var messages [][]byte
	for i := range s.events {
		check(next(i))
		messages = append(messages, must(proto.Marshal(must(stream.Recv()))))
	}
	return messages
}

// source returns a source that publishes the messages.
func (c *ceiling) source(as []context.Context, messages [][]byte) *source {
	return &source{
		process: c.process, method: ceilingWatch, as: as, events: len(messages),
		begin: func() ([]byte, func(int) error) {
			return nil, func(i int) error {
				request, err := proto.Marshal(wrapperspb.Bytes(messages[i]))
				if err != nil {
					return err
				}
				return c.network.call(as[0], 0, ceilingPublish, request)
			}
		},
	}
}

// delivery measures the messages per second that watchers receive. The next event follows when all
// watchers have received the last one.
func (b *bench) delivery(s *source, watchers int) meter {
	return func(ctx context.Context) (result sample) {
		b.scope(func() {
			request, next := s.begin()
			c := b.gather(ctx, b.dial(s.grpc, watchers/streamsPerConnection), s, watchers, request)
			start, cpu, delivered := time.Now(), s.cpu(), 0
			for i := 0; i < s.events && time.Since(start) < b.length; i++ {
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
func (b *bench) growth(open func() *source) meter {
	return func(ctx context.Context) (result sample) {
		b.scope(func() {
			s := open()
			request, _ := s.begin()
			gather := func(watchers int) float64 {
				b.gather(ctx, b.dial(s.grpc, watchers/streamsPerConnection), s, watchers, request)
				return s.memory()
			}
			const more = manyWatchers - fewWatchers
			before := gather(fewWatchers)
			result.value = (gather(more) - before) / more
		})
		return result
	}
}

// crowd is the watchers of one source.
type crowd struct {
	streams *errgroup.Group
	ended   context.Context // when a stream has ended
	missing atomic.Int64    // messages that wait still expects
	all     chan struct{}   // receives a value when missing is 0
}

// gather opens streams to a source and waits until each has received a message. The streams end
// with the scope, and their connections too.
func (b *bench) gather(
	ctx context.Context, over network, s *source, watchers int, request []byte,
) *crowd {
	c := &crowd{all: make(chan struct{}, 1)}
	c.streams, c.ended = errgroup.WithContext(ctx)
	b.cleanup(func() {
		over.close()
		_ = c.streams.Wait()
	})
	c.expect(watchers)
	for i := range watchers {
		as, conn := s.as[i%len(s.as)], over[i%len(over)]
		stream := must(conn.NewStream(as, &grpc.StreamDesc{ServerStreams: true}, s.method))
		check(stream.SendMsg(request))
		check(stream.CloseSend())
		c.streams.Go(func() error { return c.receive(stream) })
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

func (c *crowd) receive(stream grpc.ClientStream) error {
	for {
		var received int
		if err := stream.RecvMsg(&received); err != nil {
			return err
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
		s := p.source()
		request, next := s.begin()
		c := b.gather(ctx, conns[i%len(conns):][:1], s, crowdPerGame, request)
		games.Go(func() error {
			return c.follow(<-begin, next, answered[i*moves:][:moves], delivered[i*moves:])
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
		{"a move is answered, median", median(answered), microseconds},
		{"a move is answered, p99", quantile(answered, 0.99), microseconds},
		{"all its watchers are told, median", median(delivered), microseconds},
		{"all its watchers are told, p99", quantile(delivered, 0.99), microseconds},
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
