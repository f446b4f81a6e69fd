package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// Plan is how the committed weights were made: from games by lot with perfect endings to ever longer sight.
var Plan = []Generation{
	{Games: 40_000, Depth: 0, Exact: 10},
	{Games: 80_000, Depth: 1, Exact: 10},
	{Games: 100_000, Depth: 2, Exact: 11},
	{Games: 150_000, Depth: 3, Exact: 12},
	{Games: 122_000, Depth: 3, Exact: 13},
}

// Settings of a run.
type Settings struct {
	// Folder keeps the games and weights of each generation. A run that was cut off goes on from what is there.
	Folder string
	// Seed decides all chance.
	Seed uint64
	// Threads play and learn at once. The outcome does not depend on their number.
	Threads int
	// Window is how many of the latest generations each learns from.
	Window int
	Log    *slog.Logger
}

// Run goes through the generations of the plan and writes the last weights.
func Run(ctx context.Context, plan []Generation, s Settings, to io.Writer) error {
	if err := os.MkdirAll(s.Folder, 0o750); err != nil {
		return fmt.Errorf("folder: %w", err)
	}
	weights := new(pattern.Weights)
	var games [][]record
	for i, g := range plan {
		played, err := s.play(ctx, i, g, weights)
		if err != nil {
			return err
		}
		games = append(games, played)
		if weights, err = s.learn(i, games[max(0, i+1-s.Window):]); err != nil {
			return err
		}
	}
	return weights.Write(to)
}

func (s Settings) path(generation int, kind string) string {
	return filepath.Join(s.Folder, fmt.Sprintf("generation%d.%s", generation, kind))
}

// play is the games of a generation: those in its file and the rest, played now, chunk by chunk.
func (s Settings) play(ctx context.Context, i int, g Generation, w *pattern.Weights) ([]record, error) {
	games, err := readGames(s.path(i, "games"))
	if err != nil {
		return nil, err
	}
	games = games[:len(games)/chunk*chunk]
	file, err := os.OpenFile(s.path(i, "games"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	defer file.Close()
	if _, err := file.Seek(int64(len(games))*recordBytes, io.SeekStart); err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	start := time.Now()
	for len(games) < g.Games {
		batch := s.chunks(ctx, i, g, w, len(games)/chunk)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, r := range batch {
			if _, err := file.Write(r.pack()); err != nil {
				return nil, fmt.Errorf("games: %w", err)
			}
		}
		games = append(games, batch...)
		s.Log.Info("played", "generation", i, "games", len(games), "of", g.Games, "seconds", int(time.Since(start).Seconds()))
	}
	return games, nil
}

// chunks plays as many chunks as there are threads, from the given one on.
func (s Settings) chunks(ctx context.Context, i int, g Generation, w *pattern.Weights, from int) (games []record) {
	games = make([]record, s.Threads*chunk)
	var all sync.WaitGroup
	for part := range s.Threads {
		all.Go(func() {
			p := newPlayer(g, w, s.Seed, i, from+part)
			for j := 0; j < chunk && ctx.Err() == nil; j++ {
				games[part*chunk+j] = p.game(ctx)
			}
		})
	}
	all.Wait()
	return games
}

// learn is the weights of a generation: those in its file, or new ones made of these games.
func (s Settings) learn(i int, games [][]record) (*pattern.Weights, error) {
	path := s.path(i, "weights")
	if w, err := readWeights(path); err == nil || !errors.Is(err, os.ErrNotExist) {
		return w, err
	}
	var all []record
	for _, g := range games {
		all = append(all, g...)
	}
	start := time.Now()
	l := newLearner()
	boards, mae := l.learn(all, s.Seed, s.Threads)
	s.Log.Info("learned", "generation", i, "games", len(all), "boards", boards,
		"error in discs", mae, "seconds", int(time.Since(start).Seconds()))
	var packed bytes.Buffer
	if err := l.result().Write(&packed); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if err := os.WriteFile(path+".part", packed.Bytes(), 0o600); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if err := os.Rename(path+".part", path); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	// The next generation plays with what is in the file, rounded, now and when it is read again.
	return pattern.Read(&packed)
}
