/// \file
/// Models of which some parameters are trained.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/walk.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::nn {

namespace detail {

/// The element type that the trained parameters of a model have.
template <class Model>
struct TrainedScalar;
template <template <class> class Model, FloatingScalar Scalar>
struct TrainedScalar<Model<Scalar>> {
  using Type = WideScalar<Scalar>;
};

/// The model with other values of some parameters, by path, each in the element type of its place.
template <class Model, FloatingScalar Scalar>
[[nodiscard]] Model with_parameters(const Model& model,
                                    const std::map<std::string, Tensor<Scalar>>& values) {
  Model result = model;
  visit_parameters(
      [&]<class Part>(const Path& path, Part& parameter) {
        if constexpr (is_floating_tensor<Part>) {
          const auto found = values.find(to_string(path));
          if (found != values.end()) {
            parameter = cast<typename Part::Element>(found->second);
          }
        }
      },
      result);
  return result;
}

// Primal:  y_p = cast(x_p) for the paths p of x
// Adjoint: adj[x_p] += cast(adj[y_p])
// Saves:   the paths
template <class Model, FloatingScalar Scalar>
DDX_DERIVATIVE_OF(with_parameters)
auto with_parameters_vjp(const Model& model, const std::map<std::string, Tensor<Scalar>>& values) {
  std::map<std::string, Tensor<Scalar>> none;
  for (const auto& [path, value] : values) {
    none[path] = Tensor<Scalar>();
  }
  return vjp(with_parameters(model, values), [none](const TangentOf<Model>& dy) {
    auto dx = none;
    visit_parameters(
        [&]<class Part>(const Path& path, const Part& slope) {
          if constexpr (is_floating_tensor<Part>) {
            if (const auto found = dx.find(to_string(path));
                found != dx.end() && !slope.is_symbolic_zero()) {
              found->second = cast<Scalar>(slope);
            }
          }
        },
        dy);
    return std::tuple(TangentOf<Model>{}, std::move(dx));
  });
}

}  // namespace detail

/// A model of which only the parameters are trained that are chosen by their paths: optimisers see
/// them alone and keep moments for no others. The rest is constant. For the weights of dense layers
/// and embeddings, which take most of the time, no derivative is computed, and the inputs of such
/// layers are not kept for one. So adapters (add_low_rank), heads and biases of published models
/// are trained at a fraction of the memory of all parameters.
///
/// `Master` is the element type of the trained parameters, that of the model by default, and f32
/// for a model of 16 bits: it computes in 16 bits, and the optimiser steps in f32.
///
/// In training steps the whole model is in training: dropout draws, running averages move. Both
/// the trained values and the constant ones are saved, loaded and moved; they are named
/// "trained.<path>" and "rest.<path>".
///
/// Example:
///   nn::add_low_rank(model, {.layers = {"query", "value"}, .rank = 4});
///   nn::PartlyFrozen tuned(model, nn::is_low_rank);
///   nn::AdamW optimizer(tuned, {.learning_rate = 1e-3});
///   optimizer.update(tuned, ddx::gradient(loss, tuned));
///   model = tuned.model();
template <class Model, FloatingScalar Master = typename detail::TrainedScalar<Model>::Type>
struct PartlyFrozen {
  std::map<std::string, Tensor<Master>> trained;  ///< By their paths in the model.

  /// Throws: UsageError where no path is chosen, a chosen parameter is no tensor, or it is of a
  ///         wider type than Master.
  PartlyFrozen(Model model, const std::function<bool(const std::string& path)>& is_trained)
      : rest_(std::move(model)) {
    visit_parameters(
        [&](const Path& path, const auto& parameter) {
          if (const auto name = to_string(path); is_trained(name)) {
            trained[name] = taken(name, parameter);
          }
        },
        rest_);
    if (trained.empty()) {
      throw UsageError("PartlyFrozen", "no parameter of the model is chosen to be trained");
    }
    visit_objects([&](const Path& path, auto& object) { set_constant(path, object); }, rest_);
  }

  /// The result of the model for these arguments.
  template <class... Arguments>
  [[nodiscard]] auto operator()(const Arguments&... arguments) const {
    return detail::with_parameters(rest_, trained)(arguments...);
  }

  /// The model with the trained values, of which all parameters may be trained.
  [[nodiscard]] Model model() const {
    Model result = detail::with_parameters(rest_, trained);
    visit_objects(
        [](const Path&, auto& object) {
          if constexpr (requires { object.constant_weight; }) {
            object.constant_weight = decltype(object.constant_weight)();
          }
        },
        result);
    return result;
  }

  /// Puts the model into training for one step.
  void begin_step(RandomKey key) { nn::begin_step(rest_, key); }

  /// Ends the step.
  void end_step() { nn::end_step(rest_); }

  /// Names what is constant and the state of layers.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    nn::visit_state(
        [&](const Path& path, auto& value) {
          if (const auto name = to_string(path); !trained.contains(name)) {
            visitor("rest." + name, value);
          }
        },
        rest_);
  }

  /// Names what is constant and the state of layers.
  template <class Visitor>
  void visit_state(Visitor&& visitor) const {
    nn::visit_state(
        [&](const Path& path, const auto& value) {
          if (const auto name = to_string(path); !trained.contains(name)) {
            visitor("rest." + name, value);
          }
        },
        rest_);
  }

  DDX_DIFFERENTIABLE(PartlyFrozen, trained)

 private:
  template <class Part>
  static Tensor<Master> taken(const std::string& path, const Part& parameter) {
    if constexpr (!detail::is_floating_tensor<Part>) {
      throw UsageError("PartlyFrozen", path + " is a bare number, only tensors can be chosen");
    } else if constexpr (sizeof(typename Part::Element) > sizeof(Master)) {
      throw UsageError("PartlyFrozen",
                       path + " is of " + std::string(to_string(dtype_of<typename Part::Element>)) +
                           ", which is wider than " + std::string(to_string(dtype_of<Master>)));
    } else {
      return cast<Master>(parameter);
    }
  }

  template <class Object>
  void set_constant(const Path& path, Object& object) const {
    if constexpr (requires { object.constant_weight; }) {
      if (!trained.contains(to_string(Path(path, "weight"))) && !is_in_trained(object.weight)) {
        object.constant_weight = object.weight;
      }
    }
  }

  /// Whether a trained parameter has the same storage: a layer that is given it must not take it
  /// for its constant weight.
  template <FloatingScalar Scalar>
  [[nodiscard]] bool is_in_trained(const Tensor<Scalar>& weight) const {
    if constexpr (std::is_same_v<Scalar, Master>) {
      return std::ranges::any_of(
          trained, [&](const auto& each) { return each.second.shares_storage_with(weight); });
    } else {
      return false;
    }
  }

  Model rest_;

 public:
  DDX_NO_DERIVATIVE(rest_)
};

}  // namespace ddx::nn
