// Records sorted by the C library's qsort and found by its bsearch, as C programs do.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

struct Record {
  char tag;
  double key;
  float weight;
  short group;
};

int by_key(const void* a, const void* b) {
  const double difference = static_cast<const Record*>(a)->key - static_cast<const Record*>(b)->key;
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

int by_group(const void* a, const void* b) {
  return static_cast<const Record*>(a)->group - static_cast<const Record*>(b)->group;
}

double sorted_records(const std::vector<double>& x) {
  constexpr std::size_t count = 11;
  Record records[count];
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<int>(i);
    records[i] = {static_cast<char>('a' + n), std::sin(2.1 * n) * x[i % x.size()] + 0.01 * n,
                  0.5f * static_cast<float>(n), static_cast<short>(n * 7 % 3)};
  }
  std::qsort(records, count, sizeof(Record), by_key);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += static_cast<double>(i + 1) * records[i].key * records[i].weight;
  }
  const Record wanted{'?', records[4].key, 0, 0};
  const auto* const found =
      static_cast<const Record*>(std::bsearch(&wanted, records, count, sizeof(Record), by_key));
  sum *= found->key * found->weight;
  std::qsort(records, count, sizeof(Record), by_group);  // Equal ones keep their order.
  for (std::size_t i = 0; i < count; ++i) {
    sum += static_cast<double>(i * i) * records[i].key * records[i].key;
  }
  return sum;
}

}  // namespace

DDX_CHECK_GRADIENT(sorted_records, at(std::vector{0.7, 1.3, -0.4, 0.9}),
                   at(std::vector{-0.8, 0.6, 1.1}), at(std::vector{0.2, -1.4, 0.5, 0.35, 0.95}))
