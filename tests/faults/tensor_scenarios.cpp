// Tensors on each device, from their first use on.

#include "ddx/backend/asynchronous.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/data/prefetched.h"
#include "ddx/tensor.h"

#include "injection.h"
#include "scenario.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddx::faults {
namespace {

using Path = std::filesystem::path;

/// The result of some operations of several kinds: elementwise, a product, a reduction, one that
/// moves elements.
Tensor<float> some_tensor(Device device) {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6}, device);
  const Tensor<float> w({3, 2}, {1, 0, 0, 1, 1, 1}, device);
  const Tensor<float> y = matmul(x, w) * 2.0F + 1.0F;  // {4, 5; 10, 11} by two, plus one.
  return pad(reshape(y, {4}), {0}, {1}) + reshape(sum(y), {1});
}

constexpr std::array<float, 5> right_values{73, 75, 85, 87, 64};

void expect_right(const Tensor<float>& tensor, const char* when) {
  const std::span<const float> elements = tensor.elements();
  if (!std::ranges::equal(elements, right_values)) {
    const Paused paused;
    throw std::runtime_error(std::string("other values ") + when);
  }
}

void without_loop_compilation() {
  backend::set_loop_compilation({.is_on = false});
}

template <Device device()>
class FirstUse final : public Scenario {
 public:
  explicit FirstUse(const Path& /*folder*/) {}
  void attempt() override { expect_right(some_tensor(device()), "while calls fail"); }
  void check(bool /*has_succeeded*/) override { expect_right(some_tensor(device()), "afterwards"); }
};

Device naive() {
  return Device::naive();
}
Device cpu() {
  return Device::cpu();
}
Device lazy() {
  const Paused paused;
  without_loop_compilation();
  return Device::lazy();
}
Device compiled_lazy() {
  const Paused paused;
  backend::set_loop_compilation({.in_background = false});
  return Device::lazy();
}

/// The same, where it has run before: nothing is opened or planned any more.
template <Device device()>
class LaterUse final : public Scenario {
 public:
  explicit LaterUse(const Path& /*folder*/) { expect_right(some_tensor(device()), "before"); }
  void attempt() override { expect_right(some_tensor(device()), "while calls fail"); }
  void check(bool /*has_succeeded*/) override { expect_right(some_tensor(device()), "afterwards"); }
};

/// What has been recorded before memory runs out is there when there is memory again.
class Recorded final : public Scenario {
 public:
  explicit Recorded(const Path& /*folder*/) {
    without_loop_compilation();
    all_ = some_tensor(Device::lazy());
  }
  void attempt() override { expect_right(all_, "while calls fail"); }
  void check(bool /*has_succeeded*/) override { expect_right(all_, "of what was recorded"); }

 private:
  Tensor<float> all_;
};

/// Updates of a tensor whose elements another one shares: each is done or not.
template <Device device()>
class Updates final : public Scenario {
 public:
  explicit Updates(const Path& /*folder*/) {
    w_ = Tensor<float>({2}, {1, 2}, device());
    other_ = w_;
    x_ = Tensor<float>({2}, {3, 4}, device());
  }
  void attempt() override {
    w_ += x_;
    w_ *= 2.0F;
    (void)w_.elements();
  }
  void check(bool has_succeeded) override {
    const std::vector<float> now = w_.values();
    using Values = std::vector<float>;
    expect(now == Values{8, 12} || (!has_succeeded && (now == Values{1, 2} || now == Values{4, 6})),
           "the updated tensor has other values");
    expect(other_.values() == Values{1, 2}, "the one that shared its elements has changed");
  }

 private:
  Tensor<float> w_;
  Tensor<float> other_;
  Tensor<float> x_;
};

/// Calls of an asynchronous device.
class Asynchronous final : public Scenario {
 public:
  explicit Asynchronous(const Path& /*folder*/) {}
  void attempt() override {
    backend::set_asynchronous(Device::cpu(), true);
    expect_right(some_tensor(Device::cpu()), "while calls fail");
    backend::synchronize(Device::cpu());
  }
  void check(bool /*has_succeeded*/) override {
    try {
      backend::synchronize(Device::cpu());
    } catch (const std::exception&) {
      // The unobserved failure of a call.
    }
    expect_right(some_tensor(Device::cpu()), "afterwards");
    backend::set_asynchronous(Device::cpu(), false);
    expect_right(some_tensor(Device::cpu()), "at once");
  }
};

/// Arrays of a size that is asked of the system in pages, and work for the threads of the pool.
template <Device device()>
class Large final : public Scenario {
 public:
  explicit Large(const Path& /*folder*/) {}
  void attempt() override { run(); }
  void check(bool /*has_succeeded*/) override { run(); }

