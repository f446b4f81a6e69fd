package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// streamsPerConnection is the number of streams that share a connection.
const streamsPerConnection = 100

// fewWatchers and manyWatchers are the measured numbers of watchers.
const fewWatchers, manyWatchers = 1000, 10_000

// source makes streams of events for many watchers.
type source struct {
	*process
	// begin starts a stream and returns the function that makes its next event.
	begin func() (stream string, next func() error)
	open  opener
}

// opener opens a stream for a watcher. Over gRPC, the watchers share connections; over HTTP, each
// gets a connection of its own.
type opener func(shared network, stream string, watcher int) receive

// sources is games of the product, and a ceiling server that sends the same messages.
type sources struct {
	product, ceiling source
	server           string   // the software of the ceiling server
	messages         [][]byte // of a game
}

// watch compares delivery to watchers that share connections with a server that does nothing else.
func (b *bench) watch(ctx context.Context) []string {
	memory := b.compare(row{
		what: fmt.Sprintf("memory of a watcher, from %s to %s",
			count(fewWatchers), count(manyWatchers)),
		ceiling: "a bare grpc-go stream", unit: kilobytes, reach: 1.7,
		figure: b.growth(func() source { return b.grpcSources(ctx).product }),
		limit:  b.growth(func() source { return b.grpcSources(ctx).ceiling }),
	})
	s := b.grpcSources(ctx)
	const few, many = fewWatchers / streamsPerConnection, manyWatchers / streamsPerConnection
	return append(b.compare(
		b.deliveries(s, 0.75, fewWatchers, few, ""), b.deliveries(s, 0.75, manyWatchers, many, ""),
	), memory...)
}

// watchSeparately compares delivery to watchers with a connection each.
func (b *bench) watchSeparately(ctx context.Context) []string {
	separately := func(s sources, protocol string) row {
		return b.deliveries(s, 0.6, fewWatchers, fewWatchers, " with one connection each, "+protocol)
	}
	return b.compare(
		separately(b.grpcSources(ctx), "gRPC"),
		separately(b.httpSources(ctx), "server-sent events"))
}

// deliveries returns the row that compares delivery by both sources.
func (b *bench) deliveries(s sources, reach float64, watchers, connections int, how string) row {
	return row{
		what:    fmt.Sprintf("one event to %s watchers%s", count(float64(watchers)), how),
		ceiling: fmt.Sprintf("bare %s sending the same %d bytes", s.server, len(s.messages[0])),
		unit:    perSecond, reach: reach,
		figure: b.delivery(s.product, len(s.messages), watchers, connections),
		limit:  b.delivery(s.ceiling, len(s.messages), watchers, connections),
	}
}

// grpcSources starts the product and a ceiling server of gRPC.
func (b *bench) grpcSources(ctx context.Context) sources {
	p, c := b.startProduct(ctx, b.file("watch.db")), b.startCeiling(ctx)
	watchCeiling := func(shared network, _ string, watcher int) receive {
		return shared.stream(ctx, watcher, ceilingWatch, &emptypb.Empty{})
	}
	return b.record(ctx, p, c, "grpc-go", p.watch, watchCeiling)
}

// httpSources is grpcSources over HTTP, with server-sent events.
func (b *bench) httpSources(ctx context.Context) sources {
	p, c := b.startProduct(ctx, b.file("events.db")), b.startCeiling(ctx)
	return b.record(ctx, p, c, "net/http", func(_ network, game string, watcher int) receive {
		headers := authorization(p.keys[watcher%callers]) + "Accept: text/event-stream\r\n"
		return b.dialHTTP(ctx, p.http, "/v1/games/"+game+":watch", headers).events()
	}, func(network, string, int) receive { return b.dialHTTP(ctx, c.http, "/", "").events() })
}

// record returns the sources of a product and a ceiling server, which will send the messages of a
// game that record plays.
func (b *bench) record(
	ctx context.Context, p *product, ceiling *process, server string, watch, watchCeiling opener,
) sources {
	begin := func() (game string, play func() error) {
		player := p.newPlayer(0)
		return player.game, player.play
	}
	var messages [][]byte
	b.scope(func() {
		game, play := begin()
		receive := watch(b.dial(p.grpc, 1), game, 0)
		must(receive())               // A snapshot.
		for range len(script()) - 1 { // The end of the game would end the stream.
			check(play())
			messages = append(messages, must(receive()))
		}
	})
	repeat := func() (stream string, publish func() error) {
		next := 0
		return "", func() error {
			next++
			return ceiling.call(ctx, 0, ceilingPublish, wrapperspb.Bytes(messages[next-1]))
		}
	}
	return sources{
		product: source{p.process, begin, watch}, ceiling: source{ceiling, repeat, watchCeiling},
		server: server, messages: messages,
	}
}

