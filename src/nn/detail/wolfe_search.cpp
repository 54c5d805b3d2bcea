#include "ddx/nn/detail/wolfe_search.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ddx::nn::detail {
namespace {

bool is_finite(const Probe& probe) {
  return std::isfinite(probe.value) && std::isfinite(probe.slope);
}

/// Where the cubic through two probes has its minimum, kept off the ends of the interval; the
/// middle where the cubic has none or an end is not finite.
double between(const Probe& a, const Probe& b) {
  const double low = std::min(a.distance, b.distance);
  const double high = std::max(a.distance, b.distance);
  const double middle = (low + high) / 2;
  if (!is_finite(a) || !is_finite(b)) {
    return middle;
  }
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.distance - b.distance);
  const double under_root = d1 * d1 - a.slope * b.slope;
  if (!(under_root >= 0)) {
    return middle;
  }
  const double d2 = std::copysign(std::sqrt(under_root), b.distance - a.distance);
  const double at =
      b.distance - (b.distance - a.distance) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
  const double margin = 0.1 * (high - low);
  return std::isfinite(at) ? std::clamp(at, low + margin, high - margin) : middle;
}

/// One search.
class Search {
 public:
  Search(const std::function<Probe(double)>& probe, const Probe& start,
         const WolfeConditions& conditions)
      : probe_(probe), start_(start), conditions_(conditions), lowest_(start) {}

  WolfeResult run(double first) {
    Probe before = start_;
    double distance = first;
    while (probes_ < conditions_.max_probes) {
      const Probe here = look(distance);
      if (!is_finite(here) || !falls(here) || (before.distance > 0 && here.value >= before.value)) {
        return zoom(before, here);
      }
      if (is_flat(here)) {
        return {here, true};
      }
      if (here.slope >= 0) {
        return zoom(here, before);
      }
      before = here;
      distance *= 4;
    }
    return {lowest_, false};
  }

 private:
  Probe look(double distance) {
    ++probes_;
    const Probe here = probe_(distance);
    if (is_finite(here) && falls(here) && here.value < lowest_.value) {
      lowest_ = here;
    }
    return here;
  }

  bool falls(const Probe& at) const {
    return at.value <= start_.value + conditions_.decrease * at.distance * start_.slope;
  }

  bool is_flat(const Probe& at) const {
    return std::fabs(at.slope) <= -conditions_.curvature * start_.slope;
  }

  /// Narrows an interval that holds a point; `low` is its end with the lower value.
  WolfeResult zoom(Probe low, Probe high) {
    while (probes_ < conditions_.max_probes) {
      const Probe here = look(between(low, high));
      if (!is_finite(here) || !falls(here) || here.value >= low.value) {
        high = here;
        continue;
      }
      if (is_flat(here)) {
        return {here, true};
      }
      if (here.slope * (high.distance - low.distance) >= 0) {
        high = low;
      }
      low = here;
    }
    return {lowest_, false};
  }

  const std::function<Probe(double)>& probe_;
  Probe start_;
  WolfeConditions conditions_;
  Probe lowest_;
  int probes_ = 0;
};

}  // namespace

WolfeResult wolfe_search(const std::function<Probe(double)>& probe, const Probe& start,
                         double first, const WolfeConditions& conditions) {
  return Search(probe, start, conditions).run(first);
}

}  // namespace ddx::nn::detail
