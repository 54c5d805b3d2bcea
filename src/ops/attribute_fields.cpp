#include "ddx/ops/attribute_fields.h"

#include "ddx/core/hash.h"
#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace ddx::ops {
namespace {

/// The words that a field consists of, handed to `word` one after another.
template <class Field, class Word>
void visit_words(const Field& field, const Word& word) {
  if constexpr (std::is_same_v<Field, Literal>) {
    word(std::bit_cast<std::uint64_t>(field.real));
    word(static_cast<std::uint64_t>(field.integer));
    word(std::bit_cast<std::uint64_t>(field.imaginary));
  } else if constexpr (std::is_same_v<Field, RandomKey>) {
    for (const std::uint64_t half : field.state()) {
      word(half);
    }
  } else if constexpr (std::is_same_v<Field, double>) {
    word(std::bit_cast<std::uint64_t>(field));
  } else if constexpr (std::is_integral_v<Field>) {
    word(static_cast<std::uint64_t>(field));
  } else {
    for (const auto& element : field) {
      visit_words(element, word);
    }
  }
}

template <class Word>
void visit_words_of(const Attributes& attributes, const Word& word) {
  std::visit(
      [&](const auto& one) {
        visit_fields(one,
                     [&](const char*, const auto& field, FieldRole) { visit_words(field, word); });
      },
      attributes);
}

}  // namespace

Attributes default_attributes(Op op) {
  switch (op) {
#define DDX_OP(name, family, inputs, outputs, attributes, saves, domain, dtypes, stablehlo) \
  case Op::name:                                                                            \
    return attributes{};
#include "ddx/ops/ops.def"
  }
  __builtin_unreachable();
}

const void* struct_of(const Attributes& attributes) noexcept {
  return std::visit([](const auto& one) { return static_cast<const void*>(&one); }, attributes);
}

Attributes attributes_from(Op op, const void* kernel_attributes) {
  return std::visit(
      [&](const auto& one) -> Attributes {
        using A = std::remove_cvref_t<decltype(one)>;
        return *static_cast<const A*>(kernel_attributes);
      },
      default_attributes(op));
}

bool identical(const Attributes& a, const Attributes& b) noexcept {
  if (a.index() != b.index()) {
    return false;
  }
  // The words of a, and then those of b against them.
  std::array<std::uint64_t, sizeof(Attributes)> words{};  // No field of a byte has two.
  std::size_t count = 0;
  visit_words_of(a, [&](std::uint64_t word) { words[count++] = word; });
  std::size_t next = 0;
  bool same = true;
  visit_words_of(b, [&](std::uint64_t word) { same = same && words[next++] == word; });
  return same;
}

std::uint64_t hash_of(const Attributes& attributes) noexcept {
  std::uint64_t hash = attributes.index() + 1;
  visit_words_of(attributes, [&](std::uint64_t word) { hash = mixed(hash, word); });
  return hash;
}

std::size_t run_time_field_count(const Attributes& attributes) noexcept {
  std::size_t count = 0;
  std::visit(
      [&](const auto& one) {
        visit_fields(one, [&](const char*, const auto&, FieldRole role) {
          count += role == FieldRole::RunTime ? 1 : 0;
        });
      },
      attributes);
  return count;
}

}  // namespace ddx::ops
