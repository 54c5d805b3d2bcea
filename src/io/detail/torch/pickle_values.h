/// \file
/// What a pickle of Python describes, as data.

#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace ddx::io::detail {

/// What a value of a pickle is.
enum class PickleKind : std::uint8_t {
  None,
  Boolean,
  Integer,
  LargeInteger,  ///< One of more than 64 bits; its digits are not kept.
  Real,
  Text,
  Bytes,
  Tuple,
  List,
  Dictionary,  ///< A dict or a collections.OrderedDict.
  Global,      ///< A name of a module: a function or a class. It is not looked up.
  Call,        ///< What a function would return. It is not called.
  Persistent,  ///< What the program that reads the pickle knows by this name.
};

/// The place of a value among all values of its pickle.
using PickleIndex = std::uint32_t;

/// A value. Texts are parts of the pickle's bytes. Values refer to others by their place: they may
/// share them, and a list may contain itself.
struct PickleValue {
  PickleKind kind = PickleKind::None;
  std::int64_t integer = 0;  ///< Of an Integer or a Boolean.
  double real = 0;
  std::string_view text = {};    ///< Of a Text or Bytes; the module of a Global.
  std::string_view member = {};  ///< The name of a Global within its module.
  /// The elements of a Tuple or List; keys and values of a Dictionary, in turn; the function of a
  /// Call and its arguments, a Tuple; the name of a Persistent.
  std::vector<PickleIndex> items = {};
};

/// All values of a pickle.
struct PickleValues {
  std::deque<PickleValue> values;
  PickleIndex root = 0;

  [[nodiscard]] const PickleValue& operator[](PickleIndex index) const { return values[index]; }
};

}  // namespace ddx::io::detail
