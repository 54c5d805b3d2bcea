#include "backend/pjrt/topology.h"

#include "ddx/core/error.h"

#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace ddx::backend::pjrt {
namespace topology_test {

using ddx::testing::message_of;

std::shared_ptr<const Plugin> fake(const std::string& kind) {
  return Plugin::load(fake_file(kind), {.in_child_first = false});
}

const std::array<Named, 2> two_cards{Named{"target_config", std::string("fake card")},
                                     Named{"topology", std::string("1x1x2")}};

TEST(PjrtTopology, APlanOfMemoryIsWhatTheCompilerSays) {
  for (const std::string kind : {"Good", "Newer", "NestedNewer"}) {
    {
      const Topology topology(fake(kind), two_cards);
      const ProgramMemory memory = topology.compile({.text = "results=3"}, "1234");
      EXPECT_EQ(memory.code, 10) << kind;
      EXPECT_EQ(memory.arguments, 20) << kind;
      EXPECT_EQ(memory.results, 7) << kind;  // 3 results and 4 bytes of options.
      EXPECT_EQ(memory.aliased, 40) << kind;
      EXPECT_EQ(memory.temporary, 50) << kind;
      EXPECT_EQ(memory.peak, 60) << kind;
    }
    EXPECT_EQ(live_objects(kind), 0);
  }
}

TEST(PjrtTopology, WhatTheCompilerRefusesIsAnError) {
  const Topology topology(fake("Good"), two_cards);
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)topology.compile({.text = "nonsense"}, "1234"); }),
      "compile for a device that is not here: -:3:8: error: nonsense (INVALID_ARGUMENT)");
}

TEST(PjrtTopology, ADescriptionThatThePluginRefusesIsAnError) {
  const std::array<Named, 2> unknown{Named{"target_config", std::string("abacus")},
                                     Named{"topology", std::string("1x1x2")}};
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)Topology(fake("Good"), unknown); }),
            "compile for a device that is not here: There is no card 'abacus', in 1x1x2 "
            "(INVALID_ARGUMENT)");
  EXPECT_EQ(live_objects(), 0);
}

TEST(PjrtTopology, APluginThatCompilesOnlyForItsOwnDevicesIsAnError) {
  const std::string message =
      message_of<EnvironmentError>([] { (void)Topology(fake("NoExtras"), two_cards); });
  EXPECT_TRUE(message.starts_with("compile for a device that is not here: ")) << message;
  EXPECT_NE(message.find("TopologyDescription_Create"), std::string::npos) << message;
}

}  // namespace topology_test
}  // namespace ddx::backend::pjrt
