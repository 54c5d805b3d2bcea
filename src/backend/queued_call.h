/// \file
/// A call of a kernel that outlives the statement it was written in.

#pragma once

#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "core/call_stack/origin.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace ddx::backend {

class Failure;
/// What is to be run. Borrows everything.
struct Request {
  ops::Kernel kernel;
  std::span<const ops::View> inputs;
  std::span<const ops::View> outputs;
  const void* attributes;
  std::size_t attribute_bytes;
  const ops::Check& check;
  const Origin* origin = nullptr;  ///< Where it was called; null: it is not recorded.

  /// Runs it on this thread.
  ///
  /// Throws:  what its check throws.
  void run() const;
};

/// Whether the elements of a view are in a block, or one element that can be copied: a call of such
/// views can be kept.
[[nodiscard]] bool can_be_kept(const ops::View& view) noexcept;

/// A copy of a request, except for the elements in blocks. Used again and again.
class QueuedCall {
 public:
  QueuedCall() noexcept;
  ~QueuedCall();

  /// Throws:  std::bad_alloc where it has very many operands, or an origin, and there is no memory
  ///          for that.
  void keep(const Request& request);

  /// Runs it, or not where an operand has failed, and informs the blocks of its results. Returns
  /// the failure that is new with this call, with one owner; null where there is none.
  [[nodiscard]] Failure* run() noexcept;

 private:
  struct alignas(16) Number {
    std::byte bytes[16];
  };

  // Of the operations there are, concatenations alone need more.
  static constexpr std::size_t own_bytes = 1280;

  /// The failure of the first operand that has one, with one owner more; else null.
  [[nodiscard]] Failure* failure_of_operands() const noexcept;
  [[nodiscard]] std::byte* reserve(std::size_t bytes);

  ops::Kernel kernel_ = nullptr;
  ops::Check check_;
  std::span<const ops::View> inputs_;
  std::span<const ops::View> outputs_;
  const void* attributes_ = nullptr;
  std::unique_ptr<const Origin> origin_;
  std::unique_ptr<Number[]> large_;
  alignas(16) std::array<std::byte, own_bytes> own_;
};

}  // namespace ddx::backend
