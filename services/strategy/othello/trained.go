package othello

import (
	"bytes"
	_ "embed"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// trainedFile was made by `go run ./cmd/flipside-train`.
//
//go:embed weights.bin
var trainedFile []byte

// trained is the weights in the binary, unpacked when first asked for.
var trained = sync.OnceValue(func() *pattern.Weights {
	w, err := pattern.Read(bytes.NewReader(trainedFile))
	if err != nil {
		// The file is part of the binary: a test reads it.
		panic(err)
	}
	return w
})
