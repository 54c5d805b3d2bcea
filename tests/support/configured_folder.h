/// \file
/// A folder with the configuration of a model.

#pragma once

#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/published_model.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::testing {

/// A folder whose `config.json` has this text.
class ConfiguredFolder {
 public:
  explicit ConfiguredFolder(const std::string& text)
      : file_(folder_.write("config.json",
                            {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})) {}

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

  /// The options that are read from it.
  template <class Options>
  [[nodiscard]] Options options() const {
    return models::options_from<Options>(models::ModelConfiguration(file_));
  }

  /// The message of the error that it is read with, without "ModelConfiguration: FILE: ".
  template <class Options>
  [[nodiscard]] std::string error() const {
    const auto message = message_of<EnvironmentError>([&] { (void)options<Options>(); });
    const std::string start = "ModelConfiguration: " + file_.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

}  // namespace ddx::testing
