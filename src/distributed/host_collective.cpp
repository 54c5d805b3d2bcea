#include "distributed/host_collective.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include "distributed/algorithms.h"
#include "distributed/transport.h"

#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace ddx::distributed {

using ddx::detail::Array;

HostCollective::HostCollective(std::unique_ptr<Transport> transport,
                               std::chrono::milliseconds timeout)
    : transport_(std::move(transport)), timeout_(timeout) {}

HostCollective::~HostCollective() {
  if (is_forked()) {
    // They are the parent's, which may be using them.
    (void)worker_.release();
    (void)transport_.release();
    return;
  }
  {
    const std::lock_guard guard(worker_->lock);
    worker_->ends = true;
  }
  worker_->changed.notify_all();
  if (worker_->thread.joinable()) {
    worker_->thread.join();
  }
  bool orderly = !failure_;
  if (orderly && std::uncaught_exceptions() > 0) {
    transport_->give_up(own_reason("an exception has ended its part"));
    orderly = false;
  }
  if (orderly) {
    try {
      (void)execute({.kind = detail::CollectiveKind::Leave, .operation = "ProcessGroup"},
                    Array(Shape{0}, DType::u8, Device::cpu()));
    } catch (...) {
      // The other replicas have been notified; there is no one left to report to.
      orderly = false;
    }
  }
  transport_->close(orderly);
}

std::string HostCollective::own_reason(const std::string& reason) const {
  return "rank " + std::to_string(rank()) + " has given up: " + reason;
}

Array HostCollective::execute(const detail::CollectiveCall& call, const Array& operand) {
  const std::lock_guard guard(execution_);
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  try {
    return perform(*transport_, call, ++number_, operand, timeout_, unfinished_);
  } catch (const Disagreement& what) {
    failure_ = std::make_exception_ptr(UsageError(call.operation, what.what(), call.where));
    // Every replica receives every other one's header, so all of them know.
  } catch (const TransportFailure& what) {
    failure_ = std::make_exception_ptr(EnvironmentError(call.operation, what.what()));
    transport_->give_up(what.what());
  } catch (const std::bad_alloc&) {
    failure_ = std::make_exception_ptr(ddx::detail::out_of_memory());
    transport_->give_up("memory has run out");
  } catch (const std::exception& what) {
    failure_ = std::current_exception();
    transport_->give_up(own_reason(what.what()));
  }
  std::rethrow_exception(failure_);
}

bool HostCollective::is_forked() const noexcept {
  return ddx::detail::fork_count() != forks_;
}

void HostCollective::check_not_forked(const detail::CollectiveCall& call) const {
  if (is_forked()) {
    throw EnvironmentError(call.operation, "this process was forked from rank " +
                                               std::to_string(transport_->rank()) +
                                               " of the group and is no member of it");
  }
}

void HostCollective::await_idle() {
  std::unique_lock guard(worker_->lock);
  worker_->changed.wait(guard, [this] { return worker_->tasks.empty() && !worker_->is_working; });
}

Array HostCollective::run(const detail::CollectiveCall& call, const Array& operand) {
  check_not_forked(call);
  await_idle();
  return execute(call, operand);
}

std::future<Array> HostCollective::submit(const detail::CollectiveCall& call,
                                          const Array& operand) try {
  check_not_forked(call);
  Task task([this, call, operand] { return execute(call, operand); });
  auto future = task.get_future();
  {
    const std::lock_guard guard(worker_->lock);
    if (!worker_->thread.joinable()) {
      try {
        worker_->thread = std::thread([this] { work(); });
      } catch (const std::system_error& error) {
        throw EnvironmentError(call.operation, std::string("no thread: ") + error.what());
      }
    }
    worker_->tasks.push_back(std::move(task));
  }
  worker_->changed.notify_all();
  return future;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(call.operation);
}

void HostCollective::work() {
  std::unique_lock guard(worker_->lock);
  while (true) {
    worker_->changed.wait(guard, [this] { return worker_->ends || !worker_->tasks.empty(); });
    if (worker_->tasks.empty()) {
      return;
    }
    {
      Task task = std::move(worker_->tasks.front());
      worker_->tasks.pop_front();
      worker_->is_working = true;
      guard.unlock();
      task();
      // The task, which owns the operand, is destroyed before the lock is taken again.
    }
    guard.lock();
    worker_->is_working = false;
    worker_->changed.notify_all();
  }
}

void HostCollective::give_up(const std::string& reason) noexcept {
  if (is_forked()) {
    return;
  }
  try {
    await_idle();
    const std::lock_guard guard(execution_);
    if (!failure_) {
      failure_ = std::make_exception_ptr(
          EnvironmentError("ProcessGroup", "this replica has given up: " + reason));
      transport_->give_up(own_reason(reason));
    }
  } catch (...) {
    // A system without memory or locks: the others find out by their timeout.
    return;
  }
}

}  // namespace ddx::distributed
