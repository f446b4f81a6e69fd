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

// source makes streams of events for many watchers, one stream after the other.
type source struct {
	*process
	begin func() error      // starts the next stream
	event func(i int) error // makes the i-th event of the stream
	watch opener
}

// opener opens the stream for a watcher. Over gRPC, the watchers share connections; over HTTP, each
// gets a connection of its own.
type opener func(shared network, watcher int) receive

// sources is games of the product, and a ceiling server that sends the same messages.
type sources struct {
	product, ceiling source
	server           string   // the software of the ceiling server
	messages         [][]byte // of a game
}

// watch compares delivery to watchers that share connections with a server that does nothing else.
func (b *bench) watch(ctx context.Context) []string {
	s := b.grpcSources(ctx)
	return b.compare(
		b.deliveries(s, 0.75, fewWatchers, fewWatchers/streamsPerConnection, ""),
		b.deliveries(s, 0.75, manyWatchers, manyWatchers/streamsPerConnection, ""),
		row{
			what: fmt.Sprintf("memory of a watcher, from %s to %s",
				count(fewWatchers), count(manyWatchers)),
			ceiling: "a bare grpc-go stream", unit: kilobytes, reach: 1.7,
			figure: b.growth(func() source { return b.grpcSources(ctx).product }),
			limit:  b.growth(func() source { return b.grpcSources(ctx).ceiling }),
		})
}

// watchSeparately compares delivery to watchers with a connection each.
func (b *bench) watchSeparately(ctx context.Context) []string {
	const how = " with one connection each, "
	return b.compare(
		b.deliveries(b.grpcSources(ctx), 0.6, fewWatchers, fewWatchers, how+"gRPC"),
		b.deliveries(b.httpSources(ctx), 0.6, fewWatchers, fewWatchers, how+"server-sent events"))
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
	p, c := b.startProduct(ctx, b.sqlite()), b.startCeiling(ctx)
	watchCeiling := func(shared network, watcher int) receive {
		return shared.stream(ctx, watcher, ceilingWatch, empty)
	}
	return b.record(ctx, p, c, "grpc-go", p.players[0].watch, watchCeiling)
}

// httpSources is grpcSources over HTTP, with server-sent events.
func (b *bench) httpSources(ctx context.Context) sources {
	p, c := b.startProduct(ctx, b.sqlite()), b.startCeiling(ctx)
	return b.record(ctx, p, c, "net/http", func(_ network, watcher int) receive {
		path, key := "/v1/games/"+p.players[0].game+":watch", p.players[watcher%callers].authorization
		return b.dialHTTP(ctx, p.http, path, key, "text/event-stream").events()
	}, func(network, int) receive { return b.dialHTTP(ctx, c.http, "/", "", "").events() })
}

// record returns the games of the first player, and a ceiling server that will send the messages of
// one of them, which record plays.
func (b *bench) record(
	ctx context.Context, p *product, c *process, server string, watch, watchCeiling opener,
) sources {
	player := p.players[0]
	var messages [][]byte
	b.scope(func() {
		check(player.create())
		receive := watch(b.dial(p.grpc, 1), 0)
		must(receive())               // A snapshot.
		for range len(script()) - 1 { // The end of the game would end the stream.
			check(player.play())
			messages = append(messages, must(receive()))
		}
	})
	publish := func(i int) error {
		return c.call(ctx, 0, ceilingPublish, wrapperspb.Bytes(messages[i]))
	}
	return sources{
		product: source{p.process, player.create, func(int) error { return player.play() }, watch},
		ceiling: source{c, func() error { return nil }, publish, watchCeiling},
		server:  server, messages: messages,
	}
}

// watch opens the stream of the player's game for a watcher over gRPC.
func (p *player) watch(shared network, watcher int) receive {
	request := &gamev1.WatchGameRequest{GameId: p.game}
	const method = gamev1.GameService_WatchGame_FullMethodName
	return shared.stream(p.server.players[watcher%callers].ctx, watcher, method, request)
}

// delivery measures the messages per second that watchers receive, of one stream in each round. The
// next event follows when all watchers have received the last one.
func (b *bench) delivery(s source, events, watchers, connections int) meter {
	return func() sample {
		c := b.begin(s, watchers, connections)
		start, cpu, delivered := time.Now(), s.cpu(), 0.0
		for i := 0; i < events && time.Since(start) < b.length; i++ {
			check(c.deliver(func() error { return s.event(i) }))
			delivered += float64(watchers)
		}
		return sample{delivered / time.Since(start).Seconds(), (s.cpu() - cpu) / delivered}
	}
}

// growth measures the memory of a new process for each watcher beyond the first ones, in bytes. The
// memory of the first ones counts as that of the process.
func (b *bench) growth(open func() source) meter {
	return func() sample {
		s := open()
		memory := func(watchers int) float64 {
			b.begin(s, watchers, watchers/streamsPerConnection)
			return s.memory()
		}
		const more = manyWatchers - fewWatchers
		before := memory(fewWatchers)
		return sample{value: (memory(more) - before) / more}
	}
}

// crowd is the watchers of one stream.
type crowd struct {
	watchers int
	missing  atomic.Int64 // watchers without the current event
	results  chan error   // nil when missing is 0, and the error of each stream that has ended
}

// begin begins a stream of a source with watchers, whose connections close with the scope.
func (b *bench) begin(s source, watchers, connections int) *crowd {
	check(s.begin())
	return gather(watchers, s.watch, b.dial(s.grpc, connections))
}

// gather opens a stream for watchers and waits until each has received a message.
func gather(watchers int, watch opener, shared network) *crowd {
	c := &crowd{watchers: watchers, results: make(chan error, watchers+1)}
	check(c.deliver(func() error {
		for i := range watchers {
			go c.receive(watch(shared, i))
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
func (b *bench) paced(ctx context.Context) []string {
	p := b.startProduct(ctx, b.sqlite())
	empty := p.memory()
	conns := b.dial(p.grpc, crowdGames*crowdPerGame/streamsPerConnection)
	const moves = int(crowdTime / crowdPace) // of each game
	answered, delivered := make([]float64, crowdGames*moves), make([]float64, crowdGames*moves)
	begin, games := make(chan time.Time), new(errgroup.Group)
	for i := range crowdGames {
		player := *p.players[0]
		check(player.create())
		c := gather(crowdPerGame, player.watch, conns[i%len(conns):][:1])
		games.Go(func() error {
			return c.follow(<-begin, player.play, answered[i*moves:][:moves], delivered[i*moves:])
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
	measured := func(what string, unit unit, value float64) row {
		return row{what: load + what, unit: unit, figure: fixed(value)}
	}
	return b.compare(
		measured("from a move to its response, median", microseconds, median(answered)),
		measured("from a move to its response, p99", microseconds, quantile(answered, 0.99)),
		measured("from a move to its last watcher, median", microseconds, median(delivered)),
		measured("from a move to its last watcher, p99", microseconds, quantile(delivered, 0.99)),
		measured("processor", cores, used),
		measured("memory of the process without them", megabytes, empty),
		measured("memory of the process with them", megabytes, full))
}

// follow plays a game with its watchers. The first move is due at first. It fills answered and
// delivered with the delays of the moves, in microseconds.
func (c *crowd) follow(first time.Time, play func() error, answered, delivered []float64) error {
	for i := range answered {
		due := first.Add(time.Duration(i) * crowdPace)
		time.Sleep(time.Until(due))
		err := c.deliver(func() error {
			err := play()
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
