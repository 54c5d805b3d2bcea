/// \file
/// What the Fourier transforms of one length need besides their operands: how the length is cut
/// into factors, and the roots of unity.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ddx::backend::cpu {

/// Complex numbers as two arrays.
template <class T>
struct Planes {
  std::vector<T> real;
  std::vector<T> imaginary;
};

/// One pass over all elements: `parts` transforms of length `radix`. With part p and term k >= 1,
/// the factor is twiddles[p * (radix - 1) + k - 1] = e^(-2 pi i p k / (radix parts)).
template <class T>
struct FourierPass {
  std::int64_t radix;
  std::int64_t parts;
  Planes<T> twiddles;
  Planes<T> roots;  ///< e^(-2 pi i k / radix), of the radices without a kernel of their own.
};

/// A plan for transforms of length n along the first axis of [n, s].
///
/// Source: the passes are those of T. G. Stockham, "High-Speed Convolution and Correlation", 1966;
/// for
///         lengths with a large prime factor, L. I. Bluestein, "A Linear Filtering Approach to the
///         Computation of Discrete Fourier Transform", 1970.
template <class T>
struct FourierPlan {
  std::int64_t n = 1;
  std::vector<FourierPass<T>> passes;

  // Of Bluestein: a convolution of length m, with its own plan; null where n has small factors
  // only.
  std::shared_ptr<const FourierPlan> convolution;
  Planes<T> chirp;   ///< e^(-pi i j^2 / n), j in [0, n)
  Planes<T> filter;  ///< The transform of the conjugate chirp, divided by m.

  // Of one long line as a matrix [rows, columns]: null where it is not worth it.
  std::shared_ptr<const FourierPlan> rows;
  std::shared_ptr<const FourierPlan> columns;
  Planes<T> between;  ///< e^(-2 pi i j k / n) at [j, k], j < rows, k < columns

  Planes<T> halves;  ///< e^(-2 pi i k / (2 n)), k in [0, n]: of real lines of length 2 n
};

/// The plan of a length, made at its first use. Null where there is no memory. The plans of the
/// lengths used last are kept, at most 32 MiB of them.
template <class T>
[[nodiscard]] std::shared_ptr<const FourierPlan<T>> fourier_plan(std::int64_t n) noexcept;

extern template std::shared_ptr<const FourierPlan<float>> fourier_plan(std::int64_t) noexcept;
extern template std::shared_ptr<const FourierPlan<double>> fourier_plan(std::int64_t) noexcept;

}  // namespace ddx::backend::cpu
