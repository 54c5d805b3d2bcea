#include "ddx/models/pretrained/model_configuration.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace model_configuration_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// A folder whose config.json is this text, and what is read from it.
class Configured {
 public:
  explicit Configured(const std::string& text)
      : file_(folder_.write("config.json",
                            {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})) {}

  [[nodiscard]] ModelConfiguration read(const ModelConfigurationOptions& options = {}) const {
    return ModelConfiguration(file_, options);
  }

  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  /// The message of what `f` does with the configuration, without "ModelConfiguration: FILE: ".
  template <class F>
  std::string error(const F& f) const {
    const auto message = message_of<EnvironmentError>([&] { f(read()); });
    const std::string start = "ModelConfiguration: " + file_.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

std::string error_of(const std::string& text) {
  return Configured(text).error([](const ModelConfiguration&) {});
}

const std::string settings = R"({
  "hidden_size": 768, "rms_norm_eps": 1e-06, "rope_theta": 10000, "use_cache": true,
  "hidden_act": "gelu\n", "depths": [3, -4], "scales": [1, 0.5], "layer_types": ["full", ""],
  "none": [], "sliding_window": null, "largest": 9223372036854775807,
  "beyond": 9223372036854775808, "huge": 100000000000000000000, "whole": 4.0,
  "rope_scaling": {"factor": 32.0, "inner": {"x": "y", "a": 1}},
  "id2label": {"0": "A"}
})";

