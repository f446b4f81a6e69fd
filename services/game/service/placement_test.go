package service_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestRematchIsInTheShardOfItsGame(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		for range 5 {
			g := f.create(seat(f.ann), robot)
			if _, err := f.Change(f.Context(), by(f.ann), g.ID, resign(rules.First)); err != nil {
				f.Fatal(err)
			}
			result, err := f.Offer(f.Context(), by(f.ann), g.ID, service.Offer{Kind: game.OfferRematch})
			if err != nil {
				f.Fatal(err)
			}
			if rematch := result.Game.Rematch; rematch == "" || game.PartitionKey(rematch) != game.PartitionKey(g.ID) {
				f.Errorf("the rematch of %s is %q", g.ID, rematch)
			}
		}
	})
}

func TestExternalUserSelectsTheShardOfTheirPlayer(t *testing.T) {
	const key = "the-service-key-of-a-shop-with-32-characters"
	run(t, options{settings: service.Settings{ServiceKeys: map[string]string{"shop": key}}}, func(f *fixture) {
		for _, user := range []string{"1", "2", "3", "4", "5"} {
			caller, err := authenticate(f, f.Service, key, user)
			if err != nil {
				f.Fatal(err)
			}
			if id := caller.Player.ID; id != game.PlacedBy(id, "shop", user) {
				f.Errorf("user %s has the player %s, which is not in the shard of the user", user, id)
			}
		}
	})
}
