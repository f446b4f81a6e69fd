package sqlstore

import "strings"

// writes are the statements of the writer. PostgreSQL prepares them.
var writes = []string{
	insertGame, updateGame, insertEvent, insertListing, deleteListing, addToCounter, updateLease,
	extendServing, beginServing, moveDeadlines, confirmServing, insertShard, insertPlayer,
	updateKeyHash, insertExternalPlayer, insertPlayerOfService, upsertWebhook, deleteWebhook,
	leaseWebhook, endDelivery,
}

// changeNumber is nextChange on PostgreSQL.
const changeNumber = `(SELECT base + pg_current_xact_id()::text::bigint FROM changes WHERE id = 1)`

// postgresParts replaces the parts of statements that differ on PostgreSQL, where transactions run
// at the same time.
//
// The id of a transaction numbers its changes. Transactions do not commit in the order of their
// ids, so changes are settled only up to the oldest transaction that still runs. A count of games
// gets a new row with each change of state. A heartbeat skips a period that another process
// extends.
var postgresParts = strings.NewReplacer(
	nextChange, changeNumber,
	selectSettled, `SELECT base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1
		FROM changes WHERE id = 1`,
	turnsLimit, `FETCH FIRST ($3) ROWS WITH TIES`,
	`UPDATE counters SET games = games + $1 WHERE state = $2
		AND`, `INSERT INTO counters (games, state) SELECT $1, $2 WHERE`,
	`= `+lastPeriod+` AND last >=`, `= (SELECT started FROM serving WHERE started > 0
		ORDER BY started DESC LIMIT 1 FOR UPDATE SKIP LOCKED) AND last >=`,
)

// postgresTexts maps the statements that differ on PostgreSQL.
var postgresTexts = func() map[string]string {
	texts := map[string]string{}
	for _, text := range append([]string{selectTurns, selectServiceTurns, selectSettled}, writes...) {
		if other := postgresParts.Replace(text); other != text {
			texts[text] = other
		}
	}
	return texts
}()

// postgresText returns a statement for PostgreSQL.
func postgresText(text string) string {
	if other, ok := postgresTexts[text]; ok {
		return other
	}
	return text
}

// The statements that only PostgreSQL has.
const (
	// mergeCounters merges the rows of each count. It skips rows that another process merges.
	mergeCounters = `WITH merged AS (
			DELETE FROM counters WHERE ctid = ANY (ARRAY(
				SELECT ctid FROM counters LIMIT 10000 FOR UPDATE SKIP LOCKED))
			AND (SELECT count(*) FROM counters) > 200 RETURNING state, games)
		INSERT INTO counters (state, games) SELECT state, sum(games) FROM merged GROUP BY state`

	// moveBase makes the numbers of changes continue on another server, after a backup was restored
	// there.
	moveBase = `UPDATE changes SET server = system_identifier,
			base = (SELECT coalesce(max(last_change), 0) FROM games)
		FROM pg_control_system() WHERE id = 1 AND server <> system_identifier`
)
