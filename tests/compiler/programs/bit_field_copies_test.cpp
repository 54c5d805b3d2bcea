// Objects that pass by value and begin with a bit-field: what lies behind its byte is copied as one
// part, which begins at an odd address.

#include "gradient_check.h"

#include <algorithm>
#include <vector>

namespace {

struct Sample {
  unsigned kind : 5 = 3;
  double value = 1;
  unsigned weight : 5 = 3;
};

Sample counted(Sample sample, int by) {
  sample.kind = (sample.kind + static_cast<unsigned>(by)) % 2;
  sample.weight = (sample.weight + static_cast<unsigned>(by)) % 3 + 1;
  return sample;
}

double bit_field_copies(const std::vector<double>& x) {
  std::vector<Sample> samples(3);
  samples[0].value = x[0] * x[1];
  samples[1].value = x[1];
  samples[2].value = 2 * x[0];
  for (Sample& sample : samples) {
    sample = counted(sample, 1);
  }
  std::ranges::sort(samples, [](const Sample& a, const Sample& b) { return a.value < b.value; });
  samples.push_back(samples[0]);
  return samples[3].value * samples[1].value * samples[1].weight;
}

}  // namespace

DDX_CHECK_GRADIENT(bit_field_copies, at(std::vector{0.5, 0.75}), at(std::vector{1.5, -0.25}),
                   at(std::vector{0.2, 0.6}))
