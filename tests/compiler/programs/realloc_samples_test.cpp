// An array of structs that grows by realloc, as C libraries write it; then resampled and freed.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

struct Sample {
  int index;
  double time;
  double value;
};

struct Samples {
  Sample* data;
  int count;
  int capacity;
};

bool append(Samples* s, Sample sample) {
  if (s->count == s->capacity) {
    const int wider = s->capacity == 0 ? 2 : 2 * s->capacity;
    void* grown = std::realloc(static_cast<void*>(s->data), wider * sizeof(Sample));
    if (grown == nullptr) {
      return false;
    }
    s->data = static_cast<Sample*>(grown);
    s->capacity = wider;
  }
  s->data[s->count++] = sample;
  return true;
}

double trapezoid(const Samples* s) {
  double area = 0;
  for (int i = 1; i < s->count; ++i) {
    const Sample& a = s->data[i - 1];
    const Sample& b = s->data[i];
    area += 0.5 * (b.time - a.time) * (a.value + b.value) * (1 + 0.01 * b.index);
  }
  return area;
}

double realloc_samples(const std::vector<double>& amplitudes, double spacing) {
  Samples samples{nullptr, 0, 0};
  double t = 0;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    const double v = amplitudes[i] * std::exp(-spacing * t);
    if (!append(&samples, {static_cast<int>(i), t, v})) {
      break;
    }
    t += spacing * (1 + 0.2 * amplitudes[i]);
    samples.data[0].value += 0.1 * v * v;
  }
  const double area = trapezoid(&samples);
  std::free(samples.data);
  return area * area + t;
}

DDX_CHECK_GRADIENT(realloc_samples, at(std::vector{0.4, 1.1, -0.3, 0.8, 0.5}, 0.6),
                   at(std::vector{1.3, 0.2}, 1.1), at(std::vector{0.9}, 0.3))

}  // namespace
