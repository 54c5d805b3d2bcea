/// \file
/// How bytes move from replica to replica: the interface below the collective operations.

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

/// The destination of another replica's next message, which has at most this many bytes.
struct Incoming {
  std::int64_t from = 0;
  std::span<std::byte> bytes;
};

/// Why bytes were not transferred: the replica at fault, as a text for the user.
class TransportFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Renders as "10 s" or "1500 ms".
[[nodiscard]] std::string text_of(std::chrono::milliseconds time);

/// Messages between the replicas of a group, in order for each pair. One thread at a time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual std::int64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::int64_t size() const noexcept = 0;

  /// Sends and receives all of it. Messages to itself are not used.
  ///
  /// Throws:  TransportFailure if a replica has ended, has given up, or has not sent or received
  ///          its part within `timeout`; names it.
  virtual void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                        std::chrono::milliseconds timeout) = 0;

  /// Sends all others the reason why this replica gives up: their exchanges fail with this text.
  /// Does not wait for them.
  virtual void give_up(const std::string& text) noexcept = 0;

  /// Ends the membership: with all others if `orderly`, otherwise alone.
  virtual void close(bool orderly) noexcept = 0;
};

}  // namespace ddx::distributed
