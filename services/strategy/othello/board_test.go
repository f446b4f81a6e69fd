package othello

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// naiveFlips computes flips by walking the eight lines cell by cell.
func naiveFlips(b Board, x Square) (flipped uint64) {
	for dir := range 9 {
		df, dr := dir%3-1, dir/3-1
		if df == 0 && dr == 0 {
			continue
		}
		var run uint64
		for f, r := int(x)%8+df, int(x)/8+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
			cell := uint64(1) << (f + 8*r)
			if b.Mover&cell != 0 {
				flipped |= run
				break
			}
			if b.Opponent&cell == 0 {
				break
			}
			run |= cell
		}
	}
	return flipped
}

func naiveMoves(b Board) (moves uint64) {
	for x := range Square(64) {
		if b.Empty()>>x&1 != 0 && naiveFlips(b, x) != 0 {
			moves |= 1 << x
		}
	}
	return moves
}

// randomGame returns the board after random moves from the start, with this many empty cells or at
// the end of the game.
func randomGame(r *rand.Rand, empties int) Board {
	b := Start()
	for b.Empties() > empties {
		moves := b.Moves()
		if moves == 0 {
			if b.Pass().Moves() == 0 {
				return b
			}
			b = b.Pass()
			continue
		}
		for range r.IntN(bits.OnesCount64(moves)) {
			moves &= moves - 1
		}
		b = b.Play(first(moves))
	}
	return b
}

// FuzzBoard compares moves and flips with a walk along the lines, on arbitrary sets of discs. The
// portable code must hold wherever there is another one.
func FuzzBoard(f *testing.F) {
	f.Add(Start().Mover, Start().Opponent)
	f.Add(uint64(1)<<63|1, ^(uint64(1)<<63 | 1<<27 | 1))
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		f.Add(r.Uint64(), r.Uint64())
		b := randomGame(r, r.IntN(56))
		f.Add(b.Mover, b.Opponent)
	}
	f.Fuzz(checkBoard)
}

func checkBoard(t *testing.T, mover, opponent uint64) {
	b := Board{mover &^ opponent, opponent &^ mover}
	p, o, moves := b.Mover, b.Opponent, naiveMoves(b)
	if got, portable := legalMoves(p, o), legalMovesPortable(p, o); got != moves || portable != moves {
		t.Errorf("moves of %x: %x, portable %x, want %x", b, got, portable, moves)
	}
	var got, portable [64]move
	expand(p, o, moves, &got)
	expandPortable(p, o, moves, &portable)
	i := 0
	for empty := b.Empty(); empty != 0; empty &= empty - 1 {
		x := first(empty)
		want := naiveFlips(b, x)
		if got, portable := flips(p, o, x), flipsPortable(p, o, x); got != want || portable != want {
			t.Errorf("flips of %x at %v: %x, portable %x, want %x", b, x, got, portable, want)
		}
		if want == 0 {
			continue
		}
		after := move{x: x, flips: want, replies: naiveMoves(b.makeMove(x, want))}
		if got[i] != after || portable[i] != after {
			t.Errorf("move of %x at %v: %+v, portable %+v, want %+v", b, x, got[i], portable[i], after)
		}
		i++
	}
}

// perftFreePasses is the other usual definition of perft: a pass counts as no ply.
func perftFreePasses(b Board, depth int) (leaves int64) {
	moves := b.Moves()
	if depth == 0 || moves == 0 && b.Pass().Moves() == 0 {
		return 1
	}
	if moves == 0 {
		return perftFreePasses(b.Pass(), depth)
	}
	for ; moves != 0; moves &= moves - 1 {
		leaves += perftFreePasses(b.Play(first(moves)), depth-1)
	}
	return leaves
}

func TestPerft(t *testing.T) {
	for depth, want := range []int64{1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288} {
		if got := Perft(Start(), depth); got != want {
			t.Errorf("perft %d: %d, want %d", depth, got, want)
		}
	}
	if testing.Short() {
		return
	}
	if got, want := perftFreePasses(Start(), 9), int64(3005320); got != want {
		t.Errorf("perft 9 with free passes: %d, want %d", got, want)
	}
}

func BenchmarkPerft11(b *testing.B) {
	for b.Loop() {
		if leaves := Perft(Start(), 11); leaves != 212258800 {
			b.Fatal(leaves)
		}
	}
	b.ReportMetric(212258800*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
