/// \file
/// Adapters of low rank for the dense layers of a model.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/low_rank.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ddx::nn {

/// Which dense layers get adapters, and of what kind.
struct LowRankOptions {
  /// The paths of the layers, or the ends of paths from a point on: "query", "attention.query".
  std::vector<std::string> layers;
  std::int64_t rank = 8;
  double alpha = 8;            ///< The scale is alpha / rank,
  bool is_stabilised = false;  ///< or alpha / sqrt(rank).
  double dropout = 0;          ///< Of what goes into an adapter, in training steps.
  RandomKey key{0};            ///< Each adapter draws with a key of its own.
};

namespace detail {

template <class T>
inline constexpr bool is_dense = false;
template <FloatingScalar Scalar>
inline constexpr bool is_dense<Dense<Scalar>> = true;

/// Calls `visit(path, layer)` for each dense layer of the model.
template <class Visit, class Model>
void visit_dense(Visit&& visit, Model& model) {
  visit_objects(
      [&]<class Object>(const Path& path, Object& object) {
        if constexpr (is_dense<std::remove_const_t<Object>>) {
          visit(to_string(path), object);
        }
      },
      model);
}

/// Whether the path is the name, or ends with a point and the name.
[[nodiscard]] inline bool ends_with_name(std::string_view path, std::string_view name) {
  return path == name || (path.size() > name.size() && path.ends_with(name) &&
                          path[path.size() - name.size() - 1] == '.');
}

/// Throws: UsageError where the list is empty or one of the names fits no path.
void require_all_fit(const std::vector<std::string>& names, const std::vector<std::string>& paths);

/// Throws: UsageError where the layer at the path has an adapter.
void require_no_adapter(const std::string& path, bool has_one);

/// Throws: UsageError where the layer at the path has both an adapter and a quantised weight.
void require_no_quantized_adapter(const std::string& path, bool has_both);

}  // namespace detail

/// Gives dense layers of a model adapters of low rank, which add nothing as yet: the model computes
/// what it did. Its other parameters are trained too, unless PartlyFrozen holds them.
///
/// Throws:  UsageError where no layer is named, a name fits no dense layer, a layer has an adapter
///          already, or the settings are out of range. The model is unchanged then.
/// Example:
///   nn::add_low_rank(model, {.layers = {"query", "value"}, .rank = 4, .alpha = 8});
template <class Model>
void add_low_rank(Model& model, const LowRankOptions& options) {
  const auto is_chosen = [&](const std::string& path) {
    return std::ranges::any_of(options.layers, [&](const std::string& name) {
      return detail::ends_with_name(path, name);
    });
  };
  std::vector<std::string> paths;
  detail::visit_dense(
      [&](std::string path, const auto& layer) {
        detail::require_no_adapter(path, is_chosen(path) && !layer.low_rank.empty());
        paths.push_back(std::move(path));
      },
      model);
  detail::require_all_fit(options.layers, paths);
  std::uint64_t number = 0;
  detail::visit_dense(
      [&]<FloatingScalar Scalar>(const std::string& path, Dense<Scalar>& layer) {
        if (is_chosen(path)) {
          layer.low_rank.emplace_back(
              typename LowRank<Scalar>::Options{.in = layer.weight.shape()[0],
                                                .out = layer.weight.shape()[1],
                                                .rank = options.rank,
                                                .alpha = options.alpha,
                                                .is_stabilised = options.is_stabilised,
                                                .dropout = options.dropout,
                                                .key = options.key.fold_in(number++),
                                                .device = layer.weight.device()});
        }
      },
      model);
}

/// Whether a parameter belongs to an adapter of low rank, by its path.
[[nodiscard]] inline bool is_low_rank(const std::string& path) {
  return path.starts_with("low_rank.") || path.find(".low_rank.") != std::string::npos;
}

/// Adds the adapters of a model to the weights of their layers, and removes them: the model
/// computes the same, at the cost that it had without adapters. Not for layers within SpectralNorm,
/// which would divide the adapters by the norm too.
///
/// Throws:  UsageError where the weight of a layer with an adapter is quantised. The model is
///          unchanged then.
template <class Model>
void merge_low_rank(Model& model) {
  detail::visit_dense(
      [](const std::string& path, const auto& layer) {
        detail::require_no_quantized_adapter(
            path, !layer.low_rank.empty() && layer.quantized_weight.has_value());
      },
      model);
  detail::visit_dense(
      [](const std::string&, auto& layer) {
        if (!layer.low_rank.empty()) {
          layer.weight = layer.weight + layer.low_rank.front().weight();
          layer.low_rank.clear();
        }
      },
      model);
}

}  // namespace ddx::nn
