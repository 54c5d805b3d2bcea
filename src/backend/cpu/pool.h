/// \file
/// The threads of the cpu back end: work in chunks that any of them takes.

#pragma once

#include <algorithm>
#include <cstdint>

namespace ddx::backend::cpu {

/// The number of threads that kernels use: the processors this process may run on.
[[nodiscard]] int thread_count() noexcept;

/// Calls body(context, i) once for each i in [0, chunks), on the calling thread and on those of the
/// pool; returns when all are done. On the calling thread alone where the pool is busy with another
/// caller.
///
/// What a chunk is must not depend on the number of threads, and chunks must not combine their
/// results themselves: then no result depends on it.
void run_chunks(std::int64_t chunks, void (*body)(void*, std::int64_t), void* context) noexcept;

/// Calls body(i) for each i in [0, chunks); see run_chunks.
template <class Body>
void for_each_chunk(std::int64_t chunks, Body body) noexcept {
  if (chunks <= 1) {
    if (chunks == 1) {
      body(std::int64_t{0});
    }
    return;
  }
  run_chunks(
      chunks, [](void* context, std::int64_t i) { (*static_cast<Body*>(context))(i); }, &body);
}

/// Calls body(begin, end) for parts of [0, count), each of `grain` or a few more.
template <class Body>
void for_each_range(std::int64_t count, std::int64_t grain, Body body) noexcept {
  if (count < 2 * grain) {
    if (count > 0) {
      body(std::int64_t{0}, count);
    }
    return;
  }
  const std::int64_t chunks = count / grain;
  for_each_chunk(
      chunks, [&](std::int64_t i) { body(i * grain, i + 1 == chunks ? count : (i + 1) * grain); });
}

/// Part `i` of `parts` nearly equal ones of [0, count).
struct Part {
  Part(std::int64_t count, std::int64_t parts, std::int64_t i) noexcept
      : begin(count * i / parts), end(count * (i + 1) / parts) {}

  std::int64_t begin;
  std::int64_t end;
};

}  // namespace ddx::backend::cpu
