// Blocks of one array as a std::span of std::span, solved in turns and reordered.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace {

using Block = std::span<double>;

void relax(Block block, std::span<const double> neighbour, double omega) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const double other = neighbour[i % neighbour.size()];
    block[i] += omega * (std::cos(other) - block[i]);
  }
}

double energy(std::span<const Block> blocks) {
  double e = 0;
  for (const Block block : blocks) {
    for (const double v : block) {
      e = 0.95 * e + v * v;
    }
  }
  return e;
}

double span_blocks(const std::vector<double>& start, double omega) {
  std::vector<double> state = start;
  const Block all(state);
  std::array<Block, 3> blocks{all.first(2), all.subspan(2, 1), all.last(state.size() - 3)};
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      relax(blocks[b], blocks[(b + 1) % blocks.size()], omega);
    }
    std::swap(blocks[0], blocks[sweep % 2 + 1]);
  }
  const std::span<const Block> view(blocks);
  return energy(view) + energy(view.subspan(1)) * view.front().front();
}

DDX_CHECK_GRADIENT(span_blocks, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7}, 0.4),
                   at(std::vector{1.2, 0.3, -0.8, 0.6}, 0.9),
                   at(std::vector{0.3, 0.6, -0.4, 1.1, 0.2, -0.9}, 0.2))

}  // namespace
