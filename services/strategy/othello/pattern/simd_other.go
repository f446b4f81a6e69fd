//go:build !amd64

package pattern

const hasAVX2 = false

func valueAfterAVX2(*tables, *Vector, int, uint64) int { panic("no AVX2") }

func playAVX2(*Pair, *Pair, int, uint64) { panic("no AVX2") }
