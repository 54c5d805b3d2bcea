/// \file
/// The rows of a model's summary.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/nn/layers/frozen.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace ddx::nn::detail {

/// How many numbers a layer holds as parameters.
struct ParameterCount {
  std::int64_t trained = 0;
  std::int64_t frozen = 0;
};

/// One layer.
struct LayerRow {
  std::string path;
  std::string name;    ///< Of its class.
  std::string output;  ///< The shape of its output; "-" where it is not known.
  ParameterCount parameters;
};

using LayerTable = std::vector<LayerRow>;

/// A class's name as C++ gives it, without namespaces and template arguments.
std::string bare_name(const char* mangled);

template <class T>
std::string class_name() {
  return bare_name(typeid(T).name());
}

/// The shape as text; "-" for what has none.
template <class Value>
std::string text_of_shape(const Value& value) {
  if constexpr (requires { to_string(value.shape()); }) {
    return to_string(value.shape());
  } else {
    return "-";
  }
}

template <class T>
inline constexpr bool is_frozen = false;
template <class Layer>
inline constexpr bool is_frozen<Frozen<Layer>> = true;

/// All parameters in an object.
template <class Object>
ParameterCount parameters_of(const Object& object) {
  ParameterCount count;
  visit_parameters(
      [&](const Path&, const auto& parameter) {
        if constexpr (requires { parameter.count(); }) {
          count.trained += static_cast<std::int64_t>(parameter.count());
        } else {
          ++count.trained;
        }
      },
      object);
  visit_objects(
      [&](const Path&, const auto& part) {
        if constexpr (is_frozen<std::remove_cvref_t<decltype(part)>>) {
          const ParameterCount inner = parameters_of(part.layer);
          count.frozen += inner.trained + inner.frozen;
        }
      },
      object);
  return count;
}

/// Adds the rows of a layer, whose path is `path`, and gives what the layer makes of the input.
template <class Layer, class Input>
auto add_rows(LayerTable& table, const Path& path, const Layer& layer, const Input& input) {
  const auto call = [&](std::string_view name, const auto& inner, const auto& given) {
    return add_rows(table, Path(path, name), inner, given);
  };
  if constexpr (requires { layer.trace_calls(call, input); }) {
    return layer.trace_calls(call, input);
  } else {
    const auto output = layer(input);
    const std::string own_path = to_string(path);
    visit_objects(
        [&](const Path& inner, const auto& part) {
          const std::string below = to_string(inner);
          const bool is_layer = below.empty();
          table.push_back({own_path.empty() || is_layer ? own_path + below : own_path + "." + below,
                           class_name<std::remove_cvref_t<decltype(part)>>(),
                           is_layer ? text_of_shape(output) : "-", parameters_of(part)});
        },
        layer);
    return output;
  }
}

/// The table as text, with a last line for the whole model.
std::string rendered(const LayerTable& table, const std::string& name, const std::string& output,
                     const ParameterCount& parameters);

}  // namespace ddx::nn::detail
