// The partition function of a small spin system: states are std::bitset, ramps by lerp and clamp.

#include "gradient_check.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

using State = std::bitset<4>;

double energy(const State& s, const std::vector<double>& coupling, double field) {
  double e = -field * static_cast<double>(s.count());
  for (std::size_t i = 0; i < coupling.size(); ++i) {
    e += s[i] != s[(i + 1) % s.size()] ? coupling[i] : -coupling[i];
  }
  return (s << 1).test(2) ? e : 1.1 * e;
}

double bitset_subsets(const std::vector<double>& coupling, double field, double heat) {
  const auto [least, most] = std::minmax_element(coupling.begin(), coupling.end());
  const auto [low, high] = std::minmax(field, heat);
  double partition = 0;
  double magnetisation = 0;
  for (unsigned bits = 0; bits < 16; ++bits) {
    const State state(bits);
    const double weight = std::exp(-energy(state, coupling, field) / heat);
    partition += weight;
    magnetisation += weight * static_cast<double>((~state).count());
  }
  const double mean = std::midpoint(magnetisation / partition, high);
  return std::log(partition) + std::lerp(*least, *most, mean) * low +
         std::clamp(field * heat, -1.0, 5.0);
}

DDX_CHECK_GRADIENT(bitset_subsets, at(std::vector{0.5, -0.2, 0.9, 0.1}, 0.8, 1.3),
                   at(std::vector{1.2, 0.3}, -0.4, 0.9), at(std::vector{0.3, 0.6, -0.4}, 2.5, 2.2))

}  // namespace
