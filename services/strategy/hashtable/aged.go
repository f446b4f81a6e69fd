package hashtable

// Aged is a table that searches use one after the other. Each word of data has the age of the search
// that stored it, so that a search can replace those of earlier searches first.
type Aged struct {
	*Table
	// age is that of the current search: from 1 to MaxAge and again. Age 0 is that of an empty slot.
	age uint64
}

// MaxAge is the greatest age.
const MaxAge = 15

// The age is in the bits 44 to 47 of the data.
const ageShift = 44

// NewAged returns a table like [New], for a first search.
func NewAged(bytes int) Aged { return Aged{New(bytes), 1} }

// NextAge makes all data one search older. No search may use the table meanwhile.
func (t *Aged) NextAge() { t.age = t.age%MaxAge + 1 }

// Mark adds the age of the current search to data without an age.
func (t *Aged) Mark(data uint64) uint64 { return data | t.age<<ageShift }

// IsCurrent reports whether the current search stored the data.
func (t *Aged) IsCurrent(data uint64) bool { return data>>ageShift&MaxAge == t.age }
