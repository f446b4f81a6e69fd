// Package flipside is the Go client of a Flipside game server, over gRPC. Start with [New].
//
// Calls use the generated clients in [Client]. Every call that changes something has a request id.
// The client repeats it with the same id after a lost response or while the server is unavailable,
// and the server carries it out once. A failed call returns an [Error]. [Client.Watch] follows a
// game, [Client.Turns] all games of the player, and a [Bot] plays them.
package flipside

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

const (
	// DefaultAddress is the address of the Game service on this machine.
	DefaultAddress = "127.0.0.1:9090"
	// DefaultStrategyAddress is the address of the Strategy service on this machine.
	DefaultStrategyAddress = "127.0.0.1:9091"

	defaultTimeout = 20 * time.Second
)

// Options configure a client. The zero value is a client without a key of a server on this machine.
type Options struct {
	// Address is the address of the Game service: host:port, or a target of gRPC such as dns:///name.
	// "": [DefaultAddress].
	Address string
	// StrategyAddress is the same for the Strategy service. "": [DefaultStrategyAddress].
	StrategyAddress string
	// Key is the key of the player, a token, or a service key. "": no key yet.
	Key string
	// OnBehalfOf is the external id of the user that a service key acts for.
	OnBehalfOf string
	// TLS secures the connections; nil for none.
	TLS *tls.Config
	// Timeout limits each attempt of a call to the Game service. 0: 20 seconds.
	Timeout time.Duration
	// Retry configures the attempts of calls, and of streams before their first message.
	Retry Retry
	// OnConnection is called when a stream is connected or interrupted. It may be nil.
	OnConnection func(Connection)
}

// Client is a client of one server for one player. Goroutines can share it.
type Client struct {
	Games      gamev1.GameServiceClient
	Players    gamev1.PlayerServiceClient
	Strategies strategyv1.StrategyServiceClient

	key     atomic.Pointer[string]
	streams StreamOptions
	conns   []*grpc.ClientConn
}

// New returns a client. It sends nothing: the first call connects. Close it in the end.
func New(o Options) (*Client, error) {
	c := &Client{}
	c.SetKey(o.Key)
	c.streams = StreamOptions{OnConnection: o.OnConnection, Retry: o.Retry, key: c.Key}
	options := ConnOptions{
		TLS: o.TLS, Key: c.Key, OnBehalfOf: o.OnBehalfOf, Retry: &o.Retry,
		Timeout: cmp.Or(o.Timeout, defaultTimeout),
	}
	game, err := c.dial(cmp.Or(o.Address, DefaultAddress), options)
	if err != nil {
		return nil, err
	}
	options.Timeout = 0 // Searches take as long as they are asked to.
	strategy, err := c.dial(cmp.Or(o.StrategyAddress, DefaultStrategyAddress), options)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.Games = gamev1.NewGameServiceClient(game)
	c.Players = gamev1.NewPlayerServiceClient(game)
	c.Strategies = strategyv1.NewStrategyServiceClient(strategy)
	return c, nil
}

func (c *Client) dial(address string, o ConnOptions) (*grpc.ClientConn, error) {
	conn, err := Dial(address, o)
	if err == nil {
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

// Close closes all connections.
func (c *Client) Close() error {
	var failed error
	for _, conn := range c.conns {
		failed = errors.Join(failed, conn.Close())
	}
	return failed
}

// Key returns the key that is sent with every call.
func (c *Client) Key() string { return *c.key.Load() }

// SetKey replaces the key.
func (c *Client) SetKey(key string) { c.key.Store(&key) }

// CreatePlayer creates a player and uses their key from now on. No other call returns the key:
// store it.
func (c *Client) CreatePlayer(
	ctx context.Context, displayName string,
) (*gamev1.CreatePlayerResponse, error) {
	request := &gamev1.CreatePlayerRequest{DisplayName: displayName}
	created, err := c.Players.CreatePlayer(ctx, request)
	if err == nil {
		c.SetKey(created.GetKey())
	}
	return created, err
}

// RotateKey replaces the key of the player, uses the new one from now on and returns it: store it.
func (c *Client) RotateKey(ctx context.Context) (string, error) {
	rotated, err := c.Players.RotateKey(ctx, &gamev1.RotateKeyRequest{})
	if err == nil {
		c.SetKey(rotated.GetKey())
	}
	return rotated.GetKey(), err
}

// LegalMoves returns all legal moves of the side to move, and the version of the game.
func (c *Client) LegalMoves(
	ctx context.Context, gameID string,
) (*gamev1.ListLegalMovesResponse, error) {
	return LegalMoves(ctx, c.Games, &gamev1.ListLegalMovesRequest{GameId: gameID})
}

// LegalMoves reads all pages of a list of legal moves. It ignores the page size and the page token.
func LegalMoves(
	ctx context.Context, games gamev1.GameServiceClient, request *gamev1.ListLegalMovesRequest,
) (*gamev1.ListLegalMovesResponse, error) {
	request = proto.CloneOf(request)
	request.PageSize, request.PageToken = 1000, ""
	all, err := games.ListLegalMoves(ctx, request)
	for page := all; err == nil && page.GetNextPageToken() != ""; {
		request.PageToken = page.GetNextPageToken()
		if page, err = games.ListLegalMoves(ctx, request); err == nil {
			all.Moves = append(all.Moves, page.GetMoves()...)
			all.NextPageToken = page.GetNextPageToken()
		}
	}
	return all, err
}

// Play plays a move, for example d3, 1,-2, anchor@0,1 or pass, if the game is at expectedVersion. 0
// does not check the version.
func (c *Client) Play(
	ctx context.Context, gameID, notation string, expectedVersion int32,
) (*gamev1.PlayMoveResponse, error) {
	return c.Games.PlayMove(ctx, &gamev1.PlayMoveRequest{
		GameId: gameID, Notation: notation, ExpectedVersion: expectedVersion,
	})
}

// Watch follows a game: see [Watch].
func (c *Client) Watch(
	ctx context.Context, request *gamev1.WatchGameRequest,
) iter.Seq2[*gamev1.WatchGameResponse, error] {
	return Watch(ctx, c.Games, request, c.streams)
}

// Turns follows all games of the player: see [Turns].
func (c *Client) Turns(
	ctx context.Context, request *gamev1.WatchTurnsRequest,
) iter.Seq2[*gamev1.WatchTurnsResponse, error] {
	return Turns(ctx, c.Games, request, c.streams)
}
