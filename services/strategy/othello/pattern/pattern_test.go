package pattern

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// randomWeights returns weights for some contents of every pattern that a file stores without
// rounding.
func randomWeights(r *rand.Rand) *Weights {
	w := new(Weights)
	for pattern := range Count {
		size := patterns[pattern].size()
		for range 2000 {
			w.Set(r.IntN(Phases), pattern, r.IntN(size), step*(r.IntN(255)-127))
		}
	}
	for n := range w.bias {
		w.SetBias(n, r.IntN(1000)-500)
	}
	return w
}

// sides returns two disjoint random sets of discs.
func sides(r *rand.Rand) (mover, opponent uint64) {
	mover = r.Uint64()
	return mover, r.Uint64() &^ mover
}

// TestContentsMatchTheCells computes the content of every instance cell by cell.
func TestContentsMatchTheCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		mover, opponent := sides(r)
		var got [Words * lanes]uint16
		pair := PairOf(mover, opponent)
		pair.Contents(&got)
		lane := 0
		for _, p := range patterns {
			for _, instance := range p.instances() {
				want := 0
				for i, x := range instance {
					want += powers[i] * int(mover>>x&1+2*(opponent>>x&1))
				}
				if int(got[lane]) != want {
					t.Errorf("%s, lane %d: %d, want %d", p.name, lane, got[lane], want)
				}
				lane++
			}
		}
		if want := len(Lanes()); lane != want {
			t.Errorf("%d lanes, want %d", lane, want)
		}
	}
}

func TestPlayEqualsPairOf(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	w := randomWeights(r)
	for range 1000 {
		mover, opponent := sides(r)
		empty := ^(mover | opponent)
		flipped := opponent & r.Uint64()
		if empty == 0 || flipped == 0 {
			continue
		}
		x := bits.TrailingZeros64(empty)
		before, got := PairOf(mover, opponent), Pair{}
		got.Play(&before, x, flipped)
		if want := PairOf(opponent^flipped, mover|flipped|1<<x); got != want {
			t.Errorf("board %x %x, move %d, flips %x: %v, want %v",
				mover, opponent, x, flipped, got, want)
		}
		n := bits.OnesCount64(empty) - 1
		passed := before.Passed()
		if got, want := w.ValueAfter(&passed, x, flipped, n), w.Value(&got, n); got != want {
			t.Errorf("board %x %x, move %d, flips %x: value %d, want %d",
				mover, opponent, x, flipped, got, want)
		}
		var portable Pair
		portable.playPortable(&before, x, flipped)
		if portable != got {
			t.Errorf("board %x %x, move %d, flips %x: portable %v", mover, opponent, x, flipped, portable)
		}
		if portable := w.valueAfterPortable(&passed, x, flipped, n); portable != w.Value(&got, n) {
			t.Errorf("board %x %x, move %d, flips %x: portable %d", mover, opponent, x, flipped, portable)
		}
	}
}

func TestSymmetricBoardsHaveTheSameValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	w := randomWeights(r)
	imageOf := func(set uint64, symmetry int) (images uint64) {
		for ; set != 0; set &= set - 1 {
			images |= 1 << image(bits.TrailingZeros64(set), symmetry)
		}
		return images
	}
	for range 200 {
		mover, opponent := sides(r)
		n := bits.OnesCount64(^(mover | opponent))
		pair := PairOf(mover, opponent)
		want := w.Value(&pair, n)
		for symmetry := 1; symmetry < 8; symmetry++ {
			pair := PairOf(imageOf(mover, symmetry), imageOf(opponent, symmetry))
			if got := w.Value(&pair, n); got != want {
				t.Errorf("board %x %x, symmetry %d: %d, want %d",
					mover, opponent, symmetry, got, want)
			}
		}
	}
}

func TestWriteAndReadRoundTrip(t *testing.T) {
	w := randomWeights(rand.New(rand.NewPCG(4, 4)))
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	got, err := Read(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if *got != *w {
		t.Error("weights differ after writing and reading")
	}
	if _, err := Read(bytes.NewReader(whole[:len(whole)/2])); err == nil {
		t.Error("Read accepts half a file")
	}
}
