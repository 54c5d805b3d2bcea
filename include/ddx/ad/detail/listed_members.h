/// \file
/// Whether a class has members that neither of its two lists names.

#pragma once

#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/detail/text.h"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// A class with DDX_NO_DERIVATIVE.
template <class T>
concept HasOtherFields = requires(T& value) { value.ddx_other_fields(); };

/// A class with at least one of the two lists.
template <class T>
concept HasLists = HasFields<T> || HasOtherFields<T>;

/// Room for an object, to name members of it; there is none.
template <class T>
union Unmade {
  constexpr Unmade() : none(0) {}
  constexpr ~Unmade() {}

  char none;
  T object;
};

/// What `__builtin_dump_struct` prints an object with: keeps the names of its members and of its
/// bases' members, but not those of members' members.
///
/// Clang, "Language extensions", `__builtin_dump_struct`: the printer gets a format and its
/// arguments. A base is "%s%s" (indentation, type) and a member "%s%s %s =" (indentation, type,
/// name), either with its own members between " {\n" and "%s}\n" behind it; other members have
/// their value as a last argument.
class MemberNames {
 public:
  static constexpr std::size_t most = 128;

  constexpr void operator()(const char* format) {
    if (!Text(format).ends_with("{\n")) {
      leave();
    } else if (inside_ > 0 || opens_member_) {
      ++inside_;
      opens_member_ = false;
    }
  }
  constexpr void operator()(const char* format, const char* /*indentation or type*/) {
    if (Text(format).ends_with("}\n")) {
      leave();
    }
  }
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/) {}
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* name) {
    opens_member_ = inside_ == 0;
    add(name);
  }
  template <class Value>
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* name, Value&& /*value*/) {
    add(name);
  }

  [[nodiscard]] constexpr std::size_t count() const { return count_; }
  [[nodiscard]] constexpr Text operator[](std::size_t place) const { return names_[place]; }

 private:
  constexpr void leave() {
    if (inside_ > 0) {
      --inside_;
    }
  }
  constexpr void add(const char* name) {
    if (inside_ == 0) {
      names_[count_++] = name;
    }
  }

  Text names_[most]{};
  std::size_t count_ = 0;
  std::size_t inside_ = 0;  // So many members deep.
  bool opens_member_ = false;
};

/// The names of the members of a class, private ones and those of bases included.
template <class T>
consteval MemberNames member_names() {
  MemberNames names;
  Unmade<T> unmade;
  __builtin_dump_struct(&unmade.object, names);
  return names;
}

/// Whether "a, b, c" has a name.
constexpr bool is_in_list(Text list, Text name) {
  for (std::size_t at = 0; at < list.size;) {
    std::size_t first = at;
    const std::size_t end = list.find(',', at);
    while (first < end && list.data[first] == ' ') {
      ++first;
    }
    const std::size_t blank = list.find(' ', first);
    if (list.part(first, blank < end ? blank : end) == name) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

/// How many members the lists of a class name.
template <class T>
consteval std::size_t listed_count() {
  std::size_t count = 0;
  if constexpr (HasFields<T>) {
    count += std::tuple_size_v<decltype(std::declval<T&>().ddx_fields())>;
  }
  if constexpr (HasOtherFields<T>) {
    count += std::tuple_size_v<decltype(std::declval<T&>().ddx_other_fields())>;
  }
  return count;
}

/// The first member that the lists of a class do not name; empty where they name all.
template <HasLists T>
consteval Text unlisted_member() {
  const MemberNames names = member_names<T>();
  const auto is_listed = [](Text name) {
    if constexpr (requires { T::ddx_field_names(); }) {
      if (is_in_list(T::ddx_field_names(), name)) {
        return true;
      }
    }
    if constexpr (requires { T::ddx_other_field_names(); }) {
      if (is_in_list(T::ddx_other_field_names(), name)) {
        return true;
      }
    }
    return false;
  };
  if constexpr (HasFields<T> && !requires { T::ddx_field_names(); }) {
    // Tied by hand: only their number is known.
    return names.count() == listed_count<T>() ? Text() : Text("one of its members");
  }
  for (std::size_t i = 0; i < names.count(); ++i) {
    if (!is_listed(names[i])) {
      return names[i];
    }
  }
  return {};
}

/// The name of a member, as an argument of templates: the compiler shows it.
template <std::size_t size>
struct MemberName {
  explicit consteval MemberName(Text name) {
    for (std::size_t i = 0; i < name.size; ++i) {
      text[i] = name.data[i];
    }
  }

  char text[size]{};
};

template <MemberName name>
inline constexpr bool is_no_member = name.text[0] == 0;

template <MemberName unlisted>
concept NoMember = is_no_member<unlisted>;

/// The first member that the lists of a class do not name.
template <HasLists T>
inline constexpr MemberName<unlisted_member<T>().size + 1> unlisted_name(unlisted_member<T>());

}  // namespace ddx::detail
