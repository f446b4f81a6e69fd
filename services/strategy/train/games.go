package train

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// A file of games has a line for each game: the number of plies of its random opening, then its
// moves.

// readGames returns the complete lines of files.
func readGames(paths ...string) (games []string, err error) {
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(data), "\n")
		games = append(games, lines[:len(lines)-1]...)
	}
	return games, nil
}

// openGames opens a file to append games and returns the number of games in it, a multiple of
// chunk. It creates a missing file and removes games after the last whole chunk.
func openGames(path string, chunk int) (*os.File, int, error) {
	games, err := readGames(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	games = games[:len(games)/chunk*chunk]
	size := len(games)
	for _, g := range games {
		size += len(g)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, 0, err
	}
	return file, len(games), file.Truncate(int64(size))
}

// replay returns the positions of a game after its opening, and the final one.
func replay(game string, p *reversi.Position) (
	positions []*reversi.Position, final *reversi.Position, err error,
) {
	words := strings.Fields(game)
	if len(words) == 0 {
		return nil, nil, errors.New("empty line in a file of games")
	}
	opening, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, nil, fmt.Errorf("plies of the opening: %w", err)
	}
	for ply, word := range words[1:] {
		if ply >= opening {
			positions = append(positions, p)
		}
		m, err := p.ParseMove(word)
		if err != nil {
			return nil, nil, err
		}
		if p, err = makeMove(p, m); err != nil {
			return nil, nil, err
		}
	}
	return positions, p, nil
}

func makeMove(p *reversi.Position, m rules.Move) (*reversi.Position, error) {
	next, _, err := p.Play(m)
	if err != nil {
		return nil, err
	}
	return next.(*reversi.Position), nil
}

// writeFile replaces a file by the output of write, or leaves it as it is if write fails.
func writeFile(path string, write func(io.Writer) error) error {
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", data.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
