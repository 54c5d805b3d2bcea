// A beam line as a std::list of elements: parts are inserted, spliced, changed and removed.

#include "gradient_check.h"

#include <cmath>
#include <iterator>
#include <list>

namespace {

struct Element {
  double length;
  double strength;
};

struct Ray {
  double position;
  double angle;
};

Ray track(const std::list<Element>& line, Ray ray) {
  for (const Element& e : line) {
    ray.angle -= e.strength * ray.position;
    ray.position += e.length * ray.angle;
  }
  return ray;
}

double beamline_list(double focus, double drift, double start) {
  std::list<Element> line;
  for (int i = 0; i < 4; ++i) {
    line.push_back({drift * (1 + 0.1 * i), 0});
    line.push_back({0.2, i % 2 == 0 ? focus : -0.7 * focus});
  }
  line.front().strength = 0.1 * focus * focus;
  line.insert(std::next(line.begin(), 3), {0.5 * drift, 0.3});
  std::list<Element> tail;
  tail.splice(tail.begin(), line, std::next(line.begin(), 5), line.end());
  for (Element& e : tail) {
    e.length *= 1.2;
  }
  tail.reverse();
  line.splice(line.begin(), tail);
  line.remove_if([](const Element& e) { return e.strength < 0; });
  line.erase(std::prev(line.end()));
  const Ray out = track(line, {start, 0.1});
  return out.position * out.position + 0.5 * out.angle + 0.01 * static_cast<double>(line.size());
}

DDX_CHECK_GRADIENT(beamline_list, at(0.6, 0.5, 1.0), at(1.1, 0.3, -0.4), at(0.3, 0.8, 0.7))

}  // namespace
