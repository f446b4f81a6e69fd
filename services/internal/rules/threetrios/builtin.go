package threetrios

// The built-in game. The values of each card add up to 21. Under the rule Default, best play by
// both sides ends with five cards each.
const (
	builtInGrid = `3 3
CCC
CCC
CCC
`
	builtInDeck = `anchor 5 A 3 3
bell 4 7 8 2
candle 6 1 8 6
drum 3 6 7 5
ember 5 1 A 5
falcon 9 3 5 4
goblet 5 4 A 2
harp 1 8 A 2
iris 6 1 9 5
juniper 4 8 5 4
`
)
