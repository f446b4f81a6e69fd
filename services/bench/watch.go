//go:build linux

package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// streamsPerConnection is how many streams share a connection.
const streamsPerConnection = 100

// show is something that crowds watch: a game of the product, or what is published by the bare server.
type show struct {
	*process
	method string
	as     []context.Context
	// begin returns the request of watchers, and what makes one event after the other.
	begin  func() (request []byte, next func(i int) error, err error)
	events int
}

// stage is the product and a bare server, each with its show.
type stage struct {
	product *product
	bare    *process
	publish network
	game    *show
	plain   *show
	size    int // of a message, in bytes
}

// watch compares telling watchers of events with a server that does nothing else.
func (b *bench) watch(ctx context.Context) ([]row, error) {
	memory, err := b.memory(ctx)
	if err != nil {
		return nil, err
	}
	s, err := b.openStage(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var rows []row
	for _, watchers := range []int{someWatchers, manyWatchers} {
		told, err := b.compare(ctx, b.telling(s.game, watchers), b.telling(s.plain, watchers))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			what:    fmt.Sprintf("one event to %s watchers", count(float64(watchers))),
			ceiling: fmt.Sprintf("bare grpc-go sending the same %d bytes", s.size),
			figures: told, unit: perSecond, reach: atLeast(0.6),
		})
	}
	return append(rows, memory), nil
}

const someWatchers, manyWatchers = 1000, 10_000

