package sqlstore

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// gameColumns are the columns that row.fields scans.
const gameColumns = `g.id, g.creator, g.visibility, g.seats, g.state, g.version, g.position, g.first_moves, g.second_moves,
	g.last_cell, g.winner, g.ending, g.created, g.updated`

// What readers ask.
const (
	selectGame = `SELECT ` + gameColumns + ` FROM games g WHERE g.id = $1`

	selectGamesAfter = `SELECT ` + gameColumns + ` FROM games g WHERE g.id > $1 ORDER BY g.id LIMIT $2`

	selectEvents = `SELECT version, time, data FROM events WHERE game_id = $1 AND version > $2 ORDER BY version LIMIT $3`

	selectRequest = `SELECT fingerprint, game_id, first_version, last_version FROM requests WHERE caller = $1 AND id = $2`

	selectTurns = `SELECT t.change_seq, ` + gameColumns + ` FROM turns t JOIN games g ON g.id = t.game_id
		WHERE t.player_id = $1 AND t.change_seq > $2 ORDER BY t.change_seq LIMIT $3`

	selectCounters = `SELECT name, value FROM counters`

	selectCounter = `SELECT value FROM counters WHERE name = $1`

	selectDueRobots = `SELECT id FROM games WHERE robot_since > 0 AND lease_until <= $1 ORDER BY robot_since LIMIT $2`

	selectOldestRobotTurn = `SELECT robot_since FROM games WHERE robot_since > 0 ORDER BY robot_since LIMIT 1`

	selectPlayer = `SELECT name, created, key_hash FROM players WHERE id = $1`

	selectExternalPlayer = `SELECT p.id, p.name, p.created FROM external_players e JOIN players p ON p.id = e.player_id
		WHERE e.service = $1 AND e.external_id = $2`
)

// What the writer asks and does.
const (
	selectBefore = `SELECT version, seats, state, change_seq FROM games WHERE id = $1`

	insertGame = `INSERT INTO games (state, version, position, first_moves, second_moves, last_cell, winner, ending, updated,
		robot_since, lease_holder, lease_until, change_seq, id, seats, creator, visibility, created)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`

	updateGame = `UPDATE games SET state = $1, version = $2, position = $3, first_moves = $4, second_moves = $5,
		last_cell = $6, winner = $7, ending = $8, updated = $9, robot_since = $10, lease_holder = $11, lease_until = $12,
		change_seq = $13 WHERE id = $14`

	updateSeats = `UPDATE games SET seats = $1 WHERE id = $2`

	insertEvent = `INSERT INTO events (game_id, version, time, data) VALUES ($1, $2, $3, $4)`

	insertRequest = `INSERT INTO requests (caller, id, fingerprint, game_id, first_version, last_version)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`

	insertTurn = `INSERT INTO turns (player_id, change_seq, game_id) VALUES ($1, $2, $3)`
	updateTurn = `UPDATE turns SET change_seq = $1 WHERE player_id = $2 AND change_seq = $3`
	deleteTurn = `DELETE FROM turns WHERE player_id = $1 AND change_seq = $2`

	insertListing = `INSERT INTO listings (viewer, player, state, kind, game_id) VALUES ($1, $2, $3, $4, $5)`
	deleteListing = `DELETE FROM listings WHERE viewer = $1 AND player = $2 AND state = $3 AND kind = $4 AND game_id = $5`

	addToCounter = `UPDATE counters SET value = value + $1 WHERE name = $2`

	updateLease = `UPDATE games SET lease_holder = $1, lease_until = $2
		WHERE id = $3 AND version = $4 AND (lease_until <= $5 OR lease_holder = $1)`

	insertPlayer = `INSERT INTO players (id, name, created, key_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

	updateKeyHash = `UPDATE players SET key_hash = $1 WHERE id = $2`

	insertExternalPlayer = `INSERT INTO external_players (service, external_id, player_id) VALUES ($1, $2, $3)`
)

var (
	allStates = []game.State{game.Waiting, game.Active, game.Finished, game.Aborted}
	allKinds  = []rules.Kind{rules.Reversi, rules.ThreeTrios}
)

// selectGames returns the query for a list and its arguments. Each list is the union of ranges of the key of listings:
// one for each viewer, state and kind that are asked for. The database merges them in order and stops at the limit,
// so the time does not grow with the number of games. The rows come in no order.
func selectGames(f game.Filter) (string, []any) {
	viewers, states, kinds := []string{everybody}, allStates, allKinds
	if f.Viewer != "" {
		viewers = append(viewers, f.Viewer)
	}
	if f.State != "" {
		states = []game.State{f.State}
	}
	if f.Kind != "" {
		kinds = []rules.Kind{f.Kind}
	}
	args := []any{f.Player, f.Limit}
	bind := func(arg any) string {
		args = append(args, arg)
		return fmt.Sprintf("$%d", len(args))
	}
	before := ""
	if f.Before != "" {
		before = " AND game_id < " + bind(f.Before)
	}
	var ranges []string
	for _, viewer := range viewers {
		viewer := bind(viewer)
		for _, state := range states {
			state := bind(string(state))
			for _, kind := range kinds {
				ranges = append(ranges, fmt.Sprintf(`SELECT game_id FROM listings
					WHERE viewer = %s AND player = $1 AND state = %s AND kind = %s%s`, viewer, state, bind(string(kind)), before))
			}
		}
	}
	list := strings.Join(ranges, " UNION ALL ") + " ORDER BY game_id DESC LIMIT $2"
	return `SELECT ` + gameColumns + ` FROM (` + list + `) l JOIN games g ON g.id = l.game_id`, args
}
