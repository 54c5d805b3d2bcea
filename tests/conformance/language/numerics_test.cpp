/// \file
/// Numbers: integer work beside reals, values that are not numbers.

#include "gradient_check.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {
namespace program_not_a_number_without_effect {
double not_a_number_without_effect(double x) {
  double bad = std::sqrt(-1.0);
  double y = x;
  if (x > 1e9)
    y += bad * x;
  double z = 0.0 * std::log(0.0);
  (void)z;
  return y * x;
}
}  // namespace program_not_a_number_without_effect
using program_not_a_number_without_effect::not_a_number_without_effect;
}  // namespace

namespace {
namespace program_hash_chooses_a_weight {
double hash_chooses_a_weight(double x) {
  unsigned h = 2166136261u;
  const std::string s = "abc";
  for (std::size_t i = 0; i < s.size(); ++i) h = (h ^ static_cast<unsigned char>(s[i])) * 16777619u;
  std::vector<double> w{1, 2, 3};
  return x * w[h % 3] + x * x;
}
}  // namespace program_hash_chooses_a_weight
using program_hash_chooses_a_weight::hash_chooses_a_weight;
}  // namespace

DDX_CHECK_GRADIENT(not_a_number_without_effect, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(hash_chooses_a_weight, at(0.83), at(1.7), at(-1.37))
