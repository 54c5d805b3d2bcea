#include "ddx/ir/scalars.h"

#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"

#include <cstddef>
#include <span>
#include <type_traits>
#include <variant>

namespace ddx::ir {

ops::Attributes bound_attributes(const Node& node, std::span<const ScalarValue> values) {
  ops::Attributes bound = node.attributes;
  std::visit(
      [&](auto& attributes) {
        std::size_t next = 0;
        ops::visit_fields(attributes, [&](const char*, auto& field, ops::FieldRole role) {
          if (role == ops::FieldRole::Static) {
            return;
          }
          const ScalarId scalar = node.scalars[next++];
          if (scalar == baked) {
            return;
          }
          const ScalarValue& value = values[Graph::index(scalar)];
          using Field = std::remove_cvref_t<decltype(field)>;
          if constexpr (std::is_same_v<Field, RandomKey> || std::is_same_v<Field, ops::Literal>) {
            field = std::get<Field>(value);
          } else if constexpr (std::is_same_v<Field, double>) {
            field = std::get<ops::Literal>(value).real;
          }
        });
      },
      bound);
  return bound;
}

}  // namespace ddx::ir
