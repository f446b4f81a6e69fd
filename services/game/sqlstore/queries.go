package sqlstore

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// gameColumns are the columns that gameRow.fields scans.
const gameColumns = `g.id, g.creator, g.visibility, g.seats, g.state, g.version, g.position,
	g.first_moves, g.second_moves, g.last_cell, g.winner, g.ending,
	g.created, g.updated, g.turn_since, g.deadline, g.first_left, g.second_left, g.extras,
	g.last_change`

// webhookColumns are the columns that scanWebhook scans.
const webhookColumns = `w.player, w.service, w.url, w.secret, w.created, w.updated, w.cursor,
	w.failures, w.failing_since, w.last_failure, w.next_attempt, w.disabled`

// The queries of readers.
const (
	selectGame = `SELECT ` + gameColumns + `, e.data
		FROM games g JOIN events e ON e.game_id = g.id AND e.version = 1 WHERE g.id = $1`

	selectGameIfChanged = `SELECT ` + gameColumns + ` FROM games g WHERE g.id = $1 AND g.version <> $2`

	selectFirstEvent = `SELECT data FROM events WHERE game_id = $1 AND version = 1`

	selectGamesAfter = `SELECT ` + gameColumns + ` FROM games g WHERE g.id > $1 ORDER BY g.id LIMIT $2`

	selectEvents = `SELECT version, time, data FROM events WHERE game_id = $1 AND version > $2
		ORDER BY version LIMIT $3`

	// selectLastEvent finds the kind of an event in the first characters of its JSON.
	selectLastEvent = `SELECT version, time, data FROM events WHERE game_id = $1 AND version <= $2
		AND substr(data, 1, 12) IN ($3, $4, $5, $6) ORDER BY version DESC LIMIT 1`

	selectRequest = `SELECT fingerprint, game_id, version, last_version FROM events
		WHERE caller = $1 AND request_id = $2 AND request_id <> ''`

	// PostgreSQL merges the two parts only if each has its own ORDER BY.
	//nolint:unqueryvet // The columns are named inside.
	selectTurns = `SELECT f.* FROM (SELECT ` + gameColumns + ` FROM games g
			WHERE g.first_player = $1 AND g.first_player <> '' AND g.last_change > $2
			ORDER BY g.last_change) f
		UNION ALL SELECT s.* FROM (SELECT ` + gameColumns + ` FROM games g
			WHERE g.second_player = $1 AND g.second_player <> '' AND g.first_player <> $1
			AND g.last_change > $2 ORDER BY g.last_change) s
		ORDER BY last_change ` + turnsLimit

	selectSettled = `SELECT coalesce(max(seq), 0) FROM events`

	selectCounters = `SELECT state, CAST(sum(games) AS bigint) FROM counters GROUP BY state`

	selectDueRobots = `SELECT id, robot_since FROM games WHERE robot_since > 0 AND lease_until <= $1
		ORDER BY robot_since LIMIT $2`

	selectDueClocks = `SELECT id, deadline FROM games WHERE deadline > 0 AND deadline < $1 AND lease_until <= $2
		ORDER BY deadline LIMIT $3`

	selectOldestRobotTurn = `SELECT robot_since FROM games WHERE robot_since > 0 AND lease_until <= $1
		ORDER BY robot_since LIMIT 1`

	selectFirstDeadline = `SELECT deadline FROM games WHERE deadline > 0 ORDER BY deadline LIMIT 1`

	selectServing = `SELECT started, last FROM serving ORDER BY started`

	// Only PostgreSQL has a clock of its own.
	selectServerTime = `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000`

	selectShard = `SELECT shard, of_count FROM shards WHERE id = 1`

	selectInvitations = `SELECT count(*) FROM games WHERE creator = $1 AND invitations > 0`

	selectPlayer = `SELECT name, created, service, key_hash FROM players WHERE id = $1`

	selectExternalPlayer = `SELECT p.id, p.name, p.created, p.service
		FROM external_players e JOIN players p ON p.id = e.player_id
		WHERE e.service = $1 AND e.external_id = $2`

	selectWebhook = `SELECT ` + webhookColumns + ` FROM webhooks w
		WHERE w.player = $1 AND w.service = $2`

	// selectDueWebhooks reads the index of enabled webhooks in order. No webhook has fewer failures
	// than 0.
	selectDueWebhooks = `SELECT ` + webhookColumns + ` FROM webhooks w
		WHERE w.disabled = 0 AND w.failures >= 0 AND w.next_attempt <= $1 AND w.lease_until <= $1
		AND CASE WHEN w.player <> '' THEN EXISTS (SELECT 1 FROM games g
				WHERE g.first_player = w.player AND g.first_player <> '' AND g.last_change > w.cursor)
			OR EXISTS (SELECT 1 FROM games g
				WHERE g.second_player = w.player AND g.second_player <> '' AND g.last_change > w.cursor)
		ELSE EXISTS (SELECT 1 FROM games g
				WHERE g.first_service = w.service AND g.first_service <> '' AND g.last_change > w.cursor)
			OR EXISTS (SELECT 1 FROM games g
				WHERE g.second_service = w.service AND g.second_service <> ''
				AND g.last_change > w.cursor) END
		ORDER BY w.failures, w.next_attempt LIMIT $2`

	selectListed = `SELECT version, state, first_player, second_player FROM games WHERE id = $1`
)

