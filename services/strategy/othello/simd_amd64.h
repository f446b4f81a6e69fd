// The functions of simd_amd64.go with vector instructions. A file that includes this one defines their
// names, FLIPS_FUNC, LEGAL_MOVES_FUNC and EXPAND_FUNC, and these macros for the instructions that it uses:
//
// FLIPS sets the low lane of X2 to the discs that the side in Y0 flips against the side in Y1 with a
// move on the cell whose lines are at the address RAYS. It uses Y2 to Y8 and Y11, Y14 and Y15, which
// FLIPS_CONSTANTS sets. Up: the lowest cell of the line without an opponent's disc ends the run. If the
// mover has it, the cells below it flip. Down: the highest such cell ends the run. The order of its
// instructions matters: with one macro for both sets of instructions, Perft takes 5 % longer with AVX-512.
//
// OR_BOTH sets X to the union of X and the common cells of A and B. It uses A.

#include "go_asm.h"
#include "textflag.h"

// The lanes of a vector are the four axes of the board, in the order of the variable steps: east,
// south-west, south, south-east.

// The shift for one, two and four steps along each axis, and the cells where a run of opponent's discs
// can lie: see innerFiles.
DATA oneStep<>+0(SB)/8, $1
DATA oneStep<>+8(SB)/8, $7
DATA oneStep<>+16(SB)/8, $8
DATA oneStep<>+24(SB)/8, $9
GLOBL oneStep<>(SB), RODATA|NOPTR, $32

DATA innerCells<>+0(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA innerCells<>+8(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA innerCells<>+16(SB)/8, $0xffffffffffffffff
DATA innerCells<>+24(SB)/8, $0x7e7e7e7e7e7e7e7e
GLOBL innerCells<>(SB), RODATA|NOPTR, $32

// SHIFTS sets Y13 and Y12 to one and two steps.
#define SHIFTS \
	VMOVDQU oneStep<>(SB), Y13; \
	VPADDQ  Y13, Y13, Y12

// OR_LANES sets the low lane of X to the union of the lanes of Y. It uses the register T.
#define OR_LANES(Y, X, T) \
	VEXTRACTI128 $1, Y, T; \
	VPOR         T, X, X; \
	VPSHUFD      $0x4e, X, T; \
	VPOR         T, X, X

// PAST sets the low lane of X5 to the cells past a run of discs of the side in Y4 that begins beside
// a disc of the side in Y3. It uses Y4 to Y9. INNER holds innerCells.
#define PAST(INNER) \
	VPAND   INNER, Y4, Y4; \
	VPSLLVQ Y13, Y3, Y5; \
	VPSRLVQ Y13, Y3, Y6; \
	VPAND   Y4, Y5, Y5; \
	VPAND   Y4, Y6, Y6; \
	VPSLLVQ Y13, Y5, Y7; \
	VPSRLVQ Y13, Y6, Y8; \
	OR_BOTH(Y7, Y4, Y5); \
	OR_BOTH(Y8, Y4, Y6); \
	VPSLLVQ Y13, Y4, Y7; \
	VPAND   Y7, Y4, Y4; \
	VPSRLVQ Y13, Y4, Y9; \
	VPSLLVQ Y12, Y5, Y7; \
	VPSRLVQ Y12, Y6, Y8; \
	OR_BOTH(Y7, Y4, Y5); \
	OR_BOTH(Y8, Y9, Y6); \
	VPSLLVQ Y12, Y5, Y7; \
	VPSRLVQ Y12, Y6, Y8; \
	OR_BOTH(Y7, Y4, Y5); \
	OR_BOTH(Y8, Y9, Y6); \
	VPSLLVQ Y13, Y5, Y5; \
	VPSRLVQ Y13, Y6, Y6; \
	VPOR    Y6, Y5, Y5; \
	OR_LANES(Y5, X5, X6)

// func flips(p, o uint64, x Square) uint64
TEXT FLIPS_FUNC(SB), NOSPLIT, $0-32
	VPBROADCASTQ p+0(FP), Y0
	VPBROADCASTQ o+8(FP), Y1
	MOVBLZX      x+16(FP), CX
	LEAQ         ·rays(SB), R8
	SHLQ         $6, CX
	ADDQ         CX, R8
	SHIFTS
	FLIPS_CONSTANTS
	FLIPS(R8)
	VMOVQ        X2, AX
	VZEROUPPER
	MOVQ         AX, ret+24(FP)
	RET

// func legalMoves(p, o uint64) uint64
TEXT LEGAL_MOVES_FUNC(SB), NOSPLIT, $0-24
	MOVQ         p+0(FP), R9
	MOVQ         o+8(FP), R10
	VPBROADCASTQ p+0(FP), Y3
	VPBROADCASTQ o+8(FP), Y4
	SHIFTS
	VMOVDQU      innerCells<>(SB), Y10
	PAST(Y10)
	VMOVQ        X5, AX
	VZEROUPPER
	ORQ          R10, R9
	ANDNQ        AX, R9, AX
	MOVQ         AX, ret+16(FP)
	RET

// func expand(p, o, moves uint64, into *[64]move)
TEXT EXPAND_FUNC(SB), NOSPLIT, $0-32
	VPBROADCASTQ p+0(FP), Y0
	VPBROADCASTQ o+8(FP), Y1
	MOVQ         moves+16(FP), SI
	MOVQ         into+24(FP), DI
	MOVQ         p+0(FP), R9
	ORQ          o+8(FP), R9
	LEAQ         ·rays(SB), R8
	SHIFTS
	FLIPS_CONSTANTS
	VMOVDQU      innerCells<>(SB), Y10

next:
	TESTQ        SI, SI
	JZ           done
	TZCNTQ       SI, CX
	MOVB         CX, move_x(DI)
	BLSIQ        SI, DX
	XORQ         DX, SI
	SHLQ         $6, CX
	ADDQ         R8, CX
	FLIPS(CX)
	VMOVQ        X2, AX
	VMOVQ        DX, X4
	VPBROADCASTQ X2, Y2
	VPBROADCASTQ X4, Y4
	VPXOR        Y1, Y2, Y3
	VPXOR        Y0, Y2, Y2
	VPOR         Y2, Y4, Y4
	PAST(Y10)
	ORQ          R9, DX
	VMOVQ        X5, BX
	ANDNQ        BX, DX, BX
	MOVQ         AX, move_flips(DI)
	MOVQ         BX, move_replies(DI)
	ADDQ         $move__size, DI
	JMP          next

done:
	VZEROUPPER
	RET
