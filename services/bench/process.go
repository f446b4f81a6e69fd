//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a server in a process of its own. Its log goes to a file.
type process struct {
	cmd        *exec.Cmd
	grpc, http string // where it listens
}

// startDaemon starts the product with nothing changed but what a benchmark needs: free ports, its own data, which are a
// file or a URL of PostgreSQL, and room for more calls and streams than one key usually gets.
func (b *bench) startDaemon(ctx context.Context, data string, more ...string) (*process, error) {
	p := &process{grpc: freeAddr(ctx), http: freeAddr(ctx)}
	if isPostgres(data) {
		more = append(more, "--database-url", data, "--migrate")
	} else {
		more = append(more, "--data", b.database(data))
	}
	return p, p.start(ctx, b.dir, b.daemon, append([]string{
		"--http-addr", p.http, "--game-addr", p.grpc, "--strategy-addr", "127.0.0.1:0",
		"--metrics-addr", "", "--max-streams", "20000", "--call-rate", "1e6", "--player-rate", "1e6",
	}, more...)...)
}

func isPostgres(data string) bool { return strings.HasPrefix(data, "postgres:") }

// database is where data are: a URL of PostgreSQL or a file in the folder for all that is written.
func (b *bench) database(data string) string {
	if isPostgres(data) {
		return data
	}
	return filepath.Join(b.dir, data)
}

// startBare starts the ceiling of whatever goes over the network. played are the database and the game that it needs to
// write moves.
func (b *bench) startBare(ctx context.Context, played ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{grpc: freeAddr(ctx)}
	return p, p.start(ctx, b.dir, self, append([]string{bareCommand, p.grpc}, played...)...)
}

// freeAddr returns an address on which nobody listens now.
func freeAddr(ctx context.Context) string {
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:0"
	}
	defer lis.Close()
	return lis.Addr().String()
}

// start returns when the server listens.
func (p *process) start(ctx context.Context, dir, program string, args ...string) error {
	log, err := os.CreateTemp(dir, "log-")
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd = exec.CommandContext(ctx, program, args...) //nolint:gosec // Itself, or a program that its user names.
	p.cmd.Stdout, p.cmd.Stderr = log, os.Stderr
	if err := p.cmd.Start(); err != nil {
		return err
	}
	const patience, pause = 30 * time.Second, 10 * time.Millisecond
	for range patience / pause {
		if conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.grpc); err == nil {
			return conn.Close()
		}
		time.Sleep(pause)
	}
	p.stop()
	return fmt.Errorf("%s does not listen", program)
}

// stop ends the process, at once.
func (p *process) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// memory is how many bytes of the process are in memory.
func (p *process) memory() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(size), " kB"), 64)
			return kilobytes * 1024, err
		}
	}
	return 0, errors.New("the system does not say how much memory a process takes")
}

// cpu is how many microseconds of a processor the process has taken; 0 of none.
func (p *process) cpu() float64 {
	if p == nil {
		return 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// The name of the program, in brackets, may hold anything. A tick is 10 ms.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 10_000
}
