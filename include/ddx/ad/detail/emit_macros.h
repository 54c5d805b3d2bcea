/// \file
/// Spellings that synthesised derivatives are written with.

#pragma once

/// A forward or reverse function that must vanish into its caller: its adjoints then live in
/// registers. Measured on bundle adjustment: 2.39 times the primal, against 4.14 out of line.
///
/// Where nothing is optimised it stays a function: inlined, its variables would be in the frames of
/// recursive derivatives.
#ifdef __OPTIMIZE__
#define DDX_INLINE [[gnu::always_inline]] inline
#else
#define DDX_INLINE inline
#endif

/// The same for a closure; stands behind its parameters.
#define DDX_INLINE_CLOSURE __attribute__((always_inline))

#ifdef __clang__
/// First in a reverse block: adjoint sums have no order in the source, so they may be reordered.
/// Measured on a dot product of 256 x 256: 4.6 us, against 43.6 in order.
#define DDX_ADJOINT_SUM _Pragma("clang fp reassociate(on)")
/// Before a reverse loop whose iterations are proved independent.
#define DDX_INDEPENDENT_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define DDX_ADJOINT_SUM
#define DDX_INDEPENDENT_LOOP
#endif
