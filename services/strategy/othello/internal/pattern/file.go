package pattern

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
)

// step is the resolution of stored weights, an eighth of a disc: the rounding of 46 of them together has a standard
// deviation of a quarter of a disc, and all but a handful fit into a byte.
const step = Unit / 8

// Write stores the weights, compressed: a byte for each content that has a weight of its own, the phases of one content
// side by side because they are alike, then the constants as two bytes each.
func (w *Weights) Write(to io.Writer) error {
	packed, err := flate.NewWriter(to, flate.DefaultCompression)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(packed)
	for shape := range Shapes {
		for content := range Contents(shape) {
			if Canonical(shape, content) != content {
				continue
			}
			for phase := range Phases {
				if err := out.WriteByte(uint8(rounded(w.tables[phase][shape][content]))); err != nil {
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

// rounded is a weight in steps, the largest there are if it is beyond them.
func rounded(value int16) int8 {
	v := (int(value) + step/2 + 1<<15) / step
	return int8(min(max(v-(1<<15)/step, -127), 127))
}

// Read makes weights of what Write has stored.
func Read(from io.Reader) (*Weights, error) {
	in := bufio.NewReader(flate.NewReader(from))
	w := new(Weights)
	for shape := range Shapes {
		for content := range Contents(shape) {
			if Canonical(shape, content) != content {
				continue
			}
			for phase := range Phases {
				value, err := in.ReadByte()
				if err != nil {
					return nil, fmt.Errorf("weights of %q: %w", shapes[shape].name, err)
				}
				w.Set(phase, shape, content, int(int8(value))*step)
			}
		}
	}
	if err := binary.Read(in, binary.LittleEndian, w.bias[:]); err != nil {
		return nil, fmt.Errorf("constants of the phases: %w", err)
	}
	return w, nil
}
