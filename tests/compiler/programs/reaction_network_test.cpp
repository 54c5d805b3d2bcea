// A network of reactions: rates as std::function, stoichiometry as lists.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace {

using Amounts = std::vector<double>;

struct Reaction {
  std::vector<std::pair<int, int>> change;
  std::function<double(const Amounts&)> rate;
};

double reaction_network(double forward, double backward, double start) {
  std::vector<Reaction> reactions;
  reactions.push_back({{{0, -1}, {1, 1}}, [forward](const Amounts& c) { return forward * c[0]; }});
  reactions.push_back(
      {{{1, -1}, {0, 1}}, [&](const Amounts& c) { return backward * c[1] * c[1]; }});
  reactions.push_back(
      {{{1, -2}, {2, 1}}, [](const Amounts& c) { return 0.3 * c[1] / (1 + c[2]); }});
  Amounts amounts{start, 0.2, 0.0};
  for (int n = 0; n < 8; ++n) {
    Amounts next = amounts;
    for (const Reaction& reaction : reactions) {
      const double speed = 0.1 * reaction.rate(amounts);
      for (const auto& [species, count] : reaction.change) {
        next[species] += count * speed;
      }
    }
    amounts = next;
  }
  return amounts[0] * amounts[1] + amounts[2];
}

DDX_CHECK_GRADIENT(reaction_network, at(0.6, 0.5, 1.0), at(0.4, 0.7, 0.5), at(0.9, 1.4, 2.0))

}  // namespace
