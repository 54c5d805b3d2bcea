/// \file
/// Collective operations by messages between replicas that compute on processors.

#pragma once

#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include "distributed/header.h"
#include "distributed/transport.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ddx::distributed {

/// The algorithms, over any transport. Each element is reduced on one replica, from all
/// contributions in rank order, and sent to the others. So every replica gets the same bits, in
/// every run.
class HostCollective final : public detail::Collective {
 public:
  HostCollective(std::unique_ptr<Transport> transport, std::chrono::milliseconds timeout);
  /// Leaves the group: with all others, unless it has failed or an exception is active.
  ~HostCollective() override;

  [[nodiscard]] std::int64_t rank() const noexcept override { return transport_->rank(); }
  [[nodiscard]] std::int64_t size() const noexcept override { return transport_->size(); }

  [[nodiscard]] ddx::detail::Array run(const detail::CollectiveCall& call,
                                       const ddx::detail::Array& operand) override;
  [[nodiscard]] std::future<ddx::detail::Array> submit(const detail::CollectiveCall& call,
                                                       const ddx::detail::Array& operand) override;
  void give_up(const std::string& reason) noexcept override;

 private:
  using Task = std::packaged_task<ddx::detail::Array()>;

  /// Runs the operation on this thread, and records a failure.
  ddx::detail::Array execute(const detail::CollectiveCall& call, const ddx::detail::Array& operand);
  [[nodiscard]] std::string own_reason(const std::string& reason) const;
  void work();
  void await_idle();

  std::shared_ptr<const void>
      unfinished_;  // The memory of a failed operation; outlives the transport.
  std::unique_ptr<Transport> transport_;
  std::chrono::milliseconds timeout_;
  std::uint64_t number_ = 0;
  std::exception_ptr failure_;
  std::mutex execution_;  // Held while the transport is used.

  std::mutex lock_;  // Guards what follows.
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool is_working_ = false;
  bool ends_ = false;
  std::thread worker_;  // Starts with the first submit.
};

}  // namespace ddx::distributed
