/// \file
/// A cpu device whose work can be held up, so that tests know what is still waiting.

#pragma once

#include "ddx/backend/asynchronous.h"
#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/queue.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace ddx::testing {

/// While it lives, all operations on the cpu device are queued, and `exp` of f32 waits for open().
class GatedDevice {
 public:
  GatedDevice() {
    opened() = false;
    impatient() = false;
    original() = before_.kernels().at(ops::Op::exp, DType::f32).kernel();
    kernels_ = before_.kernels();
    kernels_.set(ops::Op::exp, DType::f32, gated_exp);
    backend::register_backend(Device::Kind::Cpu, gated_);
    backend::set_asynchronous(Device::cpu(), true);
  }
  GatedDevice(const GatedDevice&) = delete;
  GatedDevice& operator=(const GatedDevice&) = delete;
  ~GatedDevice() {
    open();
    try {
      backend::set_asynchronous(Device::cpu(), was_asynchronous_);
      backend::synchronize(Device::cpu());
    } catch (const Error&) {
      // Of a test that has not looked at all it made.
    }
    backend::set_break_even(break_even_);
    backend::register_backend(Device::Kind::Cpu, before_);
    EXPECT_FALSE(impatient()) << "work waited for the program, which waited for it";
  }

  static void open() { opened() = true; }
  static void close() { opened() = false; }

 private:
  static std::atomic<bool>& opened() {
    static std::atomic<bool> value{true};
    return value;
  }
  static std::atomic<bool>& impatient() {
    static std::atomic<bool> value{false};
    return value;
  }
  static ops::Kernel& original() {
    static ops::Kernel kernel = nullptr;
    return kernel;
  }

  static void gated_exp(const ops::Call& call) noexcept {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!opened()) {
      if (std::chrono::steady_clock::now() > end) {
        impatient() = true;
        break;
      }
      std::this_thread::yield();
    }
    original()(call);
  }

  bool was_asynchronous_ = backend::is_asynchronous(Device::cpu());
  double break_even_ = backend::set_break_even(0);
  const backend::Backend& before_ = backend::backend_of(Device::cpu());
  backend::KernelTable kernels_;
  backend::Backend gated_{"gated", kernels_};
};

}  // namespace ddx::testing
