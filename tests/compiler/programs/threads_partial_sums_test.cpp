// Threads that each sum a part of the data into a slot of their own, joined before the slots are
// read.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

namespace {

void partial(const double* first, const double* last, double scale, double& sum) {
  double local = 0;
  for (const double* p = first; p != last; ++p) {
    local += std::exp(-scale * *p * *p);
  }
  sum = local;
}

double threads_partial_sums(const std::vector<double>& data, double scale) {
  const std::size_t parts = 2;
  std::vector<double> sums(parts);
  std::vector<double> squares(data.size());
  std::vector<std::thread> threads;
  const std::size_t chunk = (data.size() + parts - 1) / parts;
  for (std::size_t t = 0; t < parts; ++t) {
    const std::size_t begin = std::min(t * chunk, data.size());
    const std::size_t end = std::min(begin + chunk, data.size());
    threads.emplace_back(partial, data.data() + begin, data.data() + end, scale, std::ref(sums[t]));
  }
  std::thread other([&squares, &data, scale] {
    for (std::size_t i = 0; i < data.size(); ++i) {
      squares[i] = scale * data[i] * data[i];
    }
  });
  for (std::thread& t : threads) {
    t.join();
  }
  other.join();
  double total = std::log(sums[0] + sums[1]);
  for (const double s : squares) {
    total += 0.1 * s;
  }
  return total * sums[0];
}

DDX_CHECK_GRADIENT(threads_partial_sums, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7}, 0.8),
                   at(std::vector{1.2}, 0.5), at(std::vector{0.3, 0.6, -0.4, 1.1}, 1.3))

}  // namespace
