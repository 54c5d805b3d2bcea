#include "ddx/models/pretrained/detail/weight_plan.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/quantized_matrix.h"
#include "ddx/tensor/tensor.h"

#include "models/pretrained/detail/arrangement.h"
#include "models/pretrained/detail/name_patterns.h"
#include "models/pretrained/detail/row_places.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::models::detail {
namespace {

using ddx::detail::Array;

using Published = std::map<std::string, io::StoredView>;

constexpr auto load_operation = "load_weights";
constexpr std::size_t most_named = 10;

std::string form(DType dtype, const Shape& shape) {
  return std::string(to_string(dtype)) + " " + to_string(shape);
}

bool is_within(const std::string& path, const std::string& whole) {
  return path == whole || (path.starts_with(whole) && path[whole.size()] == '.');
}

/// Faults of one kind: how many there are, and the first of them.
class Faults {
 public:
  void add(std::string fault) {
    if (++count_ <= most_named) {
      text_ += (text_.empty() ? "" : ", ") + std::move(fault);
    }
  }

  [[nodiscard]] bool has_room() const { return count_ < most_named; }

  /// "2 arrays are missing: a, b".
  [[nodiscard]] std::string text(const char* one, const char* several) const {
    return std::to_string(count_) + (count_ == 1 ? one : several) + ": " + text_ +
           (count_ > most_named ? ", and " + std::to_string(count_ - most_named) + " more" : "");
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

/// The rule for a path, with what its wildcards denote.
std::optional<std::pair<const NameRule*, std::vector<std::string>>> rule_for(
    const std::string& path, const NameRules& names) {
  for (const NameRule& rule : names.rules) {
    if (auto texts = matched(rule.ours, path)) {
      return std::pair(&rule, std::move(*texts));
    }
  }
  return std::nullopt;
}

/// The shape of the whole published array.
std::optional<Shape> whole_shape(const NameRule& rule, const Shape& part) {
  if (rule.part.count == 1) {
    return part;
  }
  const auto axis = static_cast<std::size_t>(rule.part.axis);
  if (rule.part.axis < 0 || axis >= part.rank() || rule.part.count < 1 || rule.part.index < 0 ||
      rule.part.index >= rule.part.count) {
    return std::nullopt;
  }
  std::vector<std::int64_t> extents(part.extents().begin(), part.extents().end());
  if (!has_extent(rule.part, extents[axis])) {
    return std::nullopt;
  }
  extents[axis] = first_of_part(rule.part, rule.part.count, extents[axis]);
  return Shape(extents, load_operation, std::source_location::current());
}

/// The extents of a shape other than 1, or all of them.
std::vector<std::int64_t> compared_extents(const NameRule& rule, const Shape& shape) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  if (rule.ignores_unit_axes) {
    std::erase(extents, 1);
  }
  return extents;
}

/// The box of the part of a rule that has this extent.
SliceOptions part_of(const NameRule& rule, const Shape& whole, std::int64_t extent) {
  const auto axis = static_cast<std::size_t>(rule.part.axis);
  std::vector<std::int64_t> start(whole.rank(), 0);
  std::vector<std::int64_t> stop(whole.extents().begin(), whole.extents().end());
  start[axis] = first_of_part(rule.part, rule.part.index, extent);
  stop[axis] = start[axis] + extent;
  return {.start = Indices(start), .stop = Indices(stop)};
}

/// Pairs the arrays of a model with those of a file, and collects what is wrong.
class Pairing {
 public:
  Pairing(const Published& published, const NameRules& names,
          const std::vector<std::string>& ignored_paths)
      : published_(published), names_(names), ignored_paths_(ignored_paths) {
    for (const auto& [name, view] : published) {
      const auto [known, is_new] = by_key_.emplace(canonical(name, names), name);
      if (!is_new) {
        twice_.add("\"" + known->second + "\" and \"" + name + "\"");
      }
    }
  }

