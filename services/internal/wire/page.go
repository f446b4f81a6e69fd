package wire

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Page is the requested part of a list.
type Page struct {
	request listRequest
	version int
	// Last is the token of the last item on the page before, "" for the first page.
	Last string
}

// listRequest is a request for a page of a list. Its other fields are the filter of the list.
type listRequest interface {
	proto.Message
	GetPageSize() int32
	GetPageToken() string
}

// ReadPage returns the page of a request. It rejects a token of another method, of a list with
// another filter and of another version. version is the version of the game if the list changes
// with it, or 0.
func ReadPage(request listRequest, version int) (Page, error) {
	p := Page{request: request, version: version}
	token := request.GetPageToken()
	if token == "" {
		return p, nil
	}
	last, _, _ := strings.Cut(token, tokenSeparator)
	if last == "" || p.Token(last) != token {
		return p, InvalidPageToken()
	}
	p.Last = last
	return p, nil
}

const tokenSeparator = "~"

// Token returns the token of the page after an item: the item, and a checksum of the method, the
// filter and the version.
func (p Page) Token(last string) string {
	filter := p.request.ProtoReflect().New()
	keep := func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch field.Name() {
		case "page_size", "page_token", "wait": // They may change from page to page.
		default:
			filter.Set(field, value)
		}
		return true
	}
	p.request.ProtoReflect().Range(keep)
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(filter.Interface())
	if err != nil {
		panic(err) // The request has been decoded or validated.
	}
	// Requests of different methods can have the same encoding.
	list := fmt.Appendf(encoded, "%s %d", filter.Descriptor().FullName(), p.version)
	return fmt.Sprintf("%s%s%08x", last, tokenSeparator, crc32.ChecksumIEEE(list))
}

const defaultPageSize, maxPageSize = 100, 1000

// Limit returns the maximal number of items of the page.
func (p Page) Limit() int { return PageLimit(p.request.GetPageSize()) }

// PageLimit returns the maximal number of items of a page of a requested size: 100 for size 0, at
// most 1000. Validation has rejected negative sizes.
func PageLimit(size int32) int {
	if size > 0 {
		return int(min(size, maxPageSize))
	}
	return defaultPageSize
}

// maxPageBytes is the size of the items of a page in the protobuf encoding, if it has more than
// one.
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

// Number returns the last item on the page before as a number, def for the first page.
func (p Page) Number(def int) (int, error) {
	if p.Last == "" {
		return def, nil
	}
	n, err := strconv.ParseInt(p.Last, 10, 32)
	if err != nil || n < 0 {
		return 0, InvalidPageToken()
	}
	return int(n), nil
}

// InvalidPageToken returns the error for a page token that no response of the same list contained.
func InvalidPageToken() error {
	return fault.Invalid("unknown page token: use the nextPageToken of the same method and version " +
		"with the same other fields, or leave it out for the first page").At("pageToken")
}
