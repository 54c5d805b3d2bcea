/// \file
/// Which published arrays go where in a model.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/quantized_matrix.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::models::detail {

/// An array of the model.
struct ModelArray {
  std::string path;
  DType dtype = DType::f32;
  Shape shape;
  bool is_empty = false;  ///< Of no elements, or a symbolic zero: asks for nothing.
};

/// The published arrays of one array of the model, by their names in the file; none where it keeps
/// its value.
struct ArraySource {
  const NameRule* rule = nullptr;
  std::vector<std::string> names;
};

/// Finds them all before any is read. Borrows what it is made from.
class WeightPlan {
 public:
  /// Throws:  UsageError where an array of the model has no rule or no published array, or one of
  ///          another shape or dtype, where a published array is not used, where two names of the
  ///          file are one without their prefixes, and where an ignored path is none. Names all of
  ///          them, at most ten of each kind.
  WeightPlan(std::vector<ModelArray> model, const io::WeightFiles& files, const NameRules& names,
             const std::vector<std::string>& ignored_paths, const std::source_location& where);

  /// The source of the array of the model with this number, in the order of the model.
  [[nodiscard]] const ArraySource& source(std::size_t number) const { return sources_[number]; }

  /// How many arrays the model has, and the number of the one at a path.
  [[nodiscard]] std::size_t size() const noexcept { return model_.size(); }
  [[nodiscard]] std::optional<std::size_t> find(const std::string& path) const;

  /// Returns to the system the memory of the published arrays for it.
  void drop(std::size_t number) const;

  /// The published array for it, as the model has it, on Device::cpu().
  [[nodiscard]] ddx::detail::Array read(std::size_t number) const;

  /// The published matrix for it in at most 8 or 4 bits, as the model quantises it, on
  /// Device::cpu(): transposed or not. What the file has in groups of no more bits is taken as it
  /// is. Some rows at a time are there in f32, where the layout of the rule is one of rows.
  ///
  /// Throws:  UsageError as ddx::quantized.
  [[nodiscard]] QuantizedMatrix read_quantized(std::size_t number, int bits, bool is_transposed,
                                               const std::source_location& where) const;

  /// Whether the elements of the published array for it are those of the model, in their order, or
  /// whole rows of it are columns of the model's matrix: then no copy of it is needed.
  [[nodiscard]] bool reads_in_place(std::size_t number) const;

  /// Reads them into memory. Precondition: reads_in_place, and room for all elements.
  void read_into(std::size_t number, std::span<std::uint8_t> elements) const;

 private:
  [[nodiscard]] ddx::detail::Array read_as(std::size_t number, DType dtype) const;
  [[nodiscard]] bool has_rows(std::size_t number, bool is_transposed) const;
  void read_columns_into(std::size_t number, std::span<std::uint8_t> elements) const;
  [[nodiscard]] QuantizedMatrix read_rows(std::size_t number, int bits, std::int64_t rows,
                                          const std::source_location& where) const;

  std::vector<ModelArray> model_;
  const io::WeightFiles& files_;
  std::vector<ArraySource> sources_;
  std::map<std::string, std::size_t> numbers_;  // By path.
};

/// Throws: UsageError where there are other bits than 8 or 4.
void check_quantized_bits(std::optional<int> bits, const std::source_location& where);

/// An array of the model and its elements, on Device::cpu().
struct ModelElements {
  ModelArray array;
  ddx::detail::Array elements;
};

/// The arrays as they are published.
///
/// Throws:  UsageError where an array has no rule or a shape that its layout does not allow, a part
///          of a published array is missing, or two paths are one published array.
[[nodiscard]] io::StoredTensors published(const std::vector<ModelElements>& model,
                                          const NameRules& names, std::optional<DType> dtype,
                                          const std::source_location& where);

}  // namespace ddx::models::detail
