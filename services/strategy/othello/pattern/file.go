package pattern

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/flipside-games/flipside/services/strategy/hugepages"
)

// step is the resolution of stored weights, an eighth of a disc. The rounding error of the 46
// weights of a board has a standard deviation of a quarter of a disc, and almost all weights fit
// into a byte.
const step = Unit / 8

// Write writes the weights, compressed with DEFLATE (RFC 1951): a byte for each canonical content,
// where the similar phases of one content follow each other, then the constants as 16-bit integers,
// little-endian.
func (w *Weights) Write(to io.Writer) error {
	packed, err := flate.NewWriter(to, flate.DefaultCompression)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(packed)
	for pattern := range Count {
		for content := range Contents(pattern) {
			if Canonical(pattern, content) != content {
				continue
			}
			for phase := range Phases {
				value := rounded(w.phases[phase][offsets[pattern]+content])
				if err := out.WriteByte(uint8(value)); err != nil {
					return err
				}
			}
		}
	}
	if err := binary.Write(out, binary.LittleEndian, w.bias[:]); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return packed.Close()
}

// rounded returns a weight in steps, clamped to the range of a byte.
func rounded(value int16) int8 {
	v := (int(value) + step/2 + 1<<15) / step
	return int8(min(max(v-(1<<15)/step, -127), 127))
}

// Read reads weights that [Weights.Write] has written.
func Read(from io.Reader) (*Weights, error) {
	in := bufio.NewReader(flate.NewReader(from))
	w := &hugepages.Make[Weights](1)[0]
	for pattern := range Count {
		for content := range Contents(pattern) {
			if Canonical(pattern, content) != content {
				continue
			}
			for phase := range Phases {
				value, err := in.ReadByte()
				if err != nil {
					return nil, fmt.Errorf("weights of %q: %w", patterns[pattern].name, err)
				}
				w.Set(phase, pattern, content, int(int8(value))*step)
			}
		}
	}
	if err := binary.Read(in, binary.LittleEndian, w.bias[:]); err != nil {
		return nil, fmt.Errorf("constants by empty cells: %w", err)
	}
	return w, nil
}
