/// \file
/// Visiting what a model is made of.
///
/// A model is a plain value: numbers, tensors, arrays and vectors, pairs and tuples, and classes
/// with DDX_DIFFERENTIABLE, nested as one likes. Its tangent has the same form, so the two can be
/// visited together.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/visitors.h"
#include "ddx/nn/detail/walk.h"
#include "ddx/nn/path.h"

#include <cstdint>

namespace ddx::nn {

/// Calls `visit(path, parameter, others...)` for each floating number or tensor of the model that
/// carries a tangent, in the order of declaration; `others` are the same places of values of the
/// same form, such as the model's tangent.
///
/// Example:
///   visit_parameters([](const Path& path, const auto& weight, const auto& slope) { ... }, model,
///                    gradient);
template <class Visit, class Model, class... Others>
void visit_parameters(Visit&& visit, Model& model, Others&... others) {
  detail::ParameterVisitor<Visit> visitor{visit};
  detail::walk(Path(), visitor, model, others...);
}

/// Calls `visit(path, object)` for each object with members, inner ones first, the model last.
template <class Visit, class Model>
void visit_objects(Visit&& visit, Model& model) {
  detail::ObjectVisitor<Visit> visitor{visit};
  detail::walk(Path(), visitor, model);
}

/// Calls `visit(path, value)` for all a checkpoint of the model holds: its parameters, and the
/// state that layers keep beside them. A layer with such state has a member function template
/// `visit_state(visitor)` that calls `visitor(name, value)` for each part of it.
template <class Visit, class Model>
void visit_state(Visit&& visit, Model& model) {
  detail::StateVisitor<Visit> visitor{visit};
  detail::walk(Path(), visitor, model);
}

/// Moves everything in the model to a device.
template <class Model>
void move_to(Model& model, Device device) {
  visit_state(
      [&](const Path&, auto& value) {
        if constexpr (requires { value.to(device); }) {
          value = value.to(device);
        }
      },
      model);
}

/// Draws new initial values for every layer; each layer gets its own key. A layer with initial
/// values has a member function `initialize(key)`.
template <class Model>
void initialize(Model& model, RandomKey key) {
  std::uint64_t number = 0;
  visit_objects(
      [&](const Path&, auto& object) {
        if constexpr (requires { object.initialize(key); }) {
          object.initialize(key.fold_in(number));
        }
        ++number;
      },
      model);
}

/// Puts a model into training for one step: dropout draws with a new key, batch normalisation uses
/// the statistics of the batch. A layer that trains differently has member functions
/// `begin_step(key)` and `end_step()`.
template <class Model>
void begin_step(Model& model, RandomKey key) {
  std::uint64_t number = 0;
  visit_objects(
      [&](const Path&, auto& object) {
        if constexpr (requires { object.begin_step(key); }) {
          object.begin_step(key.fold_in(number));
        }
        ++number;
      },
      model);
}

/// Ends the step: layers take over what they saw in it, and the model is back in inference.
template <class Model>
void end_step(Model& model) {
  visit_objects(
      [&](const Path&, auto& object) {
        if constexpr (requires { object.end_step(); }) {
          object.end_step();
        }
      },
      model);
}

}  // namespace ddx::nn
