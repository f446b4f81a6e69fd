package sqlstore

import (
	"context"
	"fmt"
)

// Shard is the place of a database in the list of those that share the games of a server. The zero
// value is the only one.
type Shard struct {
	// Number is the place from 0.
	Number int
	// Count is the length of the list; 0 stands for 1.
	Count int
}

func (s Shard) count() int { return max(s.Count, 1) }

// claimShard records the place of the database in the list. It returns an error if the database has
// another place, since its games would not be found.
func (s *Store) claimShard(ctx context.Context, claimed Shard) error {
	if _, err := s.write(ctx, insertShard, claimed.Number, claimed.count()); err != nil {
		return err
	}
	var stored Shard
	if err := s.queryRow(ctx, []any{&stored.Number, &stored.Count}, selectShard); err != nil {
		return err
	}
	if stored.Number != claimed.Number || stored.Count != claimed.count() {
		return fmt.Errorf("it is database %d of %d, but it is listed as database %d of %d: "+
			"list the same databases in the same order as before",
			stored.Number+1, stored.Count, claimed.Number+1, claimed.count())
	}
	return nil
}
