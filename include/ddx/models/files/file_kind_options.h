/// \file
/// The settings of the model that names files, what it reads of a file, and the names of its arrays
/// in published files.

#pragma once

#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace ddx::models {

/// The settings of FileKind; by default those that are published as `standard_v3_3`.
struct FileKindOptions {
  std::int64_t kinds = 214;
  std::int64_t end = 1024;     ///< Bytes that are read at each of the two ends of a file.
  std::int64_t features = 64;  ///< Of the vectors of bytes.
  std::int64_t group = 4;      ///< Bytes whose vectors are joined.
  std::int64_t channels = 512;
  std::int64_t kernel = 5;

  friend bool operator==(const FileKindOptions&, const FileKindOptions&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1, a group does not divide both ends, or they have
///         fewer groups than the kernel.
const FileKindOptions& checked(const FileKindOptions& options);

}  // namespace detail

/// What is read of the content of a file: at each end so many bytes as the options say, without the
/// blanks there, of which at most 4096 bytes are looked at; 256 where the file is shorter.
///
/// Source:  magika 1.0.3, `magika.py`, "_extract_features_from_seekable".
[[nodiscard]] std::vector<std::int32_t> file_bytes(std::span<const std::uint8_t> content,
                                                   const FileKindOptions& options = {});

/// The same of a file.
///
/// Throws:  EnvironmentError where it cannot be read.
[[nodiscard]] std::vector<std::int32_t> file_bytes(const std::filesystem::path& file,
                                                   const FileKindOptions& options = {});

/// The options from `config.min.json` of magika, whose "target_labels_space" names the kinds.
///
/// Throws:  EnvironmentError where a setting changes what is read of a file in a way that
/// file_bytes
///          has not. Names the file, the key and the value.
template <>
[[nodiscard]] FileKindOptions options_from<FileKindOptions>(
    const ModelConfiguration& configuration);

/// What the arrays of such a model are called in `model.onnx` of magika's standard_v3_3.
[[nodiscard]] NameRules name_rules(const FileKindOptions& options);

}  // namespace ddx::models
