package intake

import (
	"container/list"
	"iter"
)

const (
	// Reserve is the number of connections of a group above its limit. They can make calls that
	// need no place, such as probes. A new one replaces the oldest one.
	Reserve = 16
	// maxScan limits the connections among which a new one finds one to replace.
	maxScan = 64
)

// group is the connections that share a limit. [Limits.mu] guards it.
type group struct {
	name   string // of the clients, for errors
	limit  int
	placed list.List // up to limit connections, which can make any call
	extra  list.List // up to Reserve connections
	empty  func()    // called when the last connection leaves; may be nil
}

// place is the position of a connection in a group.
type place struct {
	group   *group
	list    *list.List // placed or extra
	element *list.Element
}

// add adds a connection. It returns the connection that must be closed for it, or nil.
func (g *group) add(c *Conn) (victim *Conn) {
	p := &place{group: g, list: &g.placed}
	if g.full() {
		if victim = g.idle(); victim == nil {
			p.list = &g.extra
			if g.extra.Len() >= Reserve {
				victim = g.extra.Front().Value.(*Conn)
			}
			c.extra.Store(true)
		}
	}
	p.element = p.list.PushBack(c)
	c.places = append(c.places, p)
	return victim
}

func (g *group) full() bool { return g.limit > 0 && g.placed.Len() >= g.limit }

// idle returns the placed connection that has been without a call for the longest time, or nil if
// the scan finds none. The response of a call that has just ended may still have to be written.
func (g *group) idle() (longest *Conn) {
	for range min(g.placed.Len(), maxScan) {
		front := g.placed.Front()
		c := front.Value.(*Conn)
		if !c.inCall() && (longest == nil || c.quiet.Load() < longest.quiet.Load()) {
			longest = c
		}
		g.placed.MoveToBack(front)
	}
	return longest
}

// promote moves an extra connection to a place, if the group has one. It returns the connection
// that must be closed for it, or nil.
func (p *place) promote() (victim *Conn, ok bool) {
	g := p.group
	if p.list == &g.placed {
		return nil, true
	}
	if g.full() {
		if victim = g.idle(); victim == nil {
			return nil, false
		}
	}
	c := g.extra.Remove(p.element)
	p.list, p.element = &g.placed, g.placed.PushBack(c)
	return victim, true
}

// leave removes the connection from the group.
func (p *place) leave() {
	p.list.Remove(p.element)
	if p.group.empty != nil && p.group.placed.Len()+p.group.extra.Len() == 0 {
		p.group.empty()
	}
}

// all yields the connections of the group.
func (g *group) all() iter.Seq[*Conn] {
	return func(yield func(*Conn) bool) {
		for _, l := range []*list.List{&g.placed, &g.extra} {
			for e := l.Front(); e != nil; e = e.Next() {
				if !yield(e.Value.(*Conn)) {
					return
				}
			}
		}
	}
}