// watch is an opener over gRPC.
func (p *product) watch(shared network, game string, watcher int) receive {
	request := &gamev1.WatchGameRequest{GameId: game}
	const method = gamev1.GameService_WatchGame_FullMethodName
	return shared.stream(p.as[watcher%callers], watcher, method, request)
}

// delivery measures the messages per second that watchers receive, of one stream in each round. The
// next event follows when all watchers have received the last one.
func (b *bench) delivery(s source, events, watchers, connections int) meter {
	return func() (result sample) {
		b.scope(func() {
			c, next := b.begin(s, watchers, connections)
			start, cpu, delivered := time.Now(), s.cpu(), 0.0
			for i := 0; i < events && time.Since(start) < b.length; i++ {
				check(c.deliver(next))
				delivered += float64(watchers)
			}
			result.value = delivered / time.Since(start).Seconds()
			result.cpu = (s.cpu() - cpu) / delivered
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
	watchers int
	missing  atomic.Int64 // watchers without the current event
	results  chan error   // nil when missing is 0, and the error of each stream that has ended
}

// begin begins a stream of a source with watchers, and returns the function that makes its next
// event. The connections of the watchers close with the scope.
func (b *bench) begin(s source, watchers, connections int) (c *crowd, next func() error) {
	stream, next := s.begin()
	shared := b.dial(s.grpc, connections)
	return gather(watchers, func(i int) receive { return s.open(shared, stream, i) }), next
}

// gather opens the streams of watchers and waits until each has received a message.
func gather(watchers int, open func(watcher int) receive) *crowd {
	c := &crowd{watchers: watchers, results: make(chan error, watchers+1)}
	check(c.deliver(func() error {
		for i := range watchers {
			go c.receive(open(i))
		}
		return nil
	}))
	return c
}

// deliver makes an event and waits until all watchers have received it.
func (c *crowd) deliver(event func() error) error {
	c.missing.Store(int64(c.watchers))
	if err := event(); err != nil {
		return err
	}
	return <-c.results
}

func (c *crowd) receive(receive receive) {
	for {
		if _, err := receive(); err != nil {
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
		player := p.newPlayer(0)
		c := gather(crowdPerGame, func(watcher int) receive {
			return p.watch(conns[i%len(conns):][:1], player.game, watcher)
		})
		games.Go(func() error {
			return c.follow(<-begin, player, answered[i*moves:][:moves], delivered[i*moves:])
		})
	}
	start, cpu := time.Now(), p.cpu()
	for range crowdGames {
		begin <- start.Add(rand.N(crowdPace)) //nolint:gosec // Only spreads the moves.
	}
	check(games.Wait())
	full := p.memory()
	used := (p.cpu() - cpu) / 1e6 / time.Since(start).Seconds()

	load := fmt.Sprintf("%s games with %s watchers, %d moves a second: ",
		count(crowdGames), count(crowdGames*crowdPerGame), int(crowdGames/crowdPace.Seconds()))
	add := func(what string, unit unit, value float64) {
		lines = append(lines, figureRow(load+what, unit, value))
	}
	add("from a move to its response, median", microseconds, median(answered))
	add("from a move to its response, p99", microseconds, quantile(answered, 0.99))
	add("from a move to its last watcher, median", microseconds, median(delivered))
	add("from a move to its last watcher, p99", microseconds, quantile(delivered, 0.99))
	add("processor", cores, used)
	add("memory of the process without them", megabytes, empty)
	add("memory of the process with them", megabytes, full)
	return lines
}

// follow plays a game with its watchers. The first move is due at first. It fills answered and
// delivered with the delays of the moves, in microseconds.
func (c *crowd) follow(first time.Time, p *player, answered, delivered []float64) error {
	for i := range answered {
		due := first.Add(time.Duration(i) * crowdPace)
		time.Sleep(time.Until(due))
		err := c.deliver(func() error {
			err := p.play()
			answered[i] = float64(time.Since(due).Microseconds())
			return err
		})
		if err != nil {
			return err
		}
		delivered[i] = float64(time.Since(due).Microseconds())
	}
	return nil
}
