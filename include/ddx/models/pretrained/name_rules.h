/// \file
/// What the arrays of a published model are called, and how they lie there.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {

/// How a published array lies beside the model's: theirs -> ours.
enum class Layout : std::uint8_t {
  Same,        ///< As it is.
  Transposed,  ///< [out, in] -> [in, out]: the weight of PyTorch's Linear.
  Filter,      ///< [out, in / groups, spatial...] -> [spatial..., in / groups, out]
  /// [channels * multiplier, 1, spatial...] -> [spatial..., channels, multiplier]
  Depthwise,
  TransposedFilter,  ///< [in, out / groups, spatial...] -> [spatial..., out / groups, in]
  /// [out, channels * height * width] -> [height * width * channels, out]: the weight of a Linear
  /// behind a flattened picture. The rule states the extents.
  Flattened,
  /// [heads * pairs * 2, in] -> [in, heads * 2 * pairs], or [heads * pairs * 2] -> [heads * 2 *
  /// pairs]: what is rotated in pairs of neighbours there, and of halves here. The rule states the
  /// heads.
  Neighbours,
};

/// One of several parts of a published array along an axis, such as the query in a weight of query,
/// key and value. Of the published array: the layout is that of the part.
struct Part {
  std::int64_t axis = 0;
  std::int64_t index = 0;  ///< From 0.
  std::int64_t count = 1;
  std::vector<std::int64_t> extents = {};  ///< Of all parts along the axis; none: they are equal.
};

/// Where the array for a path of the model comes from, and goes to.
///
/// The wildcard `{}` matches any text without points, `{*}` any text that is not empty. What they
/// match in `ours` replaces the wildcards of `theirs`, in order.
struct NameRule {
  std::string ours;                 ///< A path, as `nn::visit_state` names it.
  std::vector<std::string> theirs;  ///< Several: ours is their sum, as PyTorch's two biases.
  Layout layout = Layout::Same;
  Part part = {};
  std::array<std::int64_t, 3> flattened = {};  ///< Layout::Flattened: channels, height, width.
  /// What is read where `theirs` is absent: the array that ours shares. It is not written back.
  std::string tied_to = {};
  /// Whether the published shape may have more or fewer axes of extent 1 than the layout gives, as
  /// the filter of a convolution over one axis that is published as one over two. They are not
  /// written back.
  bool ignores_unit_axes = false;
  std::int64_t heads = 1;  ///< Layout::Neighbours.
  double raised_by = 0;    ///< What the elements of theirs are larger by than those of ours.
};

/// The names of a published model.
///
/// Example:
///   const models::NameRules names{
///       .rules = {{"blocks.{}.query.weight", {"layer.{}.attn.weight"}, models::Layout::Transposed,
///                  {.axis = 0, .index = 0, .count = 3}},
///                 {"{*}.scale", {"{*}.weight"}},
///                 {"{*}.offset", {"{*}.bias"}}},
///       .ignored = {"{*}.num_batches_tracked"},
///       .prefixes = {"module."}};
struct NameRules {
  std::vector<NameRule> rules;  ///< The first that fits a path counts.
  /// Published arrays that no path needs.
  std::vector<std::string> ignored = {};
  /// What names may begin with, in the file or in the rules: "model.", "module.". Left out of both.
  std::vector<std::string> prefixes = {};
  /// Ends of names in old files, and what they are now: {".gamma", ".weight"}.
  std::vector<std::pair<std::string, std::string>> renamed = {};
};

}  // namespace ddx::models
