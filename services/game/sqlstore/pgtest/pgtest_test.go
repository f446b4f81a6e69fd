package pgtest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// holdVariable makes this test program start a server, print the folder of its data, and wait to be
// killed.
const holdVariable = "PGTEST_TEST_HOLD"

func TestMain(m *testing.M) {
	if os.Getenv(holdVariable) != "" {
		if _, err := sharedServer(); err != nil {
			os.Stdout.WriteString(err.Error())
			os.Exit(1)
		}
		os.Stdout.WriteString(shared.folder + "\n")
		select {}
	}
	os.Exit(m.Run())
}

func TestDatabasesAreSeparate(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), Database(t))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), "CREATE TABLE items (n INT)"); err != nil {
			t.Error(err)
		}
	}
}

func TestRestartKeepsData(t *testing.T) {
	server, address := Start(t)
	run := func(statement string) error {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			return err
		}
		defer conn.Close(t.Context())
		_, err = conn.Exec(t.Context(), statement)
		return err
	}
	if err := run("CREATE TABLE items (n INT)"); err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if run("SELECT 1") == nil {
		t.Error("a stopped server accepts connections")
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := run("INSERT INTO items VALUES (1)"); err != nil {
		t.Error(err)
	}
}

func TestServerStopsWhenItsProgramIsKilled(t *testing.T) {
	if _, err := findPrograms(); err != nil {
		skip(t, err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Env = append(os.Environ(), holdVariable+"=1", urlVariable+"=")
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	folder, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, folder)
	}
	folder = strings.TrimSpace(folder)
	if _, err := os.Stat(folder); err != nil {
		t.Fatal(err)
	}
	program.Process.Kill()
	program.Wait()
	for end := time.Now().Add(30 * time.Second); ; <-time.After(10 * time.Millisecond) {
		if _, err := os.Stat(folder); os.IsNotExist(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s still exists", folder)
		}
	}
}
