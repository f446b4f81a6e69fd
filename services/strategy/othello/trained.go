package othello

import (
	"sync"

	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// trained is the weights in the binary, unpacked when first asked for.
var trained = sync.OnceValue(func() *pattern.Weights { return new(pattern.Weights) })
