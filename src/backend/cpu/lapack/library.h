/// \file
/// LAPACK and BLAS, loaded at their first use. They are not linked: a program runs without them.

#pragma once

#include <cstddef>

namespace ddx::backend::cpu {

/// The routines for one element type that this back end calls: Fortran's interface with integers of
/// 32 bits, matrices column by column, and the lengths of texts after all arguments.
template <class T>
struct LapackRoutines {
  using Int = const int*;
  using Text = const char*;

  /// uplo, n, a, lda, info
  void (*potrf)(Text, Int, T*, Int, int*, std::size_t) = nullptr;
  /// m, n, a, lda, pivots, info
  void (*getrf)(Int, Int, T*, Int, int*, int*) = nullptr;
  /// m, n, a, lda, tau, work, lwork, info
  void (*gelqf)(Int, Int, T*, Int, T*, T*, Int, int*) = nullptr;
  /// m, n, k, a, lda, tau, work, lwork, info
  void (*orglq)(Int, Int, Int, T*, Int, const T*, T*, Int, int*) = nullptr;
  /// jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info
  void (*gesdd)(Text, Int, Int, T*, Int, T*, T*, Int, T*, Int, T*, Int, int*, int*,
                std::size_t) = nullptr;
  /// jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info
  void (*syevd)(Text, Text, Int, T*, Int, T*, T*, Int, int*, Int, int*, std::size_t,
                std::size_t) = nullptr;
  /// side, uplo, transposed, diagonal, m, n, alpha, a, lda, b, ldb
  void (*trsm)(Text, Text, Text, Text, Int, Int, const T*, const T*, Int, T*, Int, std::size_t,
               std::size_t, std::size_t, std::size_t) = nullptr;
};

/// LAPACK. OpenBLAS, which may be what bears that name, has threads of its own.
struct Lapack {
  LapackRoutines<float> f32;
  LapackRoutines<double> f64;
  int (*openblas_get_num_threads)() = nullptr;      ///< Null where it is no OpenBLAS.
  void (*openblas_set_num_threads)(int) = nullptr;  ///< Null where it is no OpenBLAS.
};

/// LAPACK; null where the system has none.
[[nodiscard]] const Lapack* lapack() noexcept;

/// While one lives, OpenBLAS computes on the calling thread alone, so that no result depends on the
/// number of its threads, and they do not take the processors of ours. The last one puts back what
/// was set.
class OneBlasThread {
 public:
  explicit OneBlasThread(const Lapack& library) noexcept;
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  const Lapack& library_;
};

}  // namespace ddx::backend::cpu
