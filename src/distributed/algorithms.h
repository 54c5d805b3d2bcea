/// \file
/// The messages of each collective operation.

#pragma once

#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include "distributed/transport.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace ddx::distributed {

/// Operands up to this size travel with the header: one round of messages instead of two or three.
/// Between processes of one machine rounds cost 2 to 10 us, and copying 8 KiB less than one.
constexpr std::size_t inline_limit = 8192;

/// Replicas call different operations; the text names them.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs operation `number` of the group with the other replicas; the operand fits the group. If it
/// throws, `unfinished` owns the memory of messages in flight: it must outlive the last use of the
/// transport.
///
/// Throws:  Disagreement; TransportFailure.
[[nodiscard]] ddx::detail::Array perform(Transport& transport, const detail::CollectiveCall& call,
                                         std::uint64_t number, const ddx::detail::Array& operand,
                                         std::chrono::milliseconds timeout,
                                         std::shared_ptr<const void>& unfinished);

}  // namespace ddx::distributed
