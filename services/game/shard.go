package game

import "hash/fnv"

// partitionKeyLength is the number of characters of a partition key. Two characters of a ULID have
// 1,024 values.
const partitionKeyLength = 2

// PartitionKey returns the part of the id of a game or a player that selects the shard of a store:
// its last characters. Two ids with the same partition key are in the same shard.
func PartitionKey(id string) string { return id[max(0, len(id)-partitionKeyLength):] }

// Beside returns a new id with the partition key of another id.
func Beside(id, other string) string {
	return id[:max(0, len(id)-partitionKeyLength)] + PartitionKey(other)
}

// PlacedBy returns a new id with a partition key that depends only on the names.
func PlacedBy(id string, names ...string) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // of a ULID
	hash := fnv.New64a()
	for _, name := range names {
		_, _ = hash.Write([]byte(name + "\x00")) // It never fails.
	}
	key := make([]byte, partitionKeyLength)
	rest := hash.Sum64() >> 16 // The lowest bits of the hash vary least.
	for i := range key {
		key[i], rest = digits[rest%uint64(len(digits))], rest/uint64(len(digits))
	}
	return Beside(id, string(key))
}
