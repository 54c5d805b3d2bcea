/// \file
/// The plugins of fake_plugin.cpp, and that of XLA.

#pragma once

#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/plugin_search.h"

#include <array>
#include <cstddef>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {

/// The file of the fake of a kind.
inline std::filesystem::path fake_file(const std::string& kind) {
  return std::filesystem::path(DDX_FAKE_PJRT) / (kind + ".so");
}

/// A client of the fake of a kind, loaded without a child process.
inline std::shared_ptr<const Client> fake_client(const std::string& kind = "Good") {
  return Client::create(Plugin::load(fake_file(kind), {.in_child_first = false}));
}

/// How many objects of a loaded fake have not been destroyed.
inline int live_objects(const std::string& kind = "Good") {
  void* const library = ::dlopen(fake_file(kind).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    return 0;
  }
  const auto count = reinterpret_cast<int (*)()>(::dlsym(library, "fake_live_objects"))();
  ::dlclose(library);
  return count;
}

/// What a function of a loaded fake answers.
inline std::string answer_of(const std::filesystem::path& file, const char* function) {
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    return file.string() + " is not loaded";
  }
  std::string answer = reinterpret_cast<const char* (*)()>(::dlsym(library, function))();
  ::dlclose(library);
  return answer;
}

/// The client of XLA's plugin for CPUs, with four devices. Of the whole process: its threads should
/// not start again for each test.
inline const std::shared_ptr<const Client>& xla() {
  static const std::shared_ptr<const Client> client = [] {
    const std::vector<std::filesystem::path> folders{DDX_PJRT_FOLDER};
    const auto found = find_plugins(folders);
    if (found.empty()) {
      throw std::runtime_error("there is no plugin of XLA in " DDX_PJRT_FOLDER
                               "; tools/install_pjrt_plugin installs it there");
    }
    return Client::create(Plugin::load(found.front().file), {.cpu_device_count = 4});
  }();
  return client;
}

/// A vector of floats on a device.
inline DeviceBuffer on_device(const std::shared_ptr<const Client>& client,
                              std::span<const float> values, std::size_t ordinal = 0) {
  return DeviceBuffer::copied(
      client, {values.data(), DType::f32, Shape{static_cast<Shape::Extent>(values.size())}},
      client->device(ordinal));
}

/// The elements of an array of floats.
inline std::vector<float> floats_of(const DeviceBuffer& buffer) {
  std::vector<float> values(static_cast<std::size_t>(buffer.shape().count()));
  buffer.take_to_host(std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace ddx::backend::pjrt
