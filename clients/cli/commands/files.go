package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/records"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

const filesHelp = `The formats are transcripts (f5d6c3, one game on each line), OBF (.obf), GGF (.ggf), WTHOR
databases (.wtb) and JSON records (.json, .jsonl); docs/files.md describes them. For other names,
the content determines the format. "-" is the standard input. The names for a database are in the
files .jou and .trn, if they are among the arguments.`

// completeFiles lets the shell complete names of files.
var completeFiles = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)

// gameFile is a file of games in memory.
type gameFile struct {
	name    string
	content []byte
}

// readFiles reads files of games and the names for databases among them.
func (p *program) readFiles(paths []string) ([]gameFile, *records.Names, error) {
	var files []gameFile
	names := &records.Names{}
	for _, path := range paths {
		content, err := p.readFile(path)
		if err != nil {
			return nil, nil, err
		}
		if !records.IsNames(path) {
			files = append(files, gameFile{path, content})
		} else if err := names.Add(path, content); err != nil {
			return nil, nil, err
		}
	}
	return files, names, nil
}

// readFile reads a file, or the standard input for "-".
func (p *program) readFile(path string) ([]byte, error) {
	in := p.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	content, err := io.ReadAll(io.LimitReader(in, records.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return content, nil
}

// isFile reports whether an argument is a file, not the id of a game or a link to it. No id has a
// dot or a slash.
func isFile(argument string) bool {
	_, err := os.Stat(argument)
	switch {
	case argument == "-" || !errors.Is(err, fs.ErrNotExist):
		return true
	case strings.Contains(argument, "://"):
		return false
	}
	return strings.ContainsAny(argument, "./")
}

// allRecords returns the games of files, and their number. It reads every file once before the first
// game, so that a malformed file is rejected as a whole.
func allRecords(
	files []gameFile, names *records.Names,
) (all iter.Seq2[*records.Record, error], count int, err error) {
	for _, file := range files {
		games := 0
		for _, err := range records.Read(file.name, file.content, names) {
			if err != nil {
				return nil, 0, err
			}
			games++
		}
		if games == 0 {
			return nil, 0, fmt.Errorf("%s: the file has no games", file.name)
		}
		count += games
	}
	return func(yield func(*records.Record, error) bool) {
		for _, file := range files {
			for r, err := range records.Read(file.name, file.content, names) {
				if !yield(r, err) {
					return
				}
			}
		}
	}, count, nil
}

// patient repeats a call that the server rejects because of its rate limit, after the delay that the
// server asks for. Imports make many calls.
func patient[R any](ctx context.Context, p *program, call func() (R, error)) (R, error) {
	for {
		reply, err := call()
		delay := render.RetryDelay(err)
		if status.Code(err) != codes.ResourceExhausted || delay == 0 {
			return reply, err
		}
		if err := p.dialer.Retry.Pause(ctx, delay); err != nil {
			return reply, err
		}
	}
}

// progress shows on a terminal how much of a command is done.
func (p *program) progress(done, all int, unit string) {
	if p.interactive {
		fmt.Fprintf(p.Err, "\r\x1b[K%s %s", render.Bar(done, all), unit)
	}
}

// events returns all events of a game.
func events(
	ctx context.Context, p *program, games gamev1.GameServiceClient, id string,
) ([]*gamev1.Event, error) {
	var all []*gamev1.Event
	request := &gamev1.ListEventsRequest{GameId: id, PageSize: 1000}
	for {
		page, err := patient(ctx, p, func() (*gamev1.ListEventsResponse, error) {
			return games.ListEvents(ctx, request)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, page.GetEvents()...)
		if request.PageToken = page.GetNextPageToken(); request.PageToken == "" {
			return all, nil
		}
	}
}
