/// \file
/// How bytes go from replica to replica: the seam below the collective operations.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace ddx::distributed {

/// Bytes for another replica.
struct Outgoing {
  std::int64_t to = 0;
  std::span<const std::byte> bytes;
};

/// Where the next message of another replica goes: as many bytes as it has, or fewer.
struct Incoming {
  std::int64_t from = 0;
  std::span<std::byte> bytes;
};

/// What kept bytes from going: whose fault, as a text for the user.
class TransportFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Renders as "10 s" or "1500 ms".
[[nodiscard]] std::string text_of(std::chrono::milliseconds time);

/// Messages between the replicas of a group, in order from each to each. One thread at a time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual std::int64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::int64_t size() const noexcept = 0;

  /// Sends and receives all of it. Messages to itself are not asked for.
  ///
  /// Throws:  TransportFailure where a replica has ended, has given up, or has not sent or taken
  /// its
  ///          part after `timeout`; names it.
  virtual void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                        std::chrono::milliseconds timeout) = 0;

  /// Tells all others what this replica gives up for: their exchanges fail with this text. Does not
  /// wait for them.
  virtual void give_up(const std::string& text) noexcept = 0;

  /// Ends the membership: with all others where `orderly`, else alone.
  virtual void close(bool orderly) noexcept = 0;
};

}  // namespace ddx::distributed
