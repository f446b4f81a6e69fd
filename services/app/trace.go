package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

// traceFlushTimeout limits the export of the last traces at shutdown.
const traceFlushTimeout = time.Second

// startTracing starts first and stops last, so that everything else can be traced.
func (a *App) startTracing(ctx context.Context) error {
	service := "flipside"
	if a.role != All {
		service += "-" + string(a.role)
	}
	tracing, err := telemetry.Open(ctx, telemetry.Options{
		Endpoint: a.settings.TraceEndpoint, Service: service, Version: a.settings.Version, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.tracing = tracing
	a.log = tracing.Logger(a.log)
	a.onStop(func(ctx context.Context) {
		// Export even if DrainTimeout is over: the traces show why.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceFlushTimeout)
		defer cancel()
		if err := tracing.Close(ctx); err != nil {
			a.log.Warn("cannot export the last traces", "error", err)
		}
	})
	return nil
}

// tracedStore is a store with spans for reads and commits, on which calls spend most of their time.
type tracedStore struct {
	game.Store
	tracer trace.Tracer
}

// traced returns a store with spans, or the store itself if tracing is off.
func (a *App) traced(store game.Store) game.Store {
	if !a.tracing.Enabled() {
		return store
	}
	return tracedStore{store, a.tracing.Tracer()}
}

// span starts a span within a traced call and sets ctx to its context. The caller defers the result
// with its error, which ends the span: a missing game, a conflict and a repeated request are
// results, not failures. Background reads, such as the search for robots' turns, have no span.
func (s tracedStore) span(ctx *context.Context, name, gameID string) (end func(*error)) {
	if !trace.SpanFromContext(*ctx).IsRecording() {
		return func(*error) {}
	}
	traced, span := s.tracer.Start(*ctx, "store "+name, trace.WithSpanKind(trace.SpanKindClient))
	*ctx = traced //nolint:fatcontext // The caller has one span.
	if gameID != "" {
		span.SetAttributes(attribute.String("flipside.game.id", gameID))
	}
	return func(err *error) {
		results := []error{nil, game.ErrNotFound, game.ErrConflict, game.ErrRequestSeen}
		if !slices.ContainsFunc(results, func(result error) bool { return errors.Is(*err, result) }) {
			span.SetStatus(codes.Error, (*err).Error())
		}
		span.End()
	}
}

func (s tracedStore) Commit(ctx context.Context, change game.Change) (err error) {
	defer s.span(&ctx, "Commit", change.Game.ID)(&err)
	return s.Store.Commit(ctx, change)
}

func (s tracedStore) Game(ctx context.Context, id string) (_ game.Game, err error) {
	defer s.span(&ctx, "Game", id)(&err)
	return s.Store.Game(ctx, id)
}

func (s tracedStore) CachedGame(ctx context.Context, id string) (_ game.Game, err error) {
	defer s.span(&ctx, "CachedGame", id)(&err)
	return s.Store.CachedGame(ctx, id)
}

func (s tracedStore) Events(
	ctx context.Context, id string, after, limit int,
) (_ []game.Event, err error) {
	defer s.span(&ctx, "Events", id)(&err)
	return s.Store.Events(ctx, id, after, limit)
}

func (s tracedStore) LastEvent(
	ctx context.Context, id string, version int, kinds ...game.EventKind,
) (_ game.Event, err error) {
	defer s.span(&ctx, "LastEvent", id)(&err)
	return s.Store.LastEvent(ctx, id, version, kinds...)
}

func (s tracedStore) Games(ctx context.Context, filter game.Filter) (_ []game.Game, err error) {
	defer s.span(&ctx, "Games", "")(&err)
	return s.Store.Games(ctx, filter)
}

func (s tracedStore) Turns(
	ctx context.Context, player string, shard int, after int64, limit int,
) (_ []game.ChangedGame, _ int64, err error) {
	defer s.span(&ctx, "Turns", "")(&err)
	return s.Store.Turns(ctx, player, shard, after, limit)
}

func (s tracedStore) Request(
	ctx context.Context, caller, id, gameID string,
) (_ game.Request, err error) {
	defer s.span(&ctx, "Request", gameID)(&err)
	return s.Store.Request(ctx, caller, id, gameID)
}

func (s tracedStore) Lease(
	ctx context.Context, lease game.Lease, now time.Time,
) (_ bool, err error) {
	defer s.span(&ctx, "Lease", lease.GameID)(&err)
	return s.Store.Lease(ctx, lease, now)
}

func (s tracedStore) KeyHash(ctx context.Context, player string) (_ []byte, err error) {
	defer s.span(&ctx, "KeyHash", "")(&err)
	return s.Store.KeyHash(ctx, player)
}
