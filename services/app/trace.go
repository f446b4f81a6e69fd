package app

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

// lastTraces is how long a daemon that stops tries to send its last traces.
const lastTraces = time.Second

// startTracing comes first, so that all that is logged and done after it can be traced, and is closed last.
func (a *App) startTracing(ctx context.Context) error {
	service := "flipside"
	if a.role != All {
		service += "-" + string(a.role)
	}
	tracing, err := telemetry.Open(ctx, telemetry.Options{
		Endpoint: a.settings.TraceEndpoint, Service: service, Version: Version, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.tracing = tracing
	a.log = tracing.Logger(a.log)
	a.onStop(func(ctx context.Context) {
		// The time to drain may be over, and what is worth seeing is why.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTraces)
		defer cancel()
		if err := tracing.Close(ctx); err != nil {
			a.log.Warn("the last traces were lost", "error", err)
		}
	})
	return nil
}

// tracedStore makes spans of what calls wait for most: reads and commits. The rest passes through.
type tracedStore struct {
	game.Store
	tracer trace.Tracer
}

// traced returns the store itself when tracing is off.
func (a *App) traced(store game.Store) game.Store {
	if !a.tracing.Enabled() {
		return store
	}
	return tracedStore{store, a.tracing.Tracer()}
}

// span begins a span of a call that is traced; what nobody asked for, such as a look for due robots, has none.
func (s tracedStore) span(ctx context.Context, name, gameID string) (context.Context, trace.Span) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, trace.SpanFromContext(ctx)
	}
	ctx, span := s.tracer.Start(ctx, "store "+name, trace.WithSpanKind(trace.SpanKindClient))
	if gameID != "" {
		span.SetAttributes(attribute.String("flipside.game.id", gameID))
	}
	return ctx, span
}

// end ends a span. That something is not there, or has moved on, is an answer and no failure.
func end(span trace.Span, err error) {
	answer := errors.Is(err, game.ErrNotFound) || errors.Is(err, game.ErrConflict) || errors.Is(err, game.ErrRequestSeen)
	if err != nil && !answer {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

func (s tracedStore) Commit(ctx context.Context, change game.Change) (err error) {
	ctx, span := s.span(ctx, "Commit", change.Game.ID)
	defer func() { end(span, err) }()
	return s.Store.Commit(ctx, change)
}

func (s tracedStore) Game(ctx context.Context, id string) (_ game.Game, err error) {
	ctx, span := s.span(ctx, "Game", id)
	defer func() { end(span, err) }()
	return s.Store.Game(ctx, id)
}

func (s tracedStore) CachedGame(ctx context.Context, id string) (_ game.Game, err error) {
	ctx, span := s.span(ctx, "CachedGame", id)
	defer func() { end(span, err) }()
	return s.Store.CachedGame(ctx, id)
}

func (s tracedStore) Events(ctx context.Context, id string, after, limit int) (_ []game.Event, err error) {
	ctx, span := s.span(ctx, "Events", id)
	defer func() { end(span, err) }()
	return s.Store.Events(ctx, id, after, limit)
}

func (s tracedStore) Games(ctx context.Context, filter game.Filter) (_ []game.Game, err error) {
	ctx, span := s.span(ctx, "Games", "")
	defer func() { end(span, err) }()
	return s.Store.Games(ctx, filter)
}

func (s tracedStore) Turns(ctx context.Context, player string, after int64, limit int) (_ []game.ChangedGame, err error) {
	ctx, span := s.span(ctx, "Turns", "")
	defer func() { end(span, err) }()
	return s.Store.Turns(ctx, player, after, limit)
}

func (s tracedStore) Request(ctx context.Context, caller, id string) (_ game.Request, err error) {
	ctx, span := s.span(ctx, "Request", "")
	defer func() { end(span, err) }()
	return s.Store.Request(ctx, caller, id)
}

func (s tracedStore) Lease(ctx context.Context, lease game.Lease, now time.Time) (_ bool, err error) {
	ctx, span := s.span(ctx, "Lease", lease.GameID)
	defer func() { end(span, err) }()
	return s.Store.Lease(ctx, lease, now)
}

func (s tracedStore) KeyHash(ctx context.Context, player string) (_ []byte, err error) {
	ctx, span := s.span(ctx, "KeyHash", "")
	defer func() { end(span, err) }()
	return s.Store.KeyHash(ctx, player)
}
