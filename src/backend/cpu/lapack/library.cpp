#include "backend/cpu/lapack/library.h"

#include "ddx/core/detail/fork_gate.h"

#include <dlfcn.h>
#include <mutex>
#include <optional>

namespace ddx::backend::cpu {
namespace {

/// The function of that name; null where the library has none.
template <class Function>
bool find(void* handle, Function& function, const char* name) noexcept {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function != nullptr;
}

bool find_all(void* handle, LapackRoutines<float>& r) noexcept {
  return find(handle, r.potrf, "spotrf_") && find(handle, r.getrf, "sgetrf_") &&
         find(handle, r.gelqf, "sgelqf_") && find(handle, r.orglq, "sorglq_") &&
         find(handle, r.gesdd, "sgesdd_") && find(handle, r.syevd, "ssyevd_") &&
         find(handle, r.trsm, "strsm_");
}

bool find_all(void* handle, LapackRoutines<double>& r) noexcept {
  return find(handle, r.potrf, "dpotrf_") && find(handle, r.getrf, "dgetrf_") &&
         find(handle, r.gelqf, "dgelqf_") && find(handle, r.orglq, "dorglq_") &&
         find(handle, r.gesdd, "dgesdd_") && find(handle, r.syevd, "dsyevd_") &&
         find(handle, r.trsm, "dtrsm_");
}

std::optional<Lapack> load() noexcept {
  // Stays loaded until the program ends. BLAS comes with it, as a library that it needs.
  void* handle = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  Lapack library;
  if (handle == nullptr || !find_all(handle, library.f32) || !find_all(handle, library.f64)) {
    return std::nullopt;
  }
  if (!find(handle, library.openblas_get_num_threads, "openblas_get_num_threads") ||
      !find(handle, library.openblas_set_num_threads, "openblas_set_num_threads")) {
    library.openblas_set_num_threads = nullptr;
  }
  return library;
}

/// Who asked for one thread, and what was set before the first of them.
struct ThreadLimit {
  ddx::detail::ForkSafeMutex mutex;
  int holders = 0;
  int before = 1;
};

ThreadLimit& thread_limit() noexcept {
  static ThreadLimit limit;
  return limit;
}

}  // namespace

const Lapack* lapack() noexcept {
  static const std::optional<Lapack> loaded = load();
  return loaded ? &*loaded : nullptr;
}

OneBlasThread::OneBlasThread(const Lapack& library) noexcept : library_(library) {
  if (library_.openblas_set_num_threads != nullptr) {
    const std::scoped_lock lock(thread_limit().mutex);
    if (thread_limit().holders++ == 0) {
      thread_limit().before = library_.openblas_get_num_threads();
      library_.openblas_set_num_threads(1);
    }
  }
}

OneBlasThread::~OneBlasThread() {
  if (library_.openblas_set_num_threads != nullptr) {
    const std::scoped_lock lock(thread_limit().mutex);
    if (--thread_limit().holders == 0) {
      library_.openblas_set_num_threads(thread_limit().before);
    }
  }
}

}  // namespace ddx::backend::cpu
