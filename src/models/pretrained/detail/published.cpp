#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/models/pretrained/detail/weight_plan.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "models/pretrained/detail/arrangement.h"
#include "models/pretrained/detail/name_patterns.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models::detail {
namespace {

using ddx::detail::Array;

constexpr auto save_operation = "save_weights";

/// The parts of a published array that paths of the model have given so far.
struct Parts {
  std::vector<std::optional<Array>> parts;
  std::int64_t axis = 0;
  std::string path;  ///< The first.
};

std::size_t bytes_of(const Array& array) {
  return static_cast<std::size_t>(array.shape().count()) * info(array.dtype()).bytes;
}

io::StoredTensor stored(const Array& array, std::optional<DType> dtype) {
  io::StoredTensor result{.dtype = array.dtype(), .shape = array.shape(), .bytes = {}};
  result.bytes.resize(bytes_of(array));
  if (!result.bytes.empty()) {
    std::memcpy(result.bytes.data(), array.data(), result.bytes.size());
  }
  return dtype && info(array.dtype()).kind == DTypeKind::Float ? io::converted(result, *dtype)
                                                               : result;
}

class Publisher {
 public:
  Publisher(const NameRules& names, std::optional<DType> dtype, const std::source_location& where)
      : names_(names), dtype_(dtype), where_(where) {}

  void add(const ModelArray& array, const Array& elements) {
    for (const NameRule& rule : names_.rules) {
      if (const auto texts = matched(rule.ours, array.path)) {
        return rule.tied_to.empty() ? publish(array, elements, rule, *texts) : void();
      }
    }
    fail(array.path + " has no rule");
  }

  io::StoredTensors take() {
    for (auto& [name, whole] : parts_) {
      std::vector<const Array*> all;
      for (const auto& part : whole.parts) {
        if (!part) {
          fail("a part of \"" + name + "\" is missing; " + whole.path + " is another");
        }
        all.push_back(&*part);
      }
      put(name, whole.path, ddx::detail::concatenate(all, whole.axis, where_));
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw UsageError(save_operation, facts, where_);
  }

  void publish(const ModelArray& array, const Array& elements, const NameRule& rule,
               const std::vector<std::string>& texts) {
    const auto arranged = arrangement(rule, array.shape);
    if (!arranged || rule.theirs.empty() || (rule.part.count != 1 && rule.theirs.size() != 1)) {
      fail(array.path + " is " + to_string(array.shape) + ", which its rule does not allow");
    }
    Array theirs = to_theirs(elements, *arranged);
    if (rule.raised_by != 0) {
      theirs = ddx::detail::binary_right(ops::Op::add, theirs,
                                         ops::Literal{.real = rule.raised_by, .integer = 0});
    }
    const std::string name = filled(rule.theirs.front(), texts);
    if (rule.part.count == 1) {
      put(name, array.path, theirs);
    } else {
      put_part(name, array.path, rule.part, theirs);
    }
    for (std::size_t i = 1; i < rule.theirs.size(); ++i) {
      Array zeros(theirs.shape(), theirs.dtype(), theirs.device());
      std::memset(zeros.mutable_data(), 0, bytes_of(theirs));
      put(filled(rule.theirs[i], texts), array.path, zeros);
    }
  }

  void put(const std::string& name, const std::string& path, const Array& array) {
    if (!result_.emplace(name, stored(array, dtype_)).second) {
      fail("\"" + name + "\", to which " + path + " goes, is there already");
    }
  }

  void put_part(const std::string& name, const std::string& path, const Part& part,
                const Array& array) {
    const auto axis = static_cast<std::size_t>(part.axis);
    if (part.axis < 0 || axis >= array.shape().rank() || part.index < 0 ||
        part.index >= part.count || !has_extent(part, array.shape()[axis])) {
      fail(path + ": its rule names no part of " + to_string(array.shape()));
    }
    Parts& whole = parts_[name];
    if (whole.parts.empty()) {
      whole.parts.resize(static_cast<std::size_t>(part.count));
      whole.axis = part.axis;
      whole.path = path;
    }
    const auto index = static_cast<std::size_t>(part.index);
    if (whole.parts.size() != static_cast<std::size_t>(part.count) || whole.axis != part.axis ||
        whole.parts[index]) {
      fail(path + ": its part of \"" + name + "\" does not fit that of " + whole.path);
    }
    whole.parts[index] = array;
  }

  const NameRules& names_;
  std::optional<DType> dtype_;
  std::source_location where_;
  io::StoredTensors result_;
  std::map<std::string, Parts> parts_;
};

}  // namespace

io::StoredTensors published(const std::vector<ModelElements>& model, const NameRules& names,
                            std::optional<DType> dtype, const std::source_location& where) {
  Publisher publisher(names, dtype, where);
  for (const ModelElements& each : model) {
    if (!each.array.is_empty) {
      publisher.add(each.array, each.elements);
    }
  }
  return publisher.take();
}

}  // namespace ddx::models::detail
