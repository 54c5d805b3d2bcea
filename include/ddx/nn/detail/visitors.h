/// \file
/// What the walk through a model calls, for each kind of visit.

#pragma once

#include "ddx/nn/path.h"

#include <string_view>

namespace ddx::nn::detail {

/// Visits parameters only.
template <class Visit>
struct ParameterVisitor {
  Visit& visit;
  void parameter(const Path& path, auto&... parts) { visit(path, parts...); }
  void object(const Path&, auto&...) {}
};

/// Visits objects with members only.
template <class Visit>
struct ObjectVisitor {
  Visit& visit;
  void parameter(const Path&, auto&) {}
  void object(const Path& path, auto& part) { visit(path, part); }
};

/// Visits parameters and the state beside them.
template <class Visit>
struct StateVisitor {
  Visit& visit;
  void parameter(const Path& path, auto& part) { visit(path, part); }
  void object(const Path& path, auto& part) {
    const auto keep = [&](std::string_view name, auto& value) { visit(Path(path, name), value); };
    if constexpr (requires { part.visit_state(keep); }) {
      part.visit_state(keep);
    }
  }
};

}  // namespace ddx::nn::detail
