/// \file
/// Ready primitives of oneDNN with the memory objects they are called with.

#pragma once

#include "backend/cpu/onednn/library.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ddx::backend::cpu {

/// Gives a handle of oneDNN back.
template <class Handle, auto destroy>
struct Destroy {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept { (onednn()->*destroy)(handle); }
};

using Memory = std::unique_ptr<dnnl_memory, Destroy<dnnl_memory_t, &OneDnn::memory_destroy>>;
using Primitive =
    std::unique_ptr<dnnl_primitive, Destroy<dnnl_primitive_t, &OneDnn::primitive_destroy>>;
using PrimitiveDesc =
    std::unique_ptr<dnnl_primitive_desc,
                    Destroy<dnnl_primitive_desc_t, &OneDnn::primitive_desc_destroy>>;
using Stream = std::unique_ptr<dnnl_stream, Destroy<dnnl_stream_t, &OneDnn::stream_destroy>>;

/// While it lives, parallel regions of this thread have one thread. Descriptions of primitives are
/// made while one does, too: they hold how many threads oneDNN is to run them with.
///
/// The pool of this back end spreads the work: a team of OpenMP's beside it would wait, spinning,
/// for processors that the pool uses (measured: regions of 7 ms on two processors).
class OneThread {
 public:
  OneThread() noexcept;
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread();

 private:
  int before_;
};

/// An argument of a primitive: its place and what lies there.
struct Argument {
  int place;
  dnnl_memory_desc_t desc;
};

/// A primitive of three arguments at most whose data is named at each call. Belongs to the thread
/// that made it.
class Callable {
 public:
  static constexpr std::size_t most_arguments = 3;

  /// Says no (is false) where oneDNN cannot make it.
  Callable(const dnnl_primitive_desc* desc, std::span<const Argument> arguments) noexcept;

  [[nodiscard]] explicit operator bool() const noexcept { return primitive_ != nullptr; }

  /// Runs it on this thread alone; `data` has one pointer per argument. Returns whether it ran.
  bool operator()(std::span<void* const> data) const noexcept;

 private:
  Primitive primitive_;
  std::array<Memory, most_arguments> memory_;
  std::array<dnnl_exec_arg_t, most_arguments> arguments_{};
  std::size_t count_ = 0;
};

}  // namespace ddx::backend::cpu
