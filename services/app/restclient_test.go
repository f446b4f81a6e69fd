package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// restClient calls a daemon over REST as one player.
type restClient struct {
	testing.TB
	http.Client
	address, key string
}

// newRESTClient creates a player.
func newRESTClient(t testing.TB, address string) *restClient {
	c := &restClient{TB: t, address: address}
	var created struct{ Key string }
	c.read(c.call("POST", "/v1/players", `{}`), &created)
	c.key = created.Key
	return c
}

// call makes a call and returns the body of its answer. It fails the test unless the status is 200.
func (c *restClient) call(method, path, body string) []byte {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), method, "http://"+c.address+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.key)
	resp, err := c.Do(req)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		c.Fatalf("%s %s: %s, %v: %.300s", method, path, resp.Status, err, answer)
	}
	return answer
}

func (c *restClient) read(answer []byte, into any) {
	c.Helper()
	if err := json.Unmarshal(answer, into); err != nil {
		c.Fatal(err)
	}
}

// createGame creates a game in which the player has both seats, and returns its path.
func (c *restClient) createGame(setup string) string {
	c.Helper()
	var created struct{ Game struct{ ID string } }
	c.read(c.call("POST", "/v1/games", `{"setup":`+setup+`,"seats":[{"caller":{}},{"caller":{}}]}`), &created)
	return "/v1/games/" + created.Game.ID
}

// largestTrios returns the setup of Three Trios on the largest grid, with card names of a length,
// and with blank lines in the deck.
func largestTrios(name, blanks int) string {
	grid := "16 16\n" + strings.Repeat(strings.Repeat("C", 16)+"\n", 15) + strings.Repeat("C", 15) + "X\n"
	var deck strings.Builder
	for i := range 256 {
		fmt.Fprintf(&deck, "%02x%s %d %d A 1\n", i, strings.Repeat("n", name-2), i%9+1, i%7+1)
	}
	deck.WriteString(strings.Repeat("\n", blanks))
	text, err := json.Marshal(map[string]any{"threeTrios": map[string]string{"grid": grid, "deck": deck.String()}})
	if err != nil {
		panic(err)
	}
	return string(text)
}
