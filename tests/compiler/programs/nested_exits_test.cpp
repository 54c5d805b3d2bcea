// A search with exits at every depth: continue of an outer loop by goto, break, and early return.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

/// Fits tiles into a strip: a tile that overflows all rows ends the search.
double nested_exits(const std::vector<double>& widths, double room, double slack) {
  double rows[3] = {room, 0.8 * room, 1.3 * room};
  double waste = 0;
  for (std::size_t t = 0; t < widths.size(); ++t) {
    double need = widths[t];
    for (int r = 0; r < 3; ++r) {
      for (int attempt = 0;; ++attempt) {
        if (need > rows[r]) {
          break;
        }
        rows[r] -= need;
        waste += rows[r] * rows[r];
        if (rows[r] > slack) {
          goto next_tile;
        }
        need *= 0.6;
        if (attempt == 2) {
          return waste * need + rows[0];
        }
        if (rows[r] < 0.1 * slack) {
          continue;
        }
        rows[r] += 0.05 * slack;
      }
      switch (r) {
        case 0:
          need *= 0.95;
          continue;
        case 1:
          waste += 0.1 * need;
          break;
        default:
          goto full;
      }
      need += 0.01 * waste;
    }
  next_tile:
    waste *= 0.9;
  }
  return waste;
full:
  return waste + rows[0] * rows[1] * rows[2];
}

DDX_CHECK_GRADIENT(nested_exits, at(std::vector{0.47, 0.89, 0.55, 0.36, 0.71}, 1.3, 0.31),
                   at(std::vector{0.63, 0.2, 2.4, 0.3}, 0.9, 0.2),
                   at(std::vector{0.31, 0.27, 0.45, 0.66, 0.28}, 1.1, 0.55))

}  // namespace
