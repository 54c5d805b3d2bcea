#include "ddx/models/pretrained/model_configuration.h"

#include "ddx/core/error.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace {

using ddx::models::ModelConfiguration;

/// Calls what may find a value of another kind.
template <class Read>
void tried(const Read& read) {
  try {
    read();
  } catch (const ddx::EnvironmentError&) {
  }
}

void read_all_kinds(const ModelConfiguration& settings) {
  for (const auto* const key : {"a", "b", "hidden_size"}) {
    tried([&] { (void)settings.integer(key, 1); });
    tried([&] { (void)settings.real(key, 1); });
    tried([&] { (void)settings.boolean(key, true); });
    tried([&] { (void)settings.text(key, "x"); });
    tried([&] { (void)settings.integers(key); });
    tried([&] { (void)settings.reals(key); });
    tried([&] { (void)settings.texts(key); });
    tried([&] { settings.require(key, 3); });
    tried([&] { settings.require(key, 0.5); });
    tried([&] { settings.require(key, false); });
    tried([&] { settings.require(key, "x"); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    const ModelConfiguration configuration(file);
    read_all_kinds(configuration);
    read_all_kinds(configuration.object("a"));
  });
}