  ArraySource source(const ModelArray& array) {
    if (array.is_empty) {
      return {};
    }
    const auto rule = rule_for(array.path, names_);
    if (is_ignored(array.path)) {
      if (rule) {
        pass_by(*rule);
      }
      return {};
    }
    if (!rule) {
      without_rule_.add(array.path);
      return {};
    }
    ArraySource source{rule->first, {}};
    std::vector<std::string> absent;
    for (const std::string& theirs : rule->first->theirs) {
      find(filled(theirs, rule->second), source, absent);
    }
    if (!rule->first->tied_to.empty() && !absent.empty()) {
      absent.clear();
      source.names.clear();
      find(filled(rule->first->tied_to, rule->second), source, absent);
    }
    for (const std::string& name : absent) {
      missing_.emplace_back(name, array.path);
    }
    if (!absent.empty()) {
      return {};
    }
    check(array, source);
    return source;
  }

  /// Throws where anything is wrong.
  void finish(const std::source_location& where) {
    std::string facts;
    const auto add = [&](const Faults& faults, const char* one, const char* several) {
      if (!faults.empty()) {
        facts += (facts.empty() ? "" : "; ") + faults.text(one, several);
      }
    };
    const auto unused = unused_names();
    add(missing_faults(unused), " array is missing", " arrays are missing");
    add(wrong_, " array has another form", " arrays have another form");
    add(without_rule_, " path has no rule", " paths have no rule");
    Faults left;
    for (const std::string& name : unused) {
      left.add("\"" + name + "\"");
    }
    add(left, " array has no place", " arrays have no place");
    add(twice_, " name is there twice", " names are there twice");
    Faults unknown;
    for (const std::string& path : ignored_paths_) {
      if (!ignored_.contains(path)) {
        unknown.add(path);
      }
    }
    add(unknown, " ignored path is none of the model's", " ignored paths are none of the model's");
    if (!facts.empty()) {
      throw UsageError(load_operation, facts, where);
    }
  }

 private:
  bool is_ignored(const std::string& path) {
    bool found = false;
    for (const std::string& whole : ignored_paths_) {
      if (is_within(path, whole)) {
        ignored_.insert(whole);
        found = true;
      }
    }
    return found;
  }

  /// The published arrays of an ignored path need no place.
  void pass_by(const std::pair<const NameRule*, std::vector<std::string>>& rule) {
    for (const std::string& theirs : rule.first->theirs) {
      const auto found = by_key_.find(canonical(filled(theirs, rule.second), names_));
      if (found != by_key_.end()) {
        used_.insert(found->second);
      }
    }
  }

  void find(const std::string& name, ArraySource& into, std::vector<std::string>& absent) {
    const auto found = by_key_.find(canonical(name, names_));
    if (found == by_key_.end()) {
      absent.push_back(name);
    } else {
      into.names.push_back(found->second);
      used_.insert(found->second);
    }
  }

  void check(const ModelArray& array, const ArraySource& source) {
    const auto arranged = arrangement(*source.rule, array.shape);
    const auto whole = arranged ? whole_shape(*source.rule, arranged->theirs) : std::nullopt;
    for (const std::string& name : source.names) {
      const io::StoredView& view = published_.at(name);
      if (!view.obstacle.empty()) {
        wrong_.add(view.obstacle);
        continue;
      }
      const bool fits_dtype =
          view.dtype == array.dtype ||
          (info(view.dtype).kind == DTypeKind::Float && info(array.dtype).kind == DTypeKind::Float);
      if (!whole) {
        wrong_.add(array.path + " is " + form(array.dtype, array.shape) +
                   ", which its layout or part does not allow");
      } else if (compared_extents(*source.rule, view.shape) !=
                     compared_extents(*source.rule, *whole) ||
                 !fits_dtype) {
        wrong_.add("\"" + name + "\" is " + form(view.dtype, view.shape) + ", " + array.path +
                   " takes " + form(array.dtype, *whole));
      }
    }
  }

  [[nodiscard]] std::vector<std::string> unused_names() const {
    std::vector<std::string> unused;
    for (const auto& [name, view] : published_) {
      const bool ignored = std::ranges::any_of(names_.ignored, [&](const std::string& pattern) {
        return matched(pattern, name) || matched(pattern, canonical(name, names_));
      });
      if (!ignored && !used_.contains(name)) {
        unused.push_back(name);
      }
    }
    return unused;
  }

  [[nodiscard]] Faults missing_faults(const std::vector<std::string>& unused) const {
    Faults faults;
    for (const auto& [name, path] : missing_) {
      std::string text = "\"" + name + "\" for " + path;
      if (faults.has_room()) {
        const auto nearest = std::ranges::min_element(
            unused, {}, [&](const std::string& other) { return edit_distance(name, other); });
        text += nearest == unused.end() ? "" : " (nearest: \"" + *nearest + "\")";
      }
      faults.add(std::move(text));
    }
    return faults;
  }

