package pattern

import "golang.org/x/sys/cpu"

// hasAVX2 is set if the processor has the instructions of the assembly code.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// valueAfterAVX2 is [Weights.ValueAfter] with the tables of a phase, without the constant.
//
//go:noescape
func valueAfterAVX2(t *tables, before *Vector, x int, flipped uint64) int

// playAVX2 is [Pair.Play].
//
//go:noescape
func playAVX2(after, before *Pair, x int, flipped uint64)
