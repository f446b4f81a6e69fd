package sqlstore_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// suffixes are those of all files of a database.
var suffixes = []string{"", "-wal", "-shm", ".lock"}

func TestOnlyTheOwnerCanReadTheFiles(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	check := func(t *testing.T, folder string) {
		s := open(t, folder, sqlstore.Options{})
		defer s.Close()
		commit(t, s, newGame(t, "game"))
		for _, suffix := range suffixes {
			info, err := os.Stat(databaseIn(folder) + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", info.Name(), info.Mode())
			}
		}
	}
	t.Run("new files", func(t *testing.T) { check(t, t.TempDir()) })
	t.Run("files of an older version", func(t *testing.T) {
		folder := t.TempDir()
		open(t, folder, sqlstore.Options{}).Close()
		for _, suffix := range suffixes {
			if err := os.WriteFile(databaseIn(folder)+suffix, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(databaseIn(folder)+suffix, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		check(t, folder)
	})
}

func TestOpenExplainsWhyItCannotWrite(t *testing.T) {
	for name, test := range map[string]struct {
		path    string // within the folder of the test
		prepare func(t *testing.T, path string)
		// The error names the absolute path in at, the error of the system, and what to do.
		at, want, advice string
	}{
		"missing folder": {
			"a/b/games.db", nil, "a/b", "no such file or directory", "create the folder",
		},
		"folder given as file": {
			"games.db", func(t *testing.T, path string) { check(t, os.Mkdir(path, 0o777)) },
			"games.db", "is a directory", "set --data to the path of a file, not of a folder",
		},
		"file given as folder": {
			"file/games.db", func(t *testing.T, path string) { check(t, os.WriteFile(filepath.Dir(path), nil, 0o600)) },
			"file/games.db", "not a directory", "create the folder",
		},
		"file without write permission": {
			"games.db", func(t *testing.T, path string) { check(t, os.WriteFile(path, nil, 0o444)) },
			"games.db", "permission denied", "make the user the owner",
		},
		"folder without write permission": {
			"sub/games.db", func(t *testing.T, path string) { check(t, os.Mkdir(filepath.Dir(path), 0o555)) },
			"sub", "permission denied", "make the user the owner",
		},
		"folder without permission to enter": {
			"sub/games.db", func(t *testing.T, path string) { check(t, os.Mkdir(filepath.Dir(path), 0o600)) },
			"sub/games.db", "permission denied", "make the user the owner",
		},
		"file of another user": {
			"games.db", func(t *testing.T, path string) {
				if os.Getuid() != 0 {
					t.Skip("needs root")
				}
				check(t, os.WriteFile(path, nil, 0o600))
				check(t, os.Chmod(path, 0o666))
			},
			"games.db", "operation not permitted", "make the user the owner",
		},
		"socket": {
			"games.db", func(t *testing.T, path string) {
				lis, err := net.Listen("unix", path)
				check(t, err)
				t.Cleanup(func() { check(t, lis.Close()) })
			},
			"games.db", "not a regular file", "set --data to the path of a file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			user, folder := newUser(t)
			path := filepath.Join(folder, test.path)
			if test.prepare != nil {
				test.prepare(t, path)
			}
			output := user.open(t, path)
			for _, want := range []string{
				"cannot open the database " + path + ": user " + fmt.Sprint(user.uid) + " cannot ",
				filepath.Join(folder, test.at) + ": " + test.want + ": " + test.advice,
			} {
				if !strings.Contains(output, want) {
					t.Errorf("output %q, want %q", output, want)
				}
			}
			if _, err := os.Stat(path + ".lock"); err == nil {
				t.Error("a lock file is left behind")
			}
		})
	}
}

func TestOpenLeavesAFileThatIsNoDatabaseAlone(t *testing.T) {
	for _, content := range []string{"short", "root:x:0:0:root:/root:/bin/bash\n"} {
		path := filepath.Join(t.TempDir(), "passwd")
		check(t, os.WriteFile(path, []byte(content), 0o600))
		check(t, os.Chmod(path, 0o644))
		s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
		if err == nil {
			s.Close()
		}
		want := "cannot open the database " + path + ": the file is not an SQLite database: set --data"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opened %q: %v, want %q", content, err, want)
		}
		info, err := os.Stat(path)
		check(t, err)
		if info.Mode().Perm() != 0o644 {
			t.Errorf("the file has the mode %v now", info.Mode())
		}
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
			t.Errorf("files beside it: %v, %v", files, err)
		}
	}
}

// A file with a lock file was a database, so its format is not checked before SQLite opens it.
func TestOpenNamesADamagedDatabase(t *testing.T) {
	folder := t.TempDir()
	open(t, folder, sqlstore.Options{}).Close()
	path := databaseIn(folder)
	check(t, os.WriteFile(path, []byte(strings.Repeat("damaged", 1000)), 0o600))
	s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
	if err == nil {
		s.Close()
	}
	want := "cannot open the database " + path + ": "
	if err == nil || strings.Count(err.Error(), path) != 1 || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestOpenRejectsAnEmptyPath(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, address := range []string{"", "sqlite:", "sqlite://"} {
		s, err := sqlstore.Open(t.Context(), address, sqlstore.Options{})
		if err == nil {
			s.Close()
			t.Fatalf("opened %q", address)
		}
		if want := "set --data to the path of a file"; !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %q, want %q", address, err, want)
		}
	}
	files, err := os.ReadDir(".")
	check(t, err)
	if len(files) > 0 {
		t.Errorf("files are left behind: %v", files)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// user is a user without special rights: this one, or nobody if this one is root.
type user struct {
	uid     int
	program string // a copy of this test program that the user can run
}

// newUser returns a user and a new folder of theirs.
func newUser(t *testing.T) (u user, folder string) {
	t.Helper()
	u = user{uid: os.Getuid(), program: os.Args[0]}
	if u.uid != 0 {
		return u, t.TempDir()
	}
	u.uid = 65534
	folder, err := os.MkdirTemp("", "sqlstore") //nolint:usetesting // Other users cannot enter t.TempDir.
	check(t, err)
	t.Cleanup(func() { check(t, os.RemoveAll(folder)) })
	u.program = filepath.Join(folder, "program")
	program, err := os.ReadFile(os.Args[0])
	check(t, err)
	check(t, os.WriteFile(u.program, program, 0o755))
	check(t, os.Chmod(folder, 0o777))
	return u, folder
}

// open opens the database at a path as the user, and returns the error text.
func (u user) open(t *testing.T, path string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), u.program)
	cmd.Env = append(os.Environ(), holdVariable+"="+path)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.uid)}}
	}
	output, err := cmd.Output()
	if err == nil {
		t.Fatalf("opened %s", path)
	}
	return string(output)
}
