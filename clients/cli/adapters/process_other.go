//go:build !unix

package adapters

import "os/exec"

// group returns a function that kills a command. The system has no process groups.
func group(cmd *exec.Cmd) (kill func() error) {
	return func() error { return cmd.Process.Kill() }
}
