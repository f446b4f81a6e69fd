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

#define PAST(INNER) \
	VPAND   INNER, Y4, Y4; \
	VPSLLVQ Y13, Y3, Y5; \
	VPSRLVQ Y13, Y3, Y6; \
	VPAND   Y4, Y5, Y5; \
	VPAND   Y4, Y6, Y6; \
	VPSLLVQ Y13, Y5, Y7; \
	VPSRLVQ Y13, Y6, Y8; \
	VPAND   Y4, Y7, Y7; \
	VPAND   Y4, Y8, Y8; \
	VPOR    Y7, Y5, Y5; \
	VPOR    Y8, Y6, Y6; \
	VPSLLVQ Y13, Y4, Y7; \
	VPAND   Y7, Y4, Y4; \
	VPSRLVQ Y13, Y4, Y9; \
	VPSLLVQ Y12, Y5, Y7; \
	VPSRLVQ Y12, Y6, Y8; \
	VPAND   Y4, Y7, Y7; \
	VPAND   Y9, Y8, Y8; \
	VPOR    Y7, Y5, Y5; \
	VPOR    Y8, Y6, Y6; \
	VPSLLVQ Y12, Y5, Y7; \
	VPSRLVQ Y12, Y6, Y8; \
	VPAND   Y4, Y7, Y7; \
	VPAND   Y9, Y8, Y8; \
	VPOR    Y7, Y5, Y5; \
	VPOR    Y8, Y6, Y6; \
	VPSLLVQ Y13, Y5, Y5; \
	VPSRLVQ Y13, Y6, Y6; \
	VPOR    Y6, Y5, Y5; \
	OR_LANES(Y5, X5, X6)

#include "simd_amd64.h"
