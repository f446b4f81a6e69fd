#define FLIPS_FUNC ·flipsAVX512
#define LEGAL_MOVES_FUNC ·legalMovesAVX512
#define EXPAND_FUNC ·expandAVX512

// Y15 is 0, Y14 is -1, and Y11 is the highest cell.
#define FLIPS_CONSTANTS \
	VPXOR    Y15, Y15, Y15; \
	VPCMPEQQ Y14, Y14, Y14; \
	VPSLLQ   $63, Y14, Y11

// The functions of three operands of VPTERNLOGQ: all of them, and the third one or both others.
#define ALL $0x80
#define THIRD_OR_BOTH $0xF8

// The number of leading zeros is the distance of the end of a run down from the highest cell.
#define FLIPS(RAYS) \
	VMOVDQU    (RAYS), Y5; \
	VMOVDQU    32(RAYS), Y6; \
	VPANDN     Y5, Y1, Y2; \
	VPANDN     Y6, Y1, Y3; \
	VPSUBQ     Y2, Y15, Y4; \
	VPLZCNTQ   Y3, Y3; \
	VPTERNLOGQ ALL, Y4, Y0, Y2; \
	VPSRLVQ    Y3, Y11, Y3; \
	VPCMPEQQ   Y15, Y2, Y8; \
	VPADDQ     Y14, Y2, Y2; \
	VPAND      Y0, Y3, Y3; \
	VPSUBQ     Y8, Y2, Y2; \
	VPADDQ     Y3, Y3, Y3; \
	VPSUBQ     Y3, Y15, Y3; \
	VPAND      Y5, Y2, Y2; \
	OR_BOTH(Y6, Y3, Y2); \
	OR_LANES(Y2, X2, X3)

#define OR_BOTH(A, B, X) \
	VPTERNLOGQ THIRD_OR_BOTH, A, B, X

#include "simd_amd64.h"
