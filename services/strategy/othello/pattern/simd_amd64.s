#include "textflag.h"

// A vector takes three registers of 256 bits. ADD_TERM adds the vector of the cell in CX to Y0, Y1 and Y2;
// R8 holds the address of terms.
#define ADD_TERM \
	LEAQ   (CX)(CX*2), CX; \
	SHLQ   $5, CX; \
	VPADDQ (R8)(CX*1), Y0, Y0; \
	VPADDQ 32(R8)(CX*1), Y1, Y1; \
	VPADDQ 64(R8)(CX*1), Y2, Y2

// LOOKUP adds a weight to ACC: that of the content in a lane of a word, of the pattern at an offset.
#define LOOKUP(WORD, LANE, OFFSET, TMP, ACC) \
	MOVWLZX (8*WORD+2*LANE)(SP), TMP; \
	MOVWQSX (2*OFFSET)(DI)(TMP*2), TMP; \
	ADDQ    TMP, ACC

#define FOUR(WORD, OFFSET) \
	LOOKUP(WORD, 0, OFFSET, BX, AX); \
	LOOKUP(WORD, 1, OFFSET, CX, DX); \
	LOOKUP(WORD, 2, OFFSET, R9, AX); \
	LOOKUP(WORD, 3, OFFSET, R10, DX)

// func valueAfterAVX2(t *tables, before *Vector, x int, flipped uint64) int
TEXT ·valueAfterAVX2(SB), NOSPLIT, $96-40
	MOVQ    t+0(FP), DI
	MOVQ    before+8(FP), SI
	MOVQ    x+16(FP), CX
	MOVQ    flipped+24(FP), DX
	LEAQ    ·terms(SB), R8
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	VPXOR   Y2, Y2, Y2
	ADD_TERM
	VPADDQ  Y0, Y0, Y0
	VPADDQ  Y1, Y1, Y1
	VPADDQ  Y2, Y2, Y2
	VPADDQ  (SI), Y0, Y0
	VPADDQ  32(SI), Y1, Y1
	VPADDQ  64(SI), Y2, Y2

next:
	TZCNTQ  DX, CX
	ADD_TERM
	BLSRQ   DX, DX
	JNZ     next
	VMOVDQU Y0, 0(SP)
	VMOVDQU Y1, 32(SP)
	VMOVDQU Y2, 64(SP)
	VZEROUPPER
	XORL    AX, AX
	XORL    DX, DX
	FOUR(0, 0)
	FOUR(1, 59049)
	FOUR(2, 118098)
	FOUR(3, 137781)
	FOUR(4, 137781)
	FOUR(5, 196830)
	FOUR(6, 203391)
	FOUR(7, 209952)
	FOUR(8, 216513)
	FOUR(9, 218700)
	FOUR(10, 219429)
	LOOKUP(11, 0, 219672, BX, AX)
	LOOKUP(11, 1, 219672, CX, DX)
	ADDQ    DX, AX
	MOVQ    AX, ret+32(FP)
	RET

// func playAVX2(after, before *Pair, x int, flipped uint64)
TEXT ·playAVX2(SB), NOSPLIT, $0-32
	MOVQ    after+0(FP), DI
	MOVQ    before+8(FP), SI
	MOVQ    flipped+24(FP), DX
	LEAQ    ·terms(SB), R8
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	VPXOR   Y2, Y2, Y2

next:
	TZCNTQ  DX, CX
	ADD_TERM
	BLSRQ   DX, DX
	JNZ     next
	VMOVDQU 96(SI), Y3
	VMOVDQU 128(SI), Y4
	VMOVDQU 160(SI), Y5
	VPSUBQ  Y0, Y3, Y3
	VPSUBQ  Y1, Y4, Y4
	VPSUBQ  Y2, Y5, Y5
	MOVQ    x+16(FP), CX
	ADD_TERM
	VPADDQ  (SI), Y0, Y0
	VPADDQ  32(SI), Y1, Y1
	VPADDQ  64(SI), Y2, Y2
	VMOVDQU Y3, (DI)
	VMOVDQU Y4, 32(DI)
	VMOVDQU Y5, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y1, 128(DI)
	VMOVDQU Y2, 160(DI)
	VZEROUPPER
	RET
