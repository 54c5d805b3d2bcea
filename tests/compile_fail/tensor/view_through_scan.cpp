// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/scan.h"

#include <array>
#include <span>
#include <tuple>
#include <utility>

int main() {
  const std::array<float, 2> factors{1, 2};
#ifdef DDX_OFFENDING
  using Factors = std::span<const float>;
#else
  using Factors = std::array<float, 2>;
#endif
  using State = std::pair<ddx::Tensor<float>, Factors>;
  const auto turn = [](const State& state, const ddx::Tensor<float>& x) {
    return std::pair(State(state.first * state.second[1] + x, state.second), x);
  };
  (void)ddx::scan(turn, State(ddx::Tensor<float>(1.0F), factors), ddx::ones<float>({3}));
}
