// Programs that decide by shapes, or expect an error: nothing is reported.

#include <cstddef>
#include <cstdint>
#include <ddx/ddx.h>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

using ddx::Tensor;

bool fits(const Tensor<float>& a, const Tensor<float>& b);
int opaque();
void change(Tensor<float>& x);
void keep(std::function<void()> action);
template <class F>
bool throws(const F& f) {
  try {
    f();
  } catch (const ddx::UsageError&) {
    return true;
  }
  return false;
}

Tensor<float> x23() {
  return ddx::zeros<float>({2, 3});
}
Tensor<float> x45() {
  return ddx::zeros<float>({4, 5});
}

void rank_test() {
  const auto x = x23();
  if (x.rank() == 3) {
    (void)ddx::reshape(x, {7});
  }
  if (x.shape()[1] == 4) {
    (void)(x + x45());
  }
}

void test_elsewhere() {
  if (fits(x23(), x45())) {
    (void)(x23() + x45());
  }
  const auto a = x23();
  const auto b = x45();
  const bool ok = fits(a, b);
  if (ok) {
    (void)(a + b);
  }
  if (!ok) {
    return;
  }
  (void)(a + b);
}

void early_return() {
  const auto a = x23();
  const auto b = x45();
  if (a.shape() != b.shape()) {
    return;
  }
  (void)(a + b);
}

void conditional() {
  const auto a = x23();
  const auto b = x45();
  (void)(a.shape() == b.shape() ? a + b : a);
  (void)(fits(a, b) && (a + b).rank() == 2);
  switch (a.rank()) {
    case 3:
      (void)(a + b);
      break;
    default:
      break;
  }
}

void expected() {
  try {
    (void)(x23() + x45());
  } catch (const ddx::UsageError&) {
  }
  (void)throws([] { (void)(x23() + x45()); });
}

void fails() {
  (void)(x23() + x45());
}

void expected_in_caller() {
  try {
    fails();
  } catch (...) {
  }
}

void fails_by_name() {
  (void)(x23() + x45());
}

void expected_by_name() {
  (void)throws(fails_by_name);
}

void after_handler() {
  const auto a = x23();
  const auto b = x45();
  try {
    (void)(a + b);
  } catch (const ddx::UsageError&) {
    return;
  }
  (void)(a + b);
}

void changed_elsewhere() {
  auto a = x23();
  change(a);
  (void)(a + x45());
}

void changed_through_reference(Tensor<float>& a, Tensor<float>& b) {
  a = x23();
  b = x45();
  (void)(a + x45());
}

void changed_by_closure() {
  auto a = x23();
  keep([&a] { a = x45(); });
  (void)opaque();
  (void)(a + x45());
}

void changed_by_pointer() {
  auto a = x23();
  auto b = x45();
  Tensor<float>* chosen = opaque() > 0 ? &a : &b;
  *chosen = x45();
  (void)(a + x45());
}

void changed_in_loop() {
  auto a = x23();
  for (int i = 0; i < 2; ++i) {
    if (i == 1) {
      (void)(a + x45());
    }
    a = x45();
  }
  for (int i = 0; i < opaque(); ++i) {
    if (i > 0) {
      (void)(a + x23());
    }
    a = x23();
  }
}

void changed_in_while() {
  auto a = ddx::zeros<float>({8});
  while (a.shape()[0] > 2) {
    a = ddx::slice(a, {.start = {0}, .stop = {a.shape()[0] / 2}});
  }
  (void)(a + ddx::zeros<float>({2}));
}

Tensor<float> recursive(const Tensor<float>& x, int depth) {
  return depth == 0 ? x : recursive(ddx::concatenate<float>({x, x}), depth - 1);
}

void recursion() {
  (void)(recursive(ddx::zeros<float>({1}), 5) + ddx::zeros<float>({32}));
}

void other_place() {
  std::vector<Tensor<float>> all{x23(), x45()};
  auto& first = all[0];
  std::swap(all[0], all[1]);
  (void)(first + x45());
  all.clear();
  all.resize(static_cast<std::size_t>(opaque()), x45());
  (void)(all[0] + x45());
}

void smart_pointer() {
  const auto a = std::make_unique<Tensor<float>>(x23());
  *a = x45();
  (void)(*a + x45());
}

void two_references(std::vector<Tensor<float>>& all) {
  for (auto& a : all) {
    for (auto& b : all) {
      a = x23();
      b = x45();
      (void)(a + x45());
    }
  }
}

Tensor<float> global = x23();
void change_global();

void global_variable() {
  Tensor<float>& alias = global;
  alias = x23();
  change_global();
  (void)(alias + x45());
}

void axes_elsewhere() {
  const auto a = x23();
  std::vector<std::int64_t> extra;
  for (std::size_t axis = 2; axis < a.rank(); ++axis) {
    extra.push_back(static_cast<std::int64_t>(axis));
  }
  for (const auto axis : extra) {
    (void)ddx::sum(a, {.axes = {axis + 2}});
    (void)(a + x45());
  }
}

void jump(int n) {
  auto a = x23();
  if (n > 0) {
    a = x45();
    goto end;
  }
  a = x45();
end:
  (void)(a + x45());
}

struct Guard {
  Tensor<float>* changed;
  ~Guard() { *changed = x45(); }
};

void destructor() {
  auto a = x23();
  {
    const Guard guard{&a};
  }
  (void)(a + x45());
}
