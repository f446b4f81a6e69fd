package wire

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Page is the requested part of a list.
type Page struct {
	Size  int32
	Token string
}

const defaultPageSize, maxPageSize = 100, 1000

// Limit returns the maximal number of items of the page: 100 for size 0, at most 1000. Validation
// has rejected negative sizes.
func (p Page) Limit() int {
	if p.Size == 0 {
		return defaultPageSize
	}
	return int(min(p.Size, maxPageSize))
}

// maxPageBytes is the size of the items of a page in the protobuf encoding, if it has more than one.
const maxPageBytes = 1 << 20

// Content is the content of a page, bounded by its number of items and by their size.
type Content[M proto.Message] struct {
	Limit int
	Items []M
	bytes int
}

// Add adds an item and reports whether it fits.
func (c *Content[M]) Add(item M) bool {
	size := proto.Size(item)
	if len(c.Items) > 0 && (len(c.Items) >= c.Limit || c.bytes+size > maxPageBytes) {
		return false
	}
	c.Items = append(c.Items, item)
	c.bytes += size
	return true
}

// Last returns the last item of a page that has one.
func (c *Content[M]) Last() M { return c.Items[len(c.Items)-1] }

// firstChunk is the number of items of a page that are read first.
const firstChunk = 16

// Chunk returns the number of items to read next: a few at first, then as many as the page has room
// for if they are as large as those before. It includes the first item of the next page.
func (c *Content[M]) Chunk() int {
	room := c.Limit + 1 - len(c.Items)
	if len(c.Items) == 0 {
		return min(room, firstChunk)
	}
	return min(room, 1+len(c.Items)*(maxPageBytes-c.bytes)/max(1, c.bytes))
}

// offset returns the number of items before the page, which is the content of its token.
func (p Page) offset() (int, error) {
	if p.Token == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(p.Token)
	if err != nil || n < 0 {
		return 0, InvalidPageToken()
	}
	return n, nil
}

// InvalidPageToken returns the error for a page token that no response contained.
func InvalidPageToken() error {
	return fault.New(fault.InvalidField, "unknown page token: use the nextPageToken of a response").
		At("pageToken")
}