 private:
  static void run() {
    const Tensor<float> x = full({1024, 1024}, 0.5F, device());
    const float total = sum(exp(x * 0.0F) + x).item();  // 1.5 times 2^20.
    const Paused paused;
    expect(total == 1572864.0F, "the sum is " + std::to_string(total));
  }
};

/// Operations whose kernels take memory of their own, or libraries that are loaded for them.
/// Those that are queued wait for one that takes long, and fail on the queue's thread.
template <Device device(), bool are_queued = false>
class Kernels final : public Scenario {
 public:
  explicit Kernels(const Path& /*folder*/) {
    backend::set_loop_compilation({.is_on = false});
    right_ = result(Tensor<float>(0.0F, Device::naive())).values();
    // LAPACK ends the process if it cannot start its threads: it is loaded here.
    (void)cholesky(Tensor<float>({1, 1}, {1}, Device::cpu())).elements();
    if (are_queued) {
      large_ = full({1024, 1024}, 0.5F, device());
      backend::set_asynchronous(device(), true);
    }
  }
  void attempt() override { run(); }
  void check(bool /*has_succeeded*/) override {
    if (are_queued) {
      try {
        backend::synchronize(device());
      } catch (const std::exception&) {
        // The unobserved failure of a call.
      }
    }
    run();
  }

 private:
  static Tensor<float> result(const Tensor<float>& zero) {
    const Device on = zero.device();
    const Tensor<float> x = reshape(arange(0.0F, 512.0F, 1.0F, on), {2, 16, 16, 1}) / 512.0F + zero;
    const Tensor<float> filter = full({5, 5, 1, 4}, 0.125F, on);
    const Tensor<float> y = reshape(conv2d(x, filter), {2, -1});
    const Tensor<float> spectrum = abs(fft(make_complex(y, y)));
    const Tensor<float> ordered = sort(softmax(y)) + cumulative_sum(y, {.axis = 1});
    const Tensor<float> square = matmul(y, transpose(y)) / 1000.0F;
    const Tensor<float> root = cholesky(square + Tensor<float>({2, 2}, {2, 0, 0, 2}, on));
    return sum(spectrum, {.axes = {1}}) / 1000.0F + sum(ordered, {.axes = {1}}) / 1000.0F +
           sum(root, {.axes = {1}});
  }
  void run() const {
    const Tensor<float> zero = are_queued ? sum(exp(large_) * 0.0F) : Tensor<float>(0.0F, device());
    const Tensor<float> made = result(zero);
    const std::span<const float> elements = made.elements();
    const Paused paused;
    for (std::size_t i = 0; i < right_.size(); ++i) {
      expect(std::abs(elements[i] - right_[i]) < 1e-3F * std::abs(right_[i]),
             "element " + std::to_string(i) + " is " + std::to_string(elements[i]) + ", not " +
                 std::to_string(right_[i]));
    }
  }

  std::vector<float> right_;
  Tensor<float> large_;
};

/// Batches made ahead by threads.
class Prefetching final : public Scenario {
 public:
  explicit Prefetching(const Path& /*folder*/) {}
  void attempt() override { run(); }
  void check(bool /*has_succeeded*/) override { run(); }

 private:
  struct Sequence {
    std::int64_t operator[](std::int64_t i) const { return i * i; }
  };
  static void run() {
    data::Prefetched<Sequence> items(Sequence(), 0, 5, {.threads = 2, .ahead = 3});
    std::int64_t sum = 0;
    while (const auto item = items.next()) {
      sum += *item;
    }
    const Paused paused;
    expect(sum == 30, "items are missing");
  }
};

}  // namespace

std::span<const Row> tensor_scenarios() {
  static constexpr std::array rows{
      Row{"naive.first_use", make<FirstUse<naive>>},
      Row{"cpu.first_use", make<FirstUse<cpu>>},
      Row{"lazy.first_use", make<FirstUse<lazy>>},
      Row{"lazy.compiled_first_use", make<FirstUse<compiled_lazy>>, false},
      Row{"naive.later_use", make<LaterUse<naive>>},
      Row{"cpu.later_use", make<LaterUse<cpu>>},
      Row{"lazy.later_use", make<LaterUse<lazy>>},
      Row{"lazy.recorded", make<Recorded>},
      Row{"cpu.updates", make<Updates<cpu>>},
      Row{"lazy.updates", make<Updates<lazy>>},
      Row{"cpu.asynchronous", make<Asynchronous>},
      Row{"cpu.large", make<Large<cpu>>},
      Row{"lazy.large", make<Large<lazy>>},
      Row{"cpu.kernels", make<Kernels<cpu>>},
      Row{"cpu.queued_kernels", make<Kernels<cpu, true>>},
      Row{"lazy.kernels", make<Kernels<lazy>>},
      Row{"data.prefetched", make<Prefetching>},
  };
  return rows;
}

}  // namespace ddx::faults