TEST(ModelConfiguration, GivesTheValuesOfTheirKinds) {
  const auto configuration = Configured(settings).read();
  EXPECT_EQ(configuration.integer("hidden_size"), 768);
  EXPECT_EQ(configuration.integer("largest"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(configuration.real("rms_norm_eps"), 1e-6);
  EXPECT_EQ(configuration.real("rope_theta"), 10000.0);
  EXPECT_EQ(configuration.real("huge"), 1e20);
  EXPECT_TRUE(configuration.boolean("use_cache"));
  EXPECT_EQ(configuration.text("hidden_act"), "gelu\n");
  EXPECT_EQ(configuration.integers("depths"), (std::vector<std::int64_t>{3, -4}));
  EXPECT_EQ(configuration.reals("scales"), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(configuration.texts("layer_types"), (std::vector<std::string>{"full", ""}));
  EXPECT_TRUE(configuration.texts("none").empty());
  EXPECT_TRUE(configuration.integers("none").empty());
}

TEST(ModelConfiguration, IsReadFromAFolder) {
  const Configured configured(settings);
  const ModelConfiguration configuration(configured.folder().path());
  EXPECT_EQ(configuration.integer("hidden_size"), 768);
  EXPECT_EQ(configuration.file(), configured.folder().path() / "config.json");
}

TEST(ModelConfiguration, AbsentAndNullHaveTheOtherValue) {
  const auto configuration = Configured(settings).read();
  EXPECT_EQ(configuration.integer("sliding_window", 7), 7);
  EXPECT_EQ(configuration.integer("x", 7), 7);
  EXPECT_EQ(configuration.integer("hidden_size", 7), 768);
  EXPECT_EQ(configuration.real("x", 0.5), 0.5);
  EXPECT_EQ(configuration.real("rms_norm_eps", 0.5), 1e-6);
  EXPECT_TRUE(configuration.boolean("x", true));
  EXPECT_TRUE(configuration.boolean("use_cache", false));
  EXPECT_EQ(configuration.text("x", "silu"), "silu");
  EXPECT_EQ(configuration.text("hidden_act", "silu"), "gelu\n");
  EXPECT_EQ(configuration.integers("x", {5}), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(configuration.integers("depths", {5}), (std::vector<std::int64_t>{3, -4}));
  EXPECT_EQ(configuration.reals("x", {0.5}), (std::vector<double>{0.5}));
  EXPECT_EQ(configuration.reals("scales", {}), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(configuration.texts("x", {"a", "b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(configuration.texts("layer_types", {}), (std::vector<std::string>{"full", ""}));
  EXPECT_TRUE(configuration.has("use_cache"));
  EXPECT_FALSE(configuration.has("sliding_window"));
  EXPECT_FALSE(configuration.has("x"));
  EXPECT_TRUE(configuration.is_null("sliding_window"));
  EXPECT_FALSE(configuration.is_null("x"));
  EXPECT_FALSE(configuration.is_null("use_cache"));
}

TEST(ModelConfiguration, NamesTheKeysThatHaveAValue) {
  EXPECT_EQ(Configured(R"({"b": 1, "a": null, "A": {}})").read().keys(),
            (std::vector<std::string>{"A", "b"}));
}

TEST(ModelConfiguration, ObjectsWithinOutliveTheWhole) {
  std::optional<ModelConfiguration> whole(Configured(settings).read());
  const auto inner = whole->object("rope_scaling").object("inner");
  whole.reset();
  EXPECT_EQ(inner.text("x"), "y");
}

TEST(ModelConfiguration, AWrongKindIsAnErrorThatNamesKeyAndValue) {
  const Configured configured(settings);
  using Configuration = const ModelConfiguration&;
  const auto error = [&](const auto& f) { return configured.error(f); };
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("use_cache"); }),
            "use_cache is true, an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("whole"); }),
            "whole is 4.0, an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("beyond"); }),
            "beyond is 9223372036854775808, an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("hidden_act", 3); }),
            "hidden_act is \"gelu\\n\", an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.real("hidden_act"); }),
            "hidden_act is \"gelu\\n\", a number is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.boolean("hidden_size"); }),
            "hidden_size is 768, true or false is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.text("depths"); }),
            "depths is [3,-4], a text is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integers("scales"); }),
            "scales is [1,0.5], a list of integers is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integers("hidden_size"); }),
            "hidden_size is 768, a list of integers is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.reals("layer_types"); }),
            R"(layer_types is ["full",""], a list of numbers is expected)");
  EXPECT_EQ(error([](Configuration c) { (void)c.texts("depths"); }),
            "depths is [3,-4], a list of texts is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.object("depths"); }),
            "depths is [3,-4], an object is expected");
  EXPECT_EQ(
      error([](Configuration c) { (void)c.object("rope_scaling").object("inner").integer("x"); }),
      "rope_scaling.inner.x is \"y\", an integer is expected");
}

TEST(ModelConfiguration, AMissingValueIsAnErrorThatNamesTheKind) {
  const Configured configured(settings);
  using Configuration = const ModelConfiguration&;
  const auto error = [&](const auto& f) { return configured.error(f); };
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("x"); }),
            "has no x, an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.integer("sliding_window"); }),
            "has no sliding_window, an integer is expected");
  EXPECT_EQ(error([](Configuration c) { (void)c.object("rope_scaling").text("type"); }),
            "has no rope_scaling.type, a text is expected");
}

TEST(ModelConfiguration, WhatIsNotSupportedIsRefused) {
  const Configured configured(settings);
  using Configuration = const ModelConfiguration&;
  const auto error = [&](const auto& f) { return configured.error(f); };
  const auto configuration = configured.read();
  configuration.require("use_cache", true);
  configuration.require("x", false);
  configuration.require("sliding_window", 3);
  configuration.require("hidden_size", 768);
  configuration.require("rope_theta", 10000.0);
  configuration.require("hidden_act", "gelu\n");
  configuration.require("hidden_act", std::string("gelu\n"));
  EXPECT_EQ(error([](Configuration c) { c.require("use_cache", false); }),
            "use_cache is true, only false is supported");
  EXPECT_EQ(error([](Configuration c) { c.require("hidden_size", 64); }),
            "hidden_size is 768, only 64 is supported");
  EXPECT_EQ(error([](Configuration c) { c.object("rope_scaling").require("factor", 1.0); }),
            "rope_scaling.factor is 32.0, only 1.0 is supported");
  EXPECT_EQ(error([](Configuration c) { c.require("hidden_act", "silu"); }),
            "hidden_act is \"gelu\\n\", only \"silu\" is supported");
  EXPECT_EQ(error([](Configuration c) { c.require("use_cache", "silu"); }),
            "use_cache is true, a text is expected");
  EXPECT_EQ(error([](Configuration c) { c.object("rope_scaling").refuse("factor", "1 to 8"); }),
            "rope_scaling.factor is 32.0, supported: 1 to 8");
  EXPECT_EQ(error([](Configuration c) { c.refuse("x", "1 to 8"); }),
            "x is absent, supported: 1 to 8");
}

TEST(ModelConfiguration, LongValuesAreCutInMessages) {
  std::string list = "[1";
  for (int i = 0; i < 1000; ++i) {
    list += ",1";
  }
  const Configured configured(R"({"list":)" + list + R"(],"text":")" + std::string(200, 'a') +
                              "\"}");
  using Configuration = const ModelConfiguration&;
  EXPECT_EQ(configured.error([](Configuration c) { (void)c.text("list"); }),
            "list is " + list.substr(0, 100) + "..., a text is expected");
  EXPECT_EQ(configured.error([](Configuration c) { (void)c.integer("text"); }),
            "text is \"" + std::string(99, 'a') + "..., an integer is expected");
}

TEST(ModelConfiguration, AFileThatIsNoObjectIsRefused) {
  EXPECT_EQ(error_of(""), "byte 0: not JSON");
  EXPECT_EQ(error_of("[]"), "is no JSON object");
  EXPECT_EQ(error_of(R"({"a":1,})"), "byte 7: not JSON");
  EXPECT_EQ(error_of(R"({"a":Infinity})"), "byte 5: not JSON");
  EXPECT_EQ(error_of(R"({"a":1e999})"), "holds a number that is too large");
  EXPECT_EQ(error_of(R"({"a":{"b":1,"b":2}})"), "\"b\" is named twice");
  EXPECT_EQ(error_of(R"({"a":)" + std::string(100'000, '[')), "nests deeper than 32 levels");
}

TEST(ModelConfiguration, MemoryIsBounded) {
  std::string lists = R"({"a":[[])";
  for (int i = 0; i < 1000; ++i) {
    lists += ",[]";
  }
  const Configured configured(lists + "]}");
  EXPECT_TRUE(message_of<EnvironmentError>([&] { (void)configured.read({.max_bytes = 10'000}); })
                  .ends_with("its values take more than 10000 bytes; "
                             "ModelConfigurationOptions::max_bytes raises the limit"));
  EXPECT_TRUE(message_of<EnvironmentError>([&] {
                (void)configured.read({.max_bytes = 1000});
              }).ends_with("at most 1000 are accepted"));
}

TEST(ModelConfiguration, AnAbsentFileIsAnError) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)ModelConfiguration(folder.path()); }),
            "ModelConfiguration: cannot read " + (folder.path() / "config.json").string() +
                ": no such file");
}

}  // namespace model_configuration_test
}  // namespace ddx::models
