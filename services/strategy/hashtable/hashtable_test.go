package hashtable_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/flipside-games/flipside/services/strategy/hashtable"
)

func TestTheTableKeepsItsSize(t *testing.T) {
	if size := unsafe.Sizeof(hashtable.Bucket{}); size != hashtable.BucketBytes {
		t.Errorf("a bucket takes %d bytes", size)
	}
	for bytes, want := range map[int]int{
		0: 1, 63: 1, 64: 1, 127: 1, 128: 2, 1000: 8, 1 << 20: 1 << 14,
	} {
		if got := hashtable.New(bytes).Len(); got != want {
			t.Errorf("%d bytes hold %d buckets, want %d", bytes, got, want)
		}
	}
}

func TestATableSufficesUpToTwiceItsSize(t *testing.T) {
	table := hashtable.New(1 << 12)
	for bytes, want := range map[int]bool{0: true, 1 << 12: true, 1<<13 - 1: true, 1 << 13: false} {
		if table.Suffices(bytes) != want {
			t.Errorf("for %d bytes: %v, want %v", bytes, !want, want)
		}
	}
}

func TestTheUpperBitsSelectTheBucket(t *testing.T) {
	table := hashtable.New(4 * hashtable.BucketBytes)
	first, next := table.Bucket(0), table.Bucket(1<<62)
	if first == next || table.Bucket(1<<62-1) != first || table.Bucket(1<<63-1) != next {
		t.Error("the two upper bits do not select one of four buckets")
	}
}

func TestABucketFindsWhatItsSlotsHold(t *testing.T) {
	table := hashtable.New(0)
	table.Prefetch(1 << 63) // has no effect but on time
	bucket := table.Bucket(1 << 63)
	for i := range bucket {
		if bucket.Find(uint64(i)) != 0 {
			t.Errorf("an empty bucket holds %d", i)
		}
		bucket[i].Store(uint64(i), uint64(10+i))
	}
	for i := range bucket {
		if check, data := bucket[i].Load(); check != uint64(i) || data != uint64(10+i) {
			t.Errorf("slot %d holds %d with check %d", i, data, check)
		}
		if got := bucket.Find(uint64(i)); got != uint64(10+i) {
			t.Errorf("the bucket holds %d with check %d", got, i)
		}
	}
}

// Each writer stores checks of 34 bits with data that match them.
func TestAReaderFindsNoPositionInTheWordsOfTwoWriters(t *testing.T) {
	slot := &hashtable.New(0).Bucket(0)[0]
	var writers sync.WaitGroup
	for writer := range uint64(4) {
		writers.Go(func() {
			for i := range uint64(20_000) {
				check := writer<<32 | i
				slot.Store(check, dataOf(check))
			}
		})
	}
	for range 20_000 {
		if check, data := slot.Load(); data != 0 && check>>34 == 0 && data != dataOf(check) {
			t.Fatalf("the slot holds %x with check %x", data, check)
		}
	}
	writers.Wait()
}

func dataOf(check uint64) uint64 { return (check + 1) * 0x9e3779b97f4a7c15 }
