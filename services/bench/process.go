//go:build linux

package main

import (
	"bytes"
	"context"
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
	grpc, http string // addresses
}

// startDaemon starts the product with default settings, except for free ports, its own data and
// high limits per key. data is the name of an SQLite file or a URL of PostgreSQL.
func (b *bench) startDaemon(ctx context.Context, data string, more ...string) *process {
	p := &process{grpc: freeAddr(ctx), http: freeAddr(ctx)}
	if isPostgres(data) {
		more = append(more, "--database-url", data, "--migrate")
	} else {
		more = append(more, "--data", b.database(data))
	}
	b.start(ctx, p, b.daemon, append([]string{
		"--http-addr", p.http, "--game-addr", p.grpc, "--strategy-addr", "127.0.0.1:0",
		"--metrics-addr", "", "--max-streams", "20000", "--call-rate", "1e6", "--player-rate", "1e6",
	}, more...)...)
	return p
}

func isPostgres(data string) bool { return strings.HasPrefix(data, "postgres:") }

// database returns data if it is a URL of PostgreSQL, and otherwise the path of the SQLite file
// with that name.
func (b *bench) database(data string) string {
	if isPostgres(data) {
		return data
	}
	return filepath.Join(b.dir, data)
}

// freeAddr returns an address on which no program listens.
func freeAddr(ctx context.Context) string {
	lis := must((&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"))
	defer lis.Close()
	return lis.Addr().String()
}

// start starts a program as p and returns when it listens. The process ends with the scope.
func (b *bench) start(ctx context.Context, p *process, program string, args ...string) {
	log := must(os.CreateTemp(b.dir, "log-"))
	defer log.Close()
	//nolint:gosec // This program, or the one that its user names.
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Stdout, p.cmd.Stderr = log, os.Stderr
	check(p.cmd.Start())
	b.cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	const timeout, pause = 30 * time.Second, 10 * time.Millisecond
	for range timeout / pause {
		if conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.grpc); err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(pause)
	}
	check(fmt.Errorf("%s does not listen on %s after %s", program, p.grpc, timeout))
}

// memory returns the resident memory of the process in bytes.
func (p *process) memory() float64 {
	statm := must(os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid)))
	resident := must(strconv.ParseFloat(strings.Fields(string(statm))[1], 64))
	return resident * float64(os.Getpagesize())
}

// cpu returns the processor time that the process has used, in microseconds; 0 for no process.
func (p *process) cpu() float64 {
	if p == nil {
		return 0
	}
	stat := must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid)))
	// The name of the program, in parentheses, may contain spaces. A tick is 10 ms.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return 10_000 * (must(strconv.ParseFloat(fields[11], 64)) + must(strconv.ParseFloat(fields[12], 64)))
}
