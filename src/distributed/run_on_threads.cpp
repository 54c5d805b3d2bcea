#include "ddx/distributed/run_on_threads.h"

#include "ddx/core/error.h"
#include "ddx/distributed/process_group.h"

#include "distributed/host_collective.h"
#include "distributed/thread_transport.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::distributed {
namespace {

/// Keeps the first error: those of the other replicas follow from it.
class FirstError {
 public:
  void keep(std::exception_ptr error) noexcept {
    const std::lock_guard guard(lock_);
    if (!error_) {
      error_ = std::move(error);
    }
  }
  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  std::mutex lock_;
  std::exception_ptr error_;
};

void run_replica(ProcessGroup group, const std::function<void(const ProcessGroup&)>& replica,
                 FirstError& error) noexcept {
  try {
    replica(group);
  } catch (const std::exception& what) {
    error.keep(std::current_exception());
    group.give_up(what.what());
  } catch (...) {
    error.keep(std::current_exception());
    group.give_up("an exception has ended its part");
  }
}

}  // namespace

void run_on_threads(std::int64_t count, const std::function<void(const ProcessGroup&)>& replica,
                    std::chrono::milliseconds timeout) {
  if (count < 1) {
    throw UsageError("run_on_threads",
                     "count is " + std::to_string(count) + ", must be at least 1");
  }
  std::vector<ProcessGroup> groups;
  for (auto& transport : thread_transports(count)) {
    groups.emplace_back(std::make_shared<HostCollective>(std::move(transport), timeout));
  }
  FirstError error;
  {
    std::vector<std::jthread> threads;
    threads.reserve(groups.size());
    try {
      for (auto& group : groups) {
        threads.emplace_back([&replica, &error, &group] {
          // A joined thread, since a detached one would wait for this replica's end.
          run_replica(std::exchange(group, {}), replica, error);
        });
      }
    } catch (const std::exception& what) {
      error.keep(std::make_exception_ptr(EnvironmentError(
          "run_on_threads", "the system gives no thread: " + std::string(what.what()))));
      for (std::size_t rank = threads.size(); rank < groups.size(); ++rank) {
        groups[rank].give_up("the system gives no thread");
      }
    }
  }
  error.rethrow();
}

}  // namespace ddx::distributed