  const Published& published_;
  const NameRules& names_;
  const std::vector<std::string>& ignored_paths_;
  std::map<std::string, std::string, std::less<>> by_key_;  // Names of the file.
  std::set<std::string> used_;
  std::set<std::string> ignored_;
  std::vector<std::pair<std::string, std::string>> missing_;  // Names, and the paths.
  Faults wrong_;
  Faults without_rule_;
  Faults twice_;
};

}  // namespace

void check_quantized_bits(std::optional<int> bits, const std::source_location& where) {
  if (bits && *bits != 8 && *bits != 4) {
    throw UsageError(load_operation,
                     "quantized_bits is " + std::to_string(*bits) + ", only 8 and 4 are supported",
                     where);
  }
}

WeightPlan::WeightPlan(std::vector<ModelArray> model, const io::WeightFiles& files,
                       const NameRules& names, const std::vector<std::string>& ignored_paths,
                       const std::source_location& where)
    : model_(std::move(model)), files_(files) {
  Pairing pairing(files.arrays(), names, ignored_paths);
  for (const ModelArray& array : model_) {
    numbers_.emplace(array.path, sources_.size());
    sources_.push_back(pairing.source(array));
  }
  pairing.finish(where);
}

std::optional<std::size_t> WeightPlan::find(const std::string& path) const {
  const auto found = numbers_.find(path);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

void WeightPlan::drop(std::size_t number) const {
  for (const std::string& name : sources_[number].names) {
    files_.drop(name);
  }
}

Array WeightPlan::read(std::size_t number) const {
  return read_as(number, model_[number].dtype);
}

Array WeightPlan::read_as(std::size_t number, DType dtype) const {
  const ArraySource& source = sources_[number];
  const auto arranged = *arrangement(*source.rule, model_[number].shape);
  const Part& part = source.rule->part;
  const auto where = std::source_location::current();
  std::optional<Array> sum;
  const Shape shape = *whole_shape(*source.rule, arranged.theirs);
  for (const std::string& name : source.names) {
    Array whole(shape, dtype, Device::cpu());
    const std::size_t bytes = static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
    files_.read_into(name, dtype, {static_cast<std::uint8_t*>(whole.mutable_data()), bytes});
    if (part.count != 1) {
      const std::int64_t extent = arranged.theirs[static_cast<std::size_t>(part.axis)];
      whole = ddx::detail::slice(whole, part_of(*source.rule, shape, extent), where);
    }
    sum = sum ? ddx::detail::add_scaled(*sum, 1, whole, where) : whole;
  }
  if (source.rule->raised_by != 0) {
    sum = ddx::detail::binary_right(ops::Op::sub, *sum,
                                    ops::Literal{.real = source.rule->raised_by, .integer = 0});
  }
  return to_ours(*sum, arranged);
}

QuantizedMatrix WeightPlan::read_quantized(std::size_t number, int bits, bool is_transposed,
                                           const std::source_location& where) const {
  const Shape& shape = model_[number].shape;
  const NameRule& rule = *sources_[number].rule;
  if (!has_rows(number, is_transposed)) {
    const Tensor<float> matrix(read_as(number, DType::f32));
    return ddx::quantized(is_transposed ? matrix_transpose(matrix) : matrix, bits, where);
  }
  auto matrix = read_rows(number, bits, is_transposed ? shape[1] : shape[0], where);
  if (!is_transposed) {
    return matrix;
  }
  const auto ordered = [&](const Array& rows) {
    return to_ours(rows, *row_arrangement(rule, Shape{rows.shape()[1], rows.shape()[0]}));
  };
  return {.numbers = Tensor<std::uint8_t>(ordered(matrix.numbers.array())),
          .scales = Tensor<Half>(ordered(matrix.scales.array())),
          .form = matrix.form};
}

/// The rows of the part of the rule, in the order of the file.
QuantizedMatrix WeightPlan::read_rows(std::size_t number, int bits, std::int64_t rows,
                                      const std::source_location& where) const {
  const ArraySource& source = sources_[number];
  const std::string& name = source.names.front();
  const std::int64_t columns = files_.arrays().at(name).shape[1];
  const std::int64_t first = first_of_part(source.rule->part, source.rule->part.index, rows);
  const auto stored = files_.group_bits(name);
  const bool is_taken = stored && *stored <= bits;
  auto matrix =
      ddx::detail::unset_quantized(rows, {.columns = columns, .bits = is_taken ? *stored : bits});
  if (is_taken) {
    const auto numbers = matrix.numbers.mutable_elements();
    const auto scales = matrix.scales.mutable_elements();
    files_.read_groups(name, first * matrix.scales.shape()[1], numbers,
                       {reinterpret_cast<std::uint8_t*>(scales.data()), scales.size_bytes()});
    return matrix;
  }
  constexpr std::int64_t step_elements = std::int64_t{1} << 20;
  const std::int64_t step = std::clamp<std::int64_t>(step_elements / columns, 1, rows);
  std::vector<float> elements(static_cast<std::size_t>(step * columns));
  for (std::int64_t row = 0; row < rows; row += step) {
    const std::int64_t count = std::min(step, rows - row);
    const auto part = std::span(elements).first(static_cast<std::size_t>(count * columns));
    files_.read_rows_into(name, first + row, DType::f32,
                          {reinterpret_cast<std::uint8_t*>(part.data()), part.size_bytes()});
    ddx::detail::quantize_rows(matrix, row, part, where);
  }
  return matrix;
}

/// Whether the published array is one matrix whose rows, or some of them, are those of the model's
/// matrix, or of its transpose.
bool WeightPlan::has_rows(std::size_t number, bool is_transposed) const {
  const ArraySource& source = sources_[number];
  const NameRule& rule = *source.rule;
  const Shape& shape = model_[number].shape;
  const bool has_layout = is_transposed ? row_arrangement(rule, shape).has_value()
                                        : rule.layout == Layout::Same && shape.rank() == 2;
  const bool is_part_of_rows = rule.part.count == 1 || rule.part.axis == 0;
  return has_layout && is_part_of_rows && source.names.size() == 1 && rule.raised_by == 0;
}

bool WeightPlan::reads_in_place(std::size_t number) const {
  const ArraySource& source = sources_[number];
  const bool lies_alike = source.names.size() == 1 && source.rule->part.count == 1 &&
                          source.rule->raised_by == 0 &&
                          !arrangement(*source.rule, model_[number].shape)->moves;
  const bool is_float = info(model_[number].dtype).kind == DTypeKind::Float;
  return lies_alike || (is_float && has_rows(number, true));
}

void WeightPlan::read_into(std::size_t number, std::span<std::uint8_t> elements) const {
  if (has_rows(number, true)) {
    read_columns_into(number, elements);
  } else {
    files_.read_into(sources_[number].names.front(), model_[number].dtype, elements);
  }
}

/// Reads some rows at a time, and writes them as columns.
void WeightPlan::read_columns_into(std::size_t number, std::span<std::uint8_t> elements) const {
  const ModelArray& array = model_[number];
  const NameRule& rule = *sources_[number].rule;
  const std::int64_t columns = array.shape[0];
  const std::int64_t rows = array.shape[1];
  const std::int64_t first = first_of_part(rule.part, rule.part.index, rows);
  const auto arranged = *row_arrangement(rule, Shape{1, rows});
  const std::vector<std::int64_t> places = row_places(arranged, rows);
  constexpr std::int64_t step_elements = std::int64_t{1} << 19;
  const std::int64_t step = std::clamp<std::int64_t>(step_elements / columns, 1, rows);
  const std::size_t size = info(array.dtype).bytes;
  std::vector<std::uint8_t> read(static_cast<std::size_t>(step * columns) * size);
  for (std::int64_t row = 0; row < rows; row += step) {
    const std::int64_t count = std::min(step, rows - row);
    const auto part = std::span(read).first(static_cast<std::size_t>(count * columns) * size);
    files_.read_rows_into(sources_[number].names.front(), first + row, array.dtype, part);
    rows_to_columns({.elements = part, .rows = count, .columns = columns, .element_bytes = size},
                    std::span(places).subspan(static_cast<std::size_t>(row)), rows, elements);
  }
}

}  // namespace ddx::models::detail
