#include "programs/hand.h"

#include "numbers.h"
#include "problem.h"
#include "program_problem.h"

#include <tuple>
#include <utility>

namespace ddx::bench {
namespace {

/// The file gives four rows.
Affine<double> next_affine(NumberReader& reader) {
  Affine<double> map;
  for (auto& row : map.rows) {
    for (double& v : row) {
      v = reader.next<double>();
    }
  }
  (void)reader.next(4);
  return map;
}

}  // namespace

Problem hand_problem(const std::filesystem::path& folder, const std::string& name) {
  HandFit fit;
  NumberReader bones(folder / "hand/bones.txt");
  fit.bones.resize(bones.next<std::size_t>());
  for (Bone& bone : fit.bones) {
    bone.parent = bones.next<int>();
    bone.relative = next_affine(bones);
    bone.inverse_absolute = next_affine(bones);
  }
  NumberReader vertices(folder / "hand/vertices.txt");
  fit.skin.resize(vertices.next<std::size_t>());
  for (SkinVertex& vertex : fit.skin) {
    for (double& v : vertex.position) {
      v = vertices.next<double>();
    }
    vertex.influences.resize(vertices.next<std::size_t>());
    for (auto& [bone, weight] : vertex.influences) {
      bone = vertices.next<int>();
      weight = vertices.next<double>();
    }
  }
  NumberReader measured(folder / "hand" / (name + ".txt"));
  fit.points.resize(measured.next<std::size_t>());
  const int parameters = measured.next<int>();
  for (MeasuredPoint& point : fit.points) {
    point.vertex = measured.next<int>();
    for (double& v : point.position) {
      v = measured.next<double>();
    }
  }
  return problem_of(Case{std::move(fit), std::tuple{measured.next(parameters)}});
}

}  // namespace ddx::bench
