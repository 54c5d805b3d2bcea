#include "backend/lazy/attribute_guard.h"

#include "ddx/core/random_key.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// The scalar that a run-time field represents; none where it is baked.
template <class Field>
std::optional<ir::ScalarValue> scalar_of_field(const Field& field) {
  if constexpr (std::is_same_v<Field, double>) {
    return scalar_of(ops::Literal{.real = field});
  } else if constexpr (std::is_same_v<Field, ops::Literal>) {
    return scalar_of(field);
  } else {
    static_assert(std::is_same_v<Field, RandomKey>);
    return field;
  }
}

/// Whether two fields are equal to the bit.
template <class Field>
bool is_same_field(const Field& a, const Field& b) {
  if constexpr (std::is_same_v<Field, ops::Literal> || std::is_same_v<Field, double>) {
    return is_same(a, b);
  } else {
    return a == b;
  }
}

/// Calls visitor(field of a, the same field of b, role, number) for every field.
template <class A, class Visitor>
void visit_both(A& a, const std::remove_const_t<A>& b, const Visitor& visitor) {
  std::size_t number = 0;
  std::size_t run_time = 0;  // Fields of this role so far.
  ops::visit_fields(a, [&](const char*, auto& field, ops::FieldRole role) {
    std::size_t other_number = 0;
    ops::visit_fields(b, [&](const char*, const auto& other, ops::FieldRole) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>,
                                   std::remove_cvref_t<decltype(other)>>) {
        if (other_number == number) {
          visitor(field, other, role, run_time);
        }
      }
      ++other_number;
    });
    run_time += role == ops::FieldRole::RunTime ? 1 : 0;
    ++number;
  });
}

/// Whether a field is a number that the computation is given.
template <class Field>
constexpr bool may_be_given =
    std::is_same_v<Field, double> || std::is_same_v<Field, ops::Literal> ||
    std::is_same_v<Field, RandomKey>;

}  // namespace

AttributeGuard guard_of(ops::Attributes attributes, std::vector<ir::ScalarValue>& scalars) {
  AttributeGuard guard{.attributes = std::move(attributes)};
  std::visit(
      [&](auto& one) {
        const std::remove_cvref_t<decltype(one)> usual{};
        visit_both(one, usual,
                   [&](auto& field, const auto& by_default, ops::FieldRole role, std::size_t i) {
                     using Field = std::remove_cvref_t<decltype(field)>;
                     if constexpr (may_be_given<Field>) {
                       if (role == ops::FieldRole::Static) {
                         return;
                       }
                       if (const auto value = scalar_of_field(field)) {
                         scalars.push_back(*value);
                         guard.scalars |= static_cast<std::uint8_t>(1U << i);
                         field = by_default;
                       }
                     }
                   });
      },
      guard.attributes);
  return guard;
}

bool passes(const AttributeGuard& guard, const void* kernel_attributes,
            std::vector<ir::ScalarValue>& scalars) {
  bool passed = true;
  std::visit(
      [&](const auto& one) {
        using A = std::remove_cvref_t<decltype(one)>;
        visit_both(
            one, *static_cast<const A*>(kernel_attributes),
            [&](const auto& expected, const auto& field, ops::FieldRole role, std::size_t i) {
              using Field = std::remove_cvref_t<decltype(field)>;
              if constexpr (may_be_given<Field>) {
                if (role == ops::FieldRole::RunTime) {
                  const auto value = scalar_of_field(field);
                  const bool is_scalar = ((guard.scalars >> i) & 1U) != 0;
                  if (value.has_value() && is_scalar) {
                    scalars.push_back(*value);
                    return;
                  }
                  passed = passed && value.has_value() == is_scalar;
                }
              }
              passed = passed && is_same_field(expected, field);
            });
      },
      guard.attributes);
  return passed;
}

}  // namespace ddx::backend::lazy
