#define FLIPS_FUNC ·flipsAVX2
#define LEGAL_MOVES_FUNC ·legalMovesAVX2
#define EXPAND_FUNC ·expandAVX2

// Y15 is 0, Y14 is -1, and Y11 is four steps.
#define FLIPS_CONSTANTS \
	VPXOR    Y15, Y15, Y15; \
	VPCMPEQQ Y14, Y14, Y14; \
	VPADDQ   Y12, Y12, Y11

// The end of a run down: one, two and four steps erase the cells below the highest one.
#define FLIPS(RAYS) \
	VMOVDQU  (RAYS), Y5; \
	VMOVDQU  32(RAYS), Y6; \
	VPANDN   Y5, Y1, Y2; \
	VPANDN   Y6, Y1, Y3; \
	VPSUBQ   Y2, Y15, Y4; \
	VPAND    Y4, Y2, Y2; \
	VPSRLVQ  Y13, Y3, Y4; \
	VPAND    Y0, Y2, Y2; \
	VPSRLVQ  Y13, Y4, Y7; \
	VPOR     Y7, Y4, Y4; \
	VPCMPEQQ Y15, Y2, Y8; \
	VPSRLVQ  Y12, Y4, Y7; \
	VPOR     Y7, Y4, Y4; \
	VPADDQ   Y14, Y2, Y2; \
	VPSRLVQ  Y11, Y4, Y7; \
	VPOR     Y7, Y4, Y4; \
	VPSUBQ   Y8, Y2, Y2; \
	VPANDN   Y3, Y4, Y3; \
	VPAND    Y0, Y3, Y3; \
	VPADDQ   Y3, Y3, Y3; \
	VPSUBQ   Y3, Y15, Y3; \
	VPAND    Y5, Y2, Y2; \
	VPAND    Y6, Y3, Y3; \
	VPOR     Y3, Y2, Y2; \
	OR_LANES(Y2, X2, X3)

#define OR_BOTH(A, B, X) \
	VPAND B, A, A; \
	VPOR  A, X, X

#include "simd_amd64.h"
