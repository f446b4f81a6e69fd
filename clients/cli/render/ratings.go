package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flipside-games/flipside/clients/cli/ratings"
)

// Ratings are strategies with their ratings, the strongest first.
type Ratings struct {
	Ratings []Rating `json:"ratings"`
}

// Rating is the rating of a strategy and the half width of its 95 % interval, in Elo.
type Rating struct {
	Strategy string  `json:"strategy"`
	Elo      float64 `json:"elo"`
	EloError float64 `json:"eloError"`
}

// NewRatings sorts the ratings of strategies.
func NewRatings(names []string, fitted []ratings.Rating) Ratings {
	var all Ratings
	for i, rating := range fitted {
		all.Ratings = append(all.Ratings, Rating{names[i], rating.Elo, rating.Error})
	}
	slices.SortStableFunc(all.Ratings, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	return all
}

// Table aligns the ratings in a table. The mean of all is 0.
func (r Ratings) Table() string {
	rows := []string{Row("STRATEGY", "ELO", "")}
	for _, each := range r.Ratings {
		rows = append(rows,
			Row(each.Strategy, fmt.Sprintf("%+.0f", each.Elo), fmt.Sprintf("± %.0f", each.EloError)))
	}
	return Table(rows...)
}