const (
	// nextChange is the number of a change: on SQLite the sequence number of its first event, on
	// PostgreSQL the id of its transaction.
	nextChange = `(SELECT coalesce(max(seq), 0) + 1 FROM events)`

	// turnsLimit limits the rows of selectTurns. On PostgreSQL, rows with the same number of a
	// change are not separated.
	turnsLimit = `LIMIT ($3)`

	// lastPeriod is the start of the last period in the table serving.
	lastPeriod = `(SELECT max(started) FROM serving)`

	// lastServed is the last heartbeat of any process, 0 before the first.
	lastServed = `coalesce((SELECT last FROM serving WHERE last > 0 ORDER BY started DESC LIMIT 1), 0)`

	// requestSeen finds the request of a change, if it was committed before.
	requestSeen = `EXISTS (SELECT 1 FROM events
		WHERE caller = $21 AND request_id = $22 AND request_id <> '')`
)

// The statements of the writer. All statements of a change are sent together, before the result of
// the first one is known. If the first one changed no row, the others must not either. They check
// that the game has the new version but no event of that version yet, which is true only between
// the first and the last statement of a change.
const (
	insertGame = `INSERT INTO games (seats, first_player, second_player, state, version, position,
		first_moves, second_moves, last_cell, winner, ending, updated, turn_since, deadline,
		first_left, second_left, robot_since, lease_holder, lease_until, id, extras, invitations,
		first_service, second_service, creator, visibility, created, last_change)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
		$20, $23, $24, $25, $26, $27, $28, $29, ` + nextChange + `
		WHERE NOT ` + requestSeen + ` ON CONFLICT DO NOTHING`

	updateGame = `UPDATE games SET seats = $1, first_player = $2, second_player = $3, state = $4,
		version = $5, position = $6, first_moves = $7, second_moves = $8, last_cell = $9,
		winner = $10, ending = $11, updated = $12, turn_since = $13, deadline = $14,
		first_left = $15, second_left = $16, robot_since = $17, lease_holder = $18,
		lease_until = $19, extras = $23, invitations = $24, first_service = $25,
		second_service = $26, last_change = ` + nextChange + `
		WHERE id = $20 AND version = $27 AND NOT ` + requestSeen

	insertEvent = `INSERT INTO events
		(game_id, version, time, data, caller, request_id, fingerprint, last_version)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM games
		WHERE id = $1 AND version = $8 ON CONFLICT (game_id, version) DO NOTHING`

	insertListing = `INSERT INTO listings (viewer, player, state, kind, game_id)
		SELECT $1, $2, $3, $4, $5
		WHERE EXISTS (SELECT 1 FROM games WHERE id = $5 AND version = $6)
		AND NOT EXISTS (SELECT 1 FROM events WHERE game_id = $5 AND version = $6)`

	deleteListing = `DELETE FROM listings
		WHERE viewer = $1 AND player = $2 AND state = $3 AND kind = $4 AND game_id = $5
		AND EXISTS (SELECT 1 FROM games WHERE id = $5 AND version = $6)
		AND NOT EXISTS (SELECT 1 FROM events WHERE game_id = $5 AND version = $6)`

	addToCounter = `UPDATE counters SET games = games + $1 WHERE state = $2
		AND EXISTS (SELECT 1 FROM games WHERE id = $3 AND version = $4)
		AND NOT EXISTS (SELECT 1 FROM events WHERE game_id = $3 AND version = $4)`

	updateLease = `UPDATE games SET lease_holder = $1, lease_until = $2
		WHERE id = $3 AND version = $4 AND (lease_until <= $5 OR lease_holder = $1)`

	extendServing = `UPDATE serving SET last = CASE WHEN last < $1 THEN $1 ELSE last END
		WHERE started = ` + lastPeriod + ` AND last >= $2`

	// These three begin a period. The others check that the first one inserted the row, which is
	// complete when the last one has run. An outage before the first period is unknown.
	beginServing = `INSERT INTO serving (started, last, previous)
		SELECT $1, 0, coalesce(` + lastPeriod + `, 0) WHERE ` + lastServed + ` < $2
		ON CONFLICT DO NOTHING`

	moveDeadlines = `UPDATE games SET deadline = deadline + $1 -
			CASE WHEN turn_since > ` + lastServed + ` THEN turn_since ELSE ` + lastServed + ` END
		WHERE deadline > 0 AND turn_since < $1 AND ` + lastServed + ` > 0
		AND EXISTS (SELECT 1 FROM serving WHERE started = $1 AND last = 0)`

	confirmServing = `UPDATE serving SET last = $1 WHERE started = $1 AND last = 0`

	insertShard = `INSERT INTO shards (id, shard, of_count) VALUES (1, $1, $2) ON CONFLICT DO NOTHING`

	insertPlayer = `INSERT INTO players (id, name, created, key_hash) VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`

	updateKeyHash = `UPDATE players SET key_hash = $1 WHERE id = $2`

	insertExternalPlayer = `INSERT INTO external_players (service, external_id, player_id)
		SELECT $1, $2, $3
		WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = $3) ON CONFLICT DO NOTHING`

	insertPlayerOfService = `INSERT INTO players (id, name, created, service) SELECT $1, $2, $3, $4
		WHERE EXISTS (SELECT 1 FROM external_players
			WHERE service = $4 AND external_id = $5 AND player_id = $1)
		ON CONFLICT DO NOTHING`

	upsertWebhook = `INSERT INTO webhooks (player, service, url, secret, created, updated, cursor)
		VALUES ($1, $2, $3, $4, $5, $6, (` + selectSettled + `))
		ON CONFLICT (player, service) DO UPDATE SET url = excluded.url, secret = excluded.secret,
		updated = excluded.updated, failures = 0, failing_since = 0, last_failure = '',
		next_attempt = 0, disabled = 0, lease_holder = '', lease_until = 0
		WHERE webhooks.updated < excluded.updated`

	deleteWebhook = `DELETE FROM webhooks WHERE player = $1 AND service = $2`

	leaseWebhook = `UPDATE webhooks SET lease_holder = $1, lease_until = $2
		WHERE player = $3 AND service = $4 AND updated = $5 AND cursor = $6 AND next_attempt = $7
		AND disabled = 0 AND lease_until <= $8`

	endDelivery = `UPDATE webhooks SET cursor = $1, failures = $2, failing_since = $3,
		last_failure = $4, next_attempt = $5, disabled = $6, lease_holder = '', lease_until = 0
		WHERE player = $7 AND service = $8 AND lease_holder = $9`
)

