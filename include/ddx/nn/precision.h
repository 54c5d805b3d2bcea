/// \file
/// Models in another precision: training with 16-bit computation and parameters in f32.
///
/// The element type of a model is a part of its type, so a program has the model twice: as
/// `Net<float>`, whose parameters the optimiser changes, and as `Net<BFloat16>`, which computes.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/walk.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::nn {

namespace detail {

/// Sets a parameter or a part of a layer's state to the same place of another model, cast.
///
/// Throws: UsageError where the two differ in shape.
template <TensorScalar To, TensorScalar From>
void set_cast(const char* operation, const Path& path, Tensor<To>& to, const Tensor<From>& from) {
  if (!from.is_symbolic_zero() && !to.is_symbolic_zero() && to.shape() != from.shape()) {
    throw UsageError(operation, to_string(path) + " has shape " + to_string(to.shape()) +
                                    ", its counterpart has shape " + to_string(from.shape()));
  }
  to = cast<To>(from);
}
template <class To, class From>
  requires std::is_arithmetic_v<To> && std::is_arithmetic_v<From>
void set_cast(const char*, const Path&, To& to, const From& from) {
  to = static_cast<To>(from);
}

/// Casts parameters.
struct CastParameters {
  const char* operation;

  void parameter(const Path& path, auto& to, const auto& from) {
    set_cast(operation, path, to, from);
  }
  void object(const Path&, auto&, const auto&) {}
};

/// Casts parameters and the state that layers keep beside them.
struct CastState {
  const char* operation;

  void parameter(const Path& path, auto& to, const auto& from) {
    set_cast(operation, path, to, from);
  }
  template <class To, class From>
  void object(const Path& path, To& to, const From& from) {
    if constexpr (requires { to.visit_state([](std::string_view, auto&) {}); }) {
      to.visit_state([&]<class Value>(std::string_view name, Value& value) {
        from.visit_state([&]<class Given>(std::string_view other, const Given& given) {
          if constexpr (requires { set_cast(operation, path, value, given); }) {
            if (name == other) {
              set_cast(operation, Path(path, name), value, given);
            }
          }
        });
      });
    }
  }
};

}  // namespace detail

/// The model `form` with the parameters of `model`, each cast to the element type it has in `form`:
/// a model of the same form in another precision. What is not a parameter stays as in `form`.
///
/// DTypes:   any floating ones; bare numbers are cast likewise.
/// Throws:   UsageError where a parameter differs from its counterpart in shape, or a list in
///           length.
/// Gradient: the cotangent of each parameter, cast back; nothing to `form`.
/// Source:   P. Micikevicius et al., "Mixed precision training", ICLR 2018.
/// Example:
///   Net<float> net(options);
///   const Net<BFloat16> form(options);
///   auto slope = ddx::gradient([&](const Net<float>& n) {
///     return loss(cast<float>(cast_parameters(form, n)(cast<BFloat16>(x))), y);
///   }, net);
///   optimizer.update(net, slope);
template <class Form, class Model>
[[nodiscard]] Form cast_parameters(const Form& form, const Model& model) {
  Form result = form;
  detail::CastParameters visitor{"cast_parameters"};
  detail::walk(Path(), visitor, result, model);
  return result;
}

// Primal:  y_i = x_i, rounded to the element type of y
// Adjoint: adj[x_i] += adj[y_i], rounded to the element type of x
// Saves:   the shapes
template <class Form, class Model>
DDX_DERIVATIVE_OF(cast_parameters)
auto cast_parameters_vjp(const Form& form, const Model& model) {
  return vjp(cast_parameters(form, model), [form, model](const TangentOf<Form>& given) {
    TangentOf<Form> dy = given;
    ddx::detail::conform<Form>(dy, form);
    TangentOf<Model> dx{};
    ddx::detail::conform<Model>(dx, model);
    detail::CastParameters visitor{"cast_parameters"};
    detail::walk(Path(), visitor, dx, dy);
    return std::tuple(TangentOf<Form>{}, std::move(dx));
  });
}

/// Sets in `into` all that a checkpoint holds, parameters and the state of layers, to that of
/// `from`, a model of the same form in another precision. So the running averages that a 16-bit
/// copy has gathered come back into the model.
///
/// Throws:  UsageError where two places differ in shape, or a list in length.
template <class Into, class From>
void cast_state(Into& into, const From& from) {
  detail::CastState visitor{"cast_state"};
  detail::walk(Path(), visitor, into, from);
}

}  // namespace ddx::nn
