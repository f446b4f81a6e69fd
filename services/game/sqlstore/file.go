package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
	codes "modernc.org/sqlite/lib"
)

const (
	// lockSuffix names the lock file beside a database.
	lockSuffix = ".lock"
	// ownerOnly is the mode of all files: the database has the hashes of keys, and any user who can
	// read the lock file can lock it.
	ownerOnly fs.FileMode = 0o600
)

// lockFile locks a database against other processes and other stores of this process. It creates
// missing files first. The lock is an open transaction on a file beside the database and ends with
// the process. The file remains.
func lockFile(ctx context.Context, path string) (*sql.DB, error) {
	if err := checkFormat(path); err != nil {
		return nil, err
	}
	if err := prepareFiles(path); err != nil {
		return nil, err
	}
	lock, err := openFile(path+lockSuffix, "_pragma=busy_timeout(0)", 1)
	if err != nil {
		return nil, err
	}
	if _, err := lock.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		lock.Close()
		if codeOf(err) == codes.SQLITE_BUSY {
			return nil, fmt.Errorf("the database %s is in use by another process", path)
		}
		return nil, fmt.Errorf("lock the database %s: %w", path, failure(err))
	}
	return lock, nil
}

// checkFormat returns an error for a file that is no database, so that nothing changes its mode. It
// does not open a file with a lock file, which is a database: closing it would end the locks of a
// store of this process.
func checkFormat(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // prepareFiles creates it or explains the error.
	}
	if _, err := os.Stat(path + lockSuffix); err == nil {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil //nolint:nilerr // prepareFiles explains the error.
	}
	defer file.Close()
	const format = "SQLite format 3\x00"
	start := make([]byte, len(format))
	if _, err := io.ReadFull(file, start); err != nil || string(start) != format {
		return fmt.Errorf("cannot open the database %s: the file is not an SQLite database: "+
			"set --data to the path of a new file or of a database", path)
	}
	return nil
}

// prepareFiles creates the file of a database and its lock file, and makes all files beside it
// private. It returns an error if this user cannot write to one of them.
func prepareFiles(path string) error {
	folder := filepath.Dir(path)
	err := prepareFile(path, false)
	if err == nil {
		err = access(folder, unix.W_OK|unix.X_OK)
	}
	for _, suffix := range []string{"", lockSuffix, "-wal", "-shm"} {
		if err == nil {
			err = prepareFile(path+suffix, suffix == "" || suffix == lockSuffix)
		}
	}
	cause, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	action := "write to"
	if cause.Op == "chmod" {
		action = "change the mode of"
	}
	return fmt.Errorf("cannot open the database %s: user %d cannot %s %s: %w: %s",
		path, os.Geteuid(), action, cause.Path, cause.Err, advice(cause.Err))
}

// prepareFile checks one file and makes it private. It creates a missing file if create is set. It
// does not open a file that exists: closing it would end the locks of a store of this process.
func prepareFile(path string, create bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, ownerOnly)
		if err != nil {
			return err
		}
		return file.Close()
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err := access(path, unix.R_OK|unix.W_OK); err != nil {
		return err
	}
	if info.Mode().Perm()&^ownerOnly == 0 {
		return nil
	}
	return os.Chmod(path, info.Mode().Perm()&ownerOnly)
}

// access returns an error unless this user has the rights in mode on a path.
func access(path string, mode uint32) error {
	if err := unix.Access(path, mode); err != nil {
		return &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

// advice names what an operator can do about an error of a file system.
func advice(err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "set --data to the path of a file, not of a folder"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "create the folder, or set --data to another path"
	case errors.Is(err, syscall.EROFS):
		return "mount the file system for writing, or set --data to another path"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free space on the disk, or set --data to another path"
	case errors.Is(err, fs.ErrPermission):
		return "make the user the owner of the file and of its folder, or set --data to another path"
	}
	return "set --data to the path of a file"
}