func (b *bench) openStage(ctx context.Context) (_ *stage, err error) {
	s := &stage{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.product, err = b.startProduct(ctx, "watch.db"); err != nil {
		return nil, err
	}
	if s.bare, err = b.startBare(ctx); err != nil {
		return nil, err
	}
	if s.publish, err = dial(s.bare.grpc, 1); err != nil {
		return nil, err
	}
	s.game = s.product.show(ctx)
	messages, err := s.product.messages(s.game)
	if err != nil {
		return nil, err
	}
	s.plain, s.size = bareShow(s.bare, s.publish, s.game.as, messages), len(messages[0])
	return s, nil
}

func (s *stage) close() {
	s.publish.close()
	if s.bare != nil {
		s.bare.stop()
	}
	if s.product != nil {
		s.product.stop()
	}
}

// memory compares by how much the processes grow for each further watcher, in processes that have done nothing else.
// What the first watchers take goes for what a process takes anyway.
func (b *bench) memory(ctx context.Context) (row, error) {
	c, err := b.compare(ctx, b.growing(func(s *stage) *show { return s.game }), b.growing(func(s *stage) *show { return s.plain }))
	return row{
		what:    fmt.Sprintf("memory of a watcher, from %s to %s", count(someWatchers), count(manyWatchers)),
		ceiling: "a bare grpc-go stream", figures: c, unit: kilobytes, reach: atMost(2),
	}, err
}

// show is a game of the product that is played while it is watched.
func (p *product) show(ctx context.Context) *show {
	s := &show{
		process: p.process, method: gamev1.GameService_WatchGame_FullMethodName, as: p.everybody(ctx),
		events: len(script()) - 1, // The end of the game would end the streams.
	}
	s.begin = func() ([]byte, func(int) error, error) {
		id, err := p.newGame(s.as[0])
		if err != nil {
			return nil, nil, err
		}
		player := &player{product: p, script: script()}
		player.game = id
		request, err := proto.Marshal(&gamev1.WatchGameRequest{GameId: id})
		return request, func(int) error { return player.move(s.as[0]) }, err
	}
	return s
}

// messages watches a game once and returns what was sent of its events.
func (p *product) messages(s *show) ([][]byte, error) {
	ctx, cancel := context.WithCancel(s.as[0])
	defer cancel()
	request, next, err := s.begin()
	if err != nil {
		return nil, err
	}
	var watch gamev1.WatchGameRequest
	if err := proto.Unmarshal(request, &watch); err != nil {
		return nil, err
	}
	stream, err := p.game.WatchGame(ctx, &watch)
	if err != nil {
		return nil, err
	}
	var messages [][]byte
	for i := range s.events + 1 {
		message, err := stream.Recv()
		if err != nil {
			return nil, err
		}
		if i > 0 { // The first is a snapshot.
			content, err := proto.Marshal(message)
			if err != nil {
				return nil, err
			}
			messages = append(messages, content)
		}
		if i < s.events {
			if err := next(i); err != nil {
				return nil, err
			}
		}
	}
	return messages, nil
}

// bareShow publishes the messages.
func bareShow(bare *process, over network, as []context.Context, messages [][]byte) *show {
	return &show{
		process: bare, method: bareWatch, as: as, events: len(messages),
		begin: func() ([]byte, func(int) error, error) {
			return nil, func(i int) error {
				request, err := proto.Marshal(wrapperspb.Bytes(messages[i]))
				if err != nil {
					return err
				}
				return over.call(as[0], 0, barePublish, request)
			}, nil
		},
	}
}

// telling is how many messages a second a crowd receives, where the next event is made once all have the last.
func (b *bench) telling(s *show, watchers int) meter {
	return func(ctx context.Context) (sample, error) {
		request, next, err := s.begin()
		if err != nil {
			return sample{}, err
		}
		c, err := gather(ctx, s, watchers, request)
		if err != nil {
			return sample{}, err
		}
		defer c.leave()
		start, cpu, told := time.Now(), s.cpu(), 0
		for i := 0; i < s.events && time.Since(start) < b.length; i++ {
			c.expect(watchers)
			if err := next(i); err != nil {
				return sample{}, err
			}
			if err := c.wait(); err != nil {
				return sample{}, err
			}
			told += watchers
		}
		return sample{float64(told) / time.Since(start).Seconds(), (s.cpu() - cpu) / float64(told)}, nil
	}
}

// growing is by how many bytes a process grows for each watcher beyond the first ones.
func (b *bench) growing(of func(*stage) *show) meter {
	return func(ctx context.Context) (sample, error) {
		opened, err := b.openStage(ctx)
		if err != nil {
			return sample{}, err
		}
		defer opened.close()
		s := of(opened)
		request, _, err := s.begin()
		if err != nil {
			return sample{}, err
		}
		some, err := gather(ctx, s, someWatchers, request)
		if err != nil {
			return sample{}, err
		}
		defer some.leave()
		before, err := s.memory()
		if err != nil {
			return sample{}, err
		}
		others, err := gather(ctx, s, manyWatchers-someWatchers, request)
		if err != nil {
			return sample{}, err
		}
		defer others.leave()
		after, err := s.memory()
		return sample{value: (after - before) / (manyWatchers - someWatchers)}, err
	}
}

// crowd is watchers of one show, each of whom has received a message.
type crowd struct {
	network network // that is its own
	streams *errgroup.Group
	ended   context.Context
	end     context.CancelFunc
	// missing is how many messages are still to come; there when they have.
	missing atomic.Int64
	there   chan struct{}
}

// gather opens streams to a show and waits until each has received a message.
func gather(ctx context.Context, s *show, watchers int, request []byte) (*crowd, error) {
	connections, err := dial(s.grpc, watchers/streamsPerConnection)
	if err != nil {
		return nil, err
	}
	c, err := gatherOver(ctx, connections, s, watchers, request)
	if err != nil {
		connections.close()
		return nil, err
	}
	c.network = connections
	return c, nil
}

// gatherOver does so over connections that others use, too.
func gatherOver(ctx context.Context, over network, s *show, watchers int, request []byte) (*crowd, error) {
	c := &crowd{there: make(chan struct{}, 1)}
	ctx, c.end = context.WithCancel(ctx)
	c.streams, c.ended = errgroup.WithContext(ctx)
	c.expect(watchers)
	for i := range watchers {
		stream, err := over[i%len(over)].NewStream(s.as[i%len(s.as)], &grpc.StreamDesc{ServerStreams: true}, s.method)
		if err == nil {
			err = stream.SendMsg(request)
		}
		if err == nil {
			err = stream.CloseSend()
		}
		if err != nil {
			c.leave()
			return nil, err
		}
		c.streams.Go(func() error { return c.receive(stream) })
	}
	return c, c.wait()
}

// expect is called before messages are sent, for wait to return when so many have come.
func (c *crowd) expect(messages int) { c.missing.Store(int64(messages)) }

func (c *crowd) wait() error {
	select {
	case <-c.there:
		return nil
	case <-c.ended.Done():
		return c.streams.Wait()
	}
}

func (c *crowd) receive(stream grpc.ClientStream) error {
	for {
		var received int
		if err := stream.RecvMsg(&received); err != nil {
			return err
		}
		if c.missing.Add(-1) == 0 {
			c.there <- struct{}{}
		}
	}
}

// leave closes the streams.
func (c *crowd) leave() {
	c.end()
	c.network.close()
	_ = c.streams.Wait()
}
