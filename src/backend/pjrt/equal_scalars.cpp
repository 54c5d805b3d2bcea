#include "backend/pjrt/equal_scalars.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attributes.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using Bits = std::array<std::uint64_t, 3>;

Bits bits_of(const ops::Literal& number) {
  return {std::bit_cast<std::uint64_t>(number.real), std::bit_cast<std::uint64_t>(number.imaginary),
          static_cast<std::uint64_t>(number.integer)};
}

bool are_equal(const ir::ScalarValue& a, const ir::ScalarValue& b) {
  const auto* const number = std::get_if<ops::Literal>(&a);
  return number == nullptr || bits_of(*number) == bits_of(std::get<ops::Literal>(b));
}

}  // namespace

bool EqualScalars::update(std::span<const ir::ScalarValue> values) {
  if (!is_known_) {
    first_.assign(values.size(), ir::ScalarId{0});  // As if all had been equal.
    separate(values);
    is_known_ = true;
    return false;
  }
  for (std::size_t i = 0; i < first_.size(); ++i) {
    if (!are_equal(values[i], values[ir::Graph::index(first_[i])])) {
      if (++separations_ > most_separations) {
        first_.clear();
      } else {
        separate(values);
      }
      return true;
    }
  }
  return false;
}

void EqualScalars::separate(std::span<const ir::ScalarValue> values) {
  std::map<std::pair<ir::ScalarId, Bits>, ir::ScalarId> known;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto own = static_cast<ir::ScalarId>(i);
    const auto* const number = std::get_if<ops::Literal>(&values[i]);
    first_[i] = number == nullptr
                    ? own
                    : known.try_emplace({first_[i], bits_of(*number)}, own).first->second;
  }
}

}  // namespace ddx::backend::pjrt
