#include "backend/failure.h"

#include "ddx/core/detail/out_of_memory.h"

#include <atomic>
#include <exception>
#include <new>
#include <utility>

namespace ddx::backend {

constinit std::atomic<bool> Failure::any_{false};

Failure* Failure::of_current_exception() noexcept {
  return of(std::current_exception());
}

Failure* Failure::of(std::exception_ptr error) noexcept {
  any_.store(true, std::memory_order_relaxed);
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    error = std::make_exception_ptr(ddx::detail::out_of_memory());
  } catch (...) {
    // Any other is reported as it is.
  }
  auto* made = new (std::nothrow) Failure(std::move(error));
  if (made == nullptr) {
    // With one owner that never lets go.
    static Failure without_memory(std::make_exception_ptr(ddx::detail::out_of_memory()));
    return without_memory.shared();
  }
  return made;
}

void Failure::release(Failure* failure) noexcept {
  if (failure != nullptr && failure->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete failure;
  }
}

void Failure::raise() {
  seen_.store(true, std::memory_order_relaxed);
  std::rethrow_exception(error_);
}

}  // namespace ddx::backend
