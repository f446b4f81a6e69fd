#include "textflag.h"

// func prefetch(b *Bucket)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ b+0(FP), AX
	PREFETCHT0 (AX)
	RET

// func storeWords(s *Slot, mixed, data uint64)
TEXT ·storeWords(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), AX
	MOVQ mixed+8(FP), BX
	MOVQ data+16(FP), CX
	MOVQ BX, (AX)
	MOVQ CX, 8(AX)
	RET