// selectServiceTurns is selectTurns with the services of the players.
var selectServiceTurns = strings.NewReplacer(
	"first_player", "first_service", "second_player", "second_service").Replace(selectTurns)

var (
	allStates = []game.State{
		game.StateWaiting, game.StateActive, game.StateFinished, game.StateAborted,
	}
	allKinds = []rules.Kind{rules.Reversi, rules.ThreeTrios}
)

// selectGames returns the query for a list and its arguments. A list is the union of ranges of the
// primary key of listings, one for each requested viewer, state and kind. The database merges the
// ranges and stops at the limit, so the time does not grow with the number of games. PostgreSQL
// merges only ranges that have their own ORDER BY. The order of the rows of the result is
// undefined.
func selectGames(f game.Filter) (string, []any) {
	viewers, states, kinds := []string{anyViewer}, allStates, allKinds
	if f.Viewer != "" {
		viewers = append(viewers, f.Viewer)
	}
	if len(f.States) > 0 {
		states = f.States
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
				ranges = append(ranges, fmt.Sprintf(`SELECT game_id FROM (SELECT game_id FROM listings
					WHERE viewer = %s AND player = $1 AND state = %s AND kind = %s%s ORDER BY game_id DESC) r`,
					viewer, state, bind(string(kind)), before))
			}
		}
	}
	list := strings.Join(ranges, " UNION ALL ") + " ORDER BY game_id DESC LIMIT $2"
	return `SELECT ` + gameColumns + ` FROM (` + list + `) l JOIN games g ON g.id = l.game_id`, args
}
