//go:build unix

package adapters

import (
	"os/exec"
	"syscall"
)

// group starts a command in a process group of its own, and returns a function that kills the
// group.
func group(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
