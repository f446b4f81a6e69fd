// Package pgtest provides PostgreSQL databases for tests, on the server of
// FLIPSIDE_TEST_DATABASE_URL or on one that it starts. It does not install PostgreSQL.
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
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNotInstalled means that initdb was not found.
var ErrNotInstalled = errors.New("PostgreSQL is not installed: " +
	"initdb is neither in PATH nor in the usual directories")

// Server is a PostgreSQL server with its data and its socket in a temporary folder. It stops when
// this process ends, even if the process is killed.
type Server struct {
	folder   string
	programs string
	settings []string
	user     *syscall.Credential // nil for the user of this process

	// temporary means that the data is removed when the server stops.
	temporary bool
	running   *exec.Cmd
	// input is the write end of the pipe that keeps the server running. The end of this process
	// closes it.
	input io.Closer
}

// superuser is the administrator of a Server.
const superuser = "flipside"

// NewServer creates a server and starts it. Settings are lines of postgresql.conf: name=value.
func NewServer(ctx context.Context, settings ...string) (*Server, error) {
	return newServer(ctx, Server{settings: settings})
}

func newServer(ctx context.Context, template Server) (*Server, error) {
	s := &template
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

// init creates the data. PostgreSQL does not run as root, so root runs it as another user.
func (s *Server) init(ctx context.Context) error {
	if os.Getuid() == 0 {
		if err := s.dropPrivileges(); err != nil {
			return err
		}
	}
	return s.Run(ctx, "initdb", "-D", s.data(), "-U", superuser,
		"-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
}

func (s *Server) dropPrivileges() error {
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(account.Uid)
		gid, _ := strconv.Atoi(account.Gid)
		s.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return os.Chown(s.folder, uid, gid)
	}
	return errors.New("PostgreSQL cannot run as root: create a user postgres")
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	path := filepath.Join(s.programs, program)
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // A program of PostgreSQL.
	cmd.Dir = s.folder
	// A process group of its own protects it from an interrupt of this program.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user, Setpgid: true}
	return cmd
}

// Run runs a program of PostgreSQL, such as pg_dump, in the folder of the server.
func (s *Server) Run(ctx context.Context, program string, args ...string) error {
	if out, err := s.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// guardScript runs the server until its standard input ends.
const guardScript = `"$@" & server=$!; read -r _; kill -INT $server; wait $server
	[ -z "$REMOVE" ] || rm -rf "$REMOVE"`

// Start starts the server again after Stop and waits until it accepts connections.
func (s *Server) Start(ctx context.Context) error {
	args := []string{"-c", guardScript, "sh", filepath.Join(s.programs, "postgres"),
		"-D", s.data(), "-k", s.folder, "-c", "listen_addresses=", "-c", "max_connections=400"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	stdin, input, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	s.running = s.command(context.WithoutCancel(ctx), "")
	s.running.Path, s.running.Args = "/bin/sh", append([]string{"sh"}, args...)
	if s.temporary {
		s.running.Env = append(os.Environ(), "REMOVE="+s.folder)
	}
	s.running.Stdin, s.running.Stdout, s.running.Stderr = stdin, log, log
	s.input = input
	if err := s.running.Start(); err != nil {
		return errors.Join(err, input.Close())
	}
	if err := s.await(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// await waits until the server accepts connections.
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
			return fmt.Errorf("the server does not accept connections: %w: %s",
				err, log[:min(len(log), 4096)])
		}
	}
}

// URL returns the URL of a database on the server.
func (s *Server) URL(database string) string {
	return (&url.URL{
		Scheme: "postgres", User: url.User(superuser), Path: "/" + database,
		RawQuery: url.Values{"host": {s.folder}}.Encode(),
	}).String()
}

// Stop closes all connections and stops the server. Its data remains.
func (s *Server) Stop() error {
	if s.running == nil {
		return nil
	}
	err := errors.Join(s.input.Close(), s.running.Wait())
	s.running = nil
	return err
}

// Pause stops all processes of the server with SIGSTOP until Resume: connections stay open, but
// nothing is answered.
func (s *Server) Pause() error { return s.signal(syscall.SIGSTOP) }

// Resume ends Pause.
func (s *Server) Resume() error { return s.signal(syscall.SIGCONT) }

// signal sends a signal to the main process and then to its children.
func (s *Server) signal(signal syscall.Signal) error {
	lines, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(lines), "\n")
	parent, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	if err := syscall.Kill(parent, signal); err != nil {
		return err
	}
	table, err := exec.CommandContext(context.Background(), "ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(table)) {
		var pid, ppid int
		if _, err := fmt.Sscan(line, &pid, &ppid); err != nil || ppid != parent {
			continue
		}
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

// Close stops the server and removes its data.
func (s *Server) Close() error { return errors.Join(s.Stop(), os.RemoveAll(s.folder)) }

// findPrograms returns the folder of initdb, of the newest version if there are several.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path) // The other programs may have no link.
		return filepath.Dir(path), err
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
