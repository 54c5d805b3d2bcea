// Threads, tasks and locks, which are differentiated through memory. Their second derivatives are
// refused.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <future>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

namespace {

using Vector = std::vector<double>;

// 88: threads, tasks and locks.
double in_threads(const Vector& v, double x) {
  Vector squares(v.size());
  double total = 0;
  std::mutex mutex;
  const auto work = [&](std::size_t begin, std::size_t end) {
    double own = 0;
    for (std::size_t i = begin; i < end; ++i) {
      squares[i] = std::sin(v[i] * x);
      own += squares[i] * v[i];
    }
    const std::lock_guard lock(mutex);
    total += own;
  };
  std::thread first(work, 0, v.size() / 2);
  std::thread second(work, v.size() / 2, v.size());
  first.join();
  second.join();
  auto later = std::async(std::launch::async, [&] { return squares.back() * x; });
  return total * later.get();
}

/// One thread hands numbers to another.
double handed_over(const Vector& v, double x) {
  double slot = 0;
  bool is_full = false;
  std::mutex mutex;
  std::condition_variable changed;
  double sum = 0;
  std::thread reader([&] {
    for (std::size_t i = 0; i < v.size(); ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return is_full; });
      sum = sum * 0.5 + slot * slot;
      is_full = false;
      changed.notify_all();
    }
  });
  for (const double e : v) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !is_full; });
    slot = e * x;
    is_full = true;
    changed.notify_all();
  }
  reader.join();
  return sum * x;
}

/// 44: numbers that are exchanged and added to at once.
double atomic_numbers(const Vector& v, double x) {
  std::atomic<double> sum = x;
  std::thread other([&] {
    for (const double e : v) {
      sum.fetch_add(e * e);
    }
  });
  other.join();
  const double before = sum.exchange(x * x);
  sum = sum.load() * before;
  return sum;
}

/// What a thread of POSIX computes.
struct Share {
  const double* begin;
  const double* end;
  double scale;
  double sum;
};
void* run_share(void* given) {
  auto* share = static_cast<Share*>(given);
  for (const double* at = share->begin; at != share->end; ++at) {
    share->sum = share->sum * 0.5 + std::exp(share->scale * *at);
  }
  return &share->sum;
}
double posix_threads(const Vector& v, double x) {
  const double* const middle = v.data() + v.size() / 2;
  Share shares[2] = {{v.data(), middle, x, 1}, {middle, v.data() + v.size(), x * x, x}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], nullptr, run_share, &shares[i]);
  }
  double product = 1;
  for (const pthread_t thread : threads) {
    void* result = nullptr;
    pthread_join(thread, &result);
    product *= *static_cast<double*>(result);
  }
  return product + shares[0].sum;
}

}  // namespace

DDX_CHECK_GRADIENT(in_threads, at(Vector{0.3, 1.2, -0.7, 0.9}, 0.45), at(Vector{0.5}, 0.3),
                   at(Vector{1.5, 0.4, 0.9}, 0.6))
DDX_CHECK_GRADIENT(handed_over, at(Vector{0.3, 1.2, -0.7, 0.9}, 0.45), at(Vector{0.5}, 0.3),
                   at(Vector{1.5, 0.4, 0.9}, 0.6))
DDX_CHECK_GRADIENT(atomic_numbers, at(Vector{0.3, 1.2, -0.7, 0.9}, 0.45), at(Vector{0.5}, 0.3),
                   at(Vector{1.5, 0.4, 0.9}, 0.6))
DDX_CHECK_GRADIENT(posix_threads, at(Vector{0.3, 1.2, -0.7, 0.9}, 0.45), at(Vector{0.5}, 0.3),
                   at(Vector{1.5, 0.4, 0.9}, 0.6))

TEST(DDX_SUITE, ADetachedThreadIsAnError) {
  const auto detached = [](double x) {
    Share share{&x, &x + 1, x, 0};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread{};
    pthread_create(&thread, &attributes, run_share, &share);
    pthread_attr_destroy(&attributes);
    return share.sum;
  };
  EXPECT_THROW((void)ddx::gradient(detached, 1.0), ddx::UsageError);
  EXPECT_THROW((void)ddx::jvp(detached, ddx::along(1.0), 1.0), ddx::UsageError);
}
