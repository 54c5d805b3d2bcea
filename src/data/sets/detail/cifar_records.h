/// \file
/// The binary records of the CIFAR sets.

#pragma once

#include "ddx/data/labelled_images.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace ddx::data::detail {

/// The labels at the head of each record: the greatest value of each, and which one to take.
struct CifarForm {
  std::string operation;                   ///< Opens the messages of errors.
  std::span<const std::uint8_t> greatest;  ///< For each label of a record.
  std::size_t chosen = 0;
};

/// Reads records of labels and three planes of 32 by 32 bytes, compressed with gzip or not.
///
/// Throws:  EnvironmentError if the file cannot be read, is damaged, is empty, ends inside a
///          record, or a label is too large. Names the file and the offset.
[[nodiscard]] LabelledImages read_cifar_records(const std::filesystem::path& file,
                                                const CifarForm& form);

/// The file `name.bin` in the folder, or `name.bin.gz` where the first is absent.
///
/// Throws:  EnvironmentError where the system refuses to look into the folder.
[[nodiscard]] std::filesystem::path find_cifar_file(const std::filesystem::path& folder,
                                                    const std::string& name,
                                                    const std::string& operation);

}  // namespace ddx::data::detail
