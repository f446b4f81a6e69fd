// Package pgtest gives tests PostgreSQL databases: of the server that FLIPSIDE_TEST_DATABASE_URL
// names, or of one that it starts from the programs that are installed. It installs nothing, and
// knows nothing of what is stored.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNotInstalled says that the programs of PostgreSQL were not found.
var ErrNotInstalled = errors.New("PostgreSQL is not installed: no initdb in PATH, nor where the usual packages put it")

// Server is a server of its own, with its data in a temporary folder and reached through a socket
// there. It stops when this process ends, however that comes about.
type Server struct {
	folder   string
	programs string
	settings []string
	user     *syscall.Credential // nil to run as whoever we are

	// passing has the data removed when the server stops.
	passing bool
	running *exec.Cmd
	// alive ends the server when it is closed, as it is at the latest by the end of this process.
	alive io.Closer
}

// superuser is who may do everything on a Server.
const superuser = "flipside"

// NewServer makes the data of a server and starts it. Settings are those of postgresql.conf, each
// `name=value`.
func NewServer(ctx context.Context, settings ...string) (*Server, error) {
	return newServer(ctx, Server{settings: settings})
}

func newServer(ctx context.Context, made Server) (*Server, error) {
	s := &made
	var err error
	if s.programs, err = findPrograms(); err != nil {
		return nil, err
	}
	if s.folder, err = os.MkdirTemp("", "flipside-pg-"); err != nil {
		return nil, err
	}
	err = s.init(ctx)
	if err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	return s, nil
}

// init makes the data. PostgreSQL refuses to run as root, who therefore lets somebody else do it.
func (s *Server) init(ctx context.Context) error {
	if os.Getuid() == 0 {
		if err := s.lowerRights(); err != nil {
			return err
		}
	}
	initdb := s.command(ctx, "initdb", "-D", s.data(), "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

func (s *Server) lowerRights() error {
	for _, name := range []string{"postgres", "nobody"} {
		somebody, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(somebody.Uid)
		gid, _ := strconv.Atoi(somebody.Gid)
		s.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return os.Chown(s.folder, uid, gid)
	}
	return errors.New("PostgreSQL cannot run as root, and there is neither a user postgres nor nobody")
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.programs, program), args...) //nolint:gosec // A program of PostgreSQL.
	cmd.Dir = s.folder
	// In a group of its own, it is not interrupted when we are.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user, Setpgid: true}
	return cmd
}

// guard runs the server until its input ends.
const guard = `"$@" & server=$!; read -r _; kill -INT $server; wait $server; [ -z "$REMOVE" ] || rm -rf "$REMOVE"`

// Start starts the server again after Stop, and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	args := []string{"-c", guard, "sh", filepath.Join(s.programs, "postgres"), "-D", s.data(), "-k", s.folder,
		"-c", "listen_addresses=", "-c", "max_connections=400"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	input, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	defer input.Close()
	s.running = s.command(context.WithoutCancel(ctx), "")
	s.running.Path, s.running.Args = "/bin/sh", append([]string{"sh"}, args...)
	if s.passing {
		s.running.Env = append(os.Environ(), "REMOVE="+s.folder)
	}
	s.running.Stdin, s.running.Stdout, s.running.Stderr = input, log, log
	s.alive = alive
	if err := s.running.Start(); err != nil {
		return errors.Join(err, alive.Close())
	}
	if err := s.await(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// await returns when the server answers.
func (s *Server) await(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, 30*time.Second)
	defer done()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			return fmt.Errorf("the server does not answer: %w: %s", err, log[:min(len(log), 4096)])
		}
	}
}

// URL returns the address of a database of the server.
func (s *Server) URL(database string) string {
	return (&url.URL{
		Scheme: "postgres", User: url.User(superuser), Path: "/" + database, RawQuery: url.Values{"host": {s.folder}}.Encode(),
	}).String()
}

// Stop ends all connections and the server, and keeps its data.
func (s *Server) Stop() error {
	if s.running == nil {
		return nil
	}
	err := errors.Join(s.alive.Close(), s.running.Wait())
	s.running = nil
	return err
}

// Close stops the server and removes its data.
func (s *Server) Close() error { return errors.Join(s.Stop(), os.RemoveAll(s.folder)) }

// findPrograms returns the folder that has initdb, that of the newest version where there are
// several.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	var found []string
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb", "/usr/local/pgsql/bin/initdb",
		"/opt/homebrew/opt/postgresql*/bin/initdb", "/usr/local/opt/postgresql*/bin/initdb",
	} {
		paths, _ := filepath.Glob(pattern)
		found = append(found, paths...)
	}
	if len(found) == 0 {
		return "", ErrNotInstalled
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}
