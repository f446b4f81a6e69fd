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
// moves. If the engine searched the position before a move, and its score was not exact, a slash and
// this score follow the move: in discs, for the side to move.

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

// lesson is a position of a game and a score for its side to move: that of the search, or the final
// score if the file has none for the position.
type lesson struct {
	*reversi.Position
	score int
}

// replay returns the positions of a game after its opening with their scores, and the final position.
func replay(game string, p *reversi.Position) (
	lessons []lesson, final *reversi.Position, err error,
) {
	words := strings.Fields(game)
	if len(words) == 0 {
		return nil, nil, errors.New("empty line in a file of games")
	}
	opening, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, nil, fmt.Errorf("plies of the opening: %w", err)
	}
	var unsearched []int
	for ply, word := range words[1:] {
		move, score, searched := strings.Cut(word, "/")
		if ply >= opening {
			l := lesson{Position: p}
			if !searched {
				unsearched = append(unsearched, len(lessons))
			} else if l.score, err = strconv.Atoi(score); err != nil {
				return nil, nil, fmt.Errorf("score: %w", err)
			}
			lessons = append(lessons, l)
		}
		m, err := p.ParseMove(move)
		if err != nil {
			return nil, nil, err
		}
		if p, err = makeMove(p, m); err != nil {
			return nil, nil, err
		}
	}
	for _, i := range unsearched {
		lessons[i].score = p.FinalScore().Margin(lessons[i].Turn())
	}
	return lessons, p, nil
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
