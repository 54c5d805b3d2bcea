#include "distributed/host_collective.h"

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
#include <string>
#include <thread>
#include <utility>

namespace ddx::distributed {

using ddx::detail::Array;

HostCollective::HostCollective(std::unique_ptr<Transport> transport,
                               std::chrono::milliseconds timeout)
    : transport_(std::move(transport)), timeout_(timeout) {}

HostCollective::~HostCollective() {
  {
    const std::lock_guard guard(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) {
    worker_.join();
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
  } catch (const std::exception& what) {
    failure_ = std::current_exception();
    transport_->give_up(own_reason(what.what()));
  }
  std::rethrow_exception(failure_);
}

void HostCollective::await_idle() {
  std::unique_lock guard(lock_);
  changed_.wait(guard, [this] { return tasks_.empty() && !is_working_; });
}

Array HostCollective::run(const detail::CollectiveCall& call, const Array& operand) {
  await_idle();
  return execute(call, operand);
}

std::future<Array> HostCollective::submit(const detail::CollectiveCall& call,
                                          const Array& operand) {
  Task task([this, call, operand] { return execute(call, operand); });
  auto future = task.get_future();
  {
    const std::lock_guard guard(lock_);
    tasks_.push_back(std::move(task));
    if (!worker_.joinable()) {
      worker_ = std::thread([this] { work(); });
    }
  }
  changed_.notify_all();
  return future;
}

void HostCollective::work() {
  std::unique_lock guard(lock_);
  while (true) {
    changed_.wait(guard, [this] { return ends_ || !tasks_.empty(); });
    if (tasks_.empty()) {
      return;
    }
    {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      is_working_ = true;
      guard.unlock();
      task();
      // The task, which owns the operand, is destroyed before the lock is taken again.
    }
    guard.lock();
    is_working_ = false;
    changed_.notify_all();
  }
}

void HostCollective::give_up(const std::string& reason) noexcept {
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
