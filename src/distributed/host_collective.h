/// \file
/// Collective operations by messages between replicas that compute on processors.

#pragma once

#include "ddx/core/detail/fork_gate.h"
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
/// every run. A forked child process is not a member of the groups of its parent.
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
  /// Whether this process was forked since.
  [[nodiscard]] bool is_forked() const noexcept;
  /// Throws:  EnvironmentError where it was.
  void check_not_forked(const detail::CollectiveCall& call) const;

  std::shared_ptr<const void>
      unfinished_;  // The memory of a failed operation; outlives the transport.
  std::unique_ptr<Transport> transport_;
  std::chrono::milliseconds timeout_;
  std::uint64_t number_ = 0;
  std::exception_ptr failure_;
  std::mutex execution_;  // Held while the transport is used.

  /// The thread of submitted operations, and the state that it shares.
  struct Worker {
    std::mutex lock;  // Guards the other members.
    std::condition_variable changed;
    std::deque<Task> tasks;
    bool is_working = false;
    bool ends = false;
    std::thread thread;  // Starts with the first submit.
  };
  std::unique_ptr<Worker> worker_ = std::make_unique<Worker>();
  std::uint64_t forks_ = ddx::detail::fork_count();  // At the construction.
};

}  // namespace ddx::distributed
