#include "programs/ba.h"

#include "ddx/ad.h"

#include "numbers.h"
#include "problem.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace ddx::bench {
namespace {

struct Observation {
  Camera<double> camera;
  Vector3<double> point;
  double weight = 0;
  Vector2<double> feature;
};

constexpr std::size_t inputs = camera::size + 3 + 1;

/// A Jacobian is verified by the combination of its rows with these factors.
constexpr Vector2<double> cotangent{0.6, -1.3};

Observation read_observation(const std::filesystem::path& path) {
  NumberReader reader(path);
  (void)reader.next(3);  // Cameras, points and observations of the whole problem.
  Observation o;
  for (double& v : o.camera) {
    v = reader.next<double>();
  }
  for (double& v : o.point) {
    v = reader.next<double>();
  }
  o.weight = reader.next<double>();
  for (double& v : o.feature) {
    v = reader.next<double>();
  }
  return o;
}

template <class T>
T combined(const Vector2<T>& error) {
  return cotangent[0] * error[0] + cotangent[1] * error[1];
}

auto jacobian(const Observation& o) {
  return ddx::value_with_jacobian(
      [&feature = o.feature](const Camera<double>& c, const Vector3<double>& point, double weight) {
        return reprojection_error(c, point, weight, feature);
      },
      o.camera, o.point, o.weight);
}

}  // namespace

Problem ba_problem(const std::filesystem::path& folder, const std::string& size) {
  const auto o =
      std::make_shared<const Observation>(read_observation(folder / "ba" / (size + ".txt")));
  const auto latest = std::make_shared<decltype(jacobian(*o))>();
  Problem problem;
  problem.inputs.assign(o->camera.begin(), o->camera.end());
  problem.inputs.insert(problem.inputs.end(), o->point.begin(), o->point.end());
  problem.inputs.push_back(o->weight);
  problem.primal = [o] {
    return combined(reprojection_error(o->camera, o->point, o->weight, o->feature));
  };
  problem.dual = [o](const std::vector<Dual>& all) {
    Camera<Dual> c;
    std::copy_n(all.begin(), c.size(), c.begin());
    const Vector3<Dual> point{all[c.size()], all[c.size() + 1], all[c.size() + 2]};
    return combined(reprojection_error(c, point, all.back(), o->feature));
  };
  problem.gradient = [o, latest] { *latest = jacobian(*o); };
  problem.gradient_flat = [latest](std::vector<double>& flat) {
    const auto& [value, matrix] = *latest;
    flat.resize(inputs);
    for (std::size_t i = 0; i < inputs; ++i) {
      flat[i] = cotangent[0] * matrix(0, i) + cotangent[1] * matrix(1, i);
    }
    return combined(value);
  };
  return problem;
}

}  // namespace ddx::bench
