#include "backend/pjrt/compile_options.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>

namespace ddx::backend::pjrt {
namespace compile_options_test {

using ddx::testing::message_of;

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02X ", static_cast<unsigned>(c) & 0xFFU);
    text += digits;
  }
  return text;
}

// Field 3 (build options) of 15 bytes: 1: -1, 4: 1, 5: 1; then 4 (portable): true.
TEST(PjrtCompileOptions, PortableForOneDevice) {
  EXPECT_EQ(hexadecimal(encoded({})), "1A 0F 08 FF FF FF FF FF FF FF FF FF 01 20 01 28 01 20 01 ");
}

// By hand: two replicas of two partitions on devices 0 to 3. Field 9 (assignment) has 1: 2, 2: 2,
// and for each partition 3: {1: packed devices of its replicas}: {0, 2} and {1, 3}.
TEST(PjrtCompileOptions, DevicesAreSortedByPartition) {
  EXPECT_EQ(hexadecimal(encoded({.replicas = 2, .partitions = 2, .devices = {0, 1, 2, 3}})),
            "1A 21 08 FF FF FF FF FF FF FF FF FF 01 20 02 28 02 "
            "4A 10 08 02 10 02 1A 04 0A 02 00 02 1A 04 0A 02 01 03 ");
}

// 6: SPMD, 19 (two bytes of tag): Shardy.
TEST(PjrtCompileOptions, PartitionersAreChosen) {
  EXPECT_EQ(hexadecimal(encoded(
                {.partitions = 2, .devices = {4, 300}, .spmd_partitioning = true, .shardy = true})),
            "1A 25 08 FF FF FF FF FF FF FF FF FF 01 20 01 28 02 30 01 "
            "4A 0F 08 01 10 02 1A 03 0A 01 04 1A 04 0A 02 AC 02 98 01 01 ");
}

// Entries of field 7: {1: name, 2: {field by type: value}}.
TEST(PjrtCompileOptions, FlagsHaveTheirTypes) {
  EXPECT_EQ(
      hexadecimal(encoded(
          {.flags = {{"a", std::string("b")}, {"c", true}, {"d", std::int64_t{5}}, {"e", 1.5F}}})),
      "1A 0F 08 FF FF FF FF FF FF FF FF FF 01 20 01 28 01 20 01 "
      "3A 08 0A 01 61 12 03 0A 01 62 "
      "3A 07 0A 01 63 12 02 10 01 "
      "3A 07 0A 01 64 12 02 18 05 "
      "3A 0E 0A 01 65 12 09 21 00 00 00 00 00 00 F8 3F ");
}

TEST(PjrtCompileOptions, WhatContradictsIsAnError) {
  EXPECT_EQ(message_of<UsageError>([] { (void)encoded({.replicas = 2}); }),
            "compile for PJRT: 2 replicas of 1 partitions on 0 devices");
  EXPECT_EQ(message_of<UsageError>([] { (void)encoded({.partitions = 2, .devices = {0}}); }),
            "compile for PJRT: 1 replicas of 2 partitions on 1 devices");
  EXPECT_EQ(message_of<UsageError>([] { (void)encoded({.replicas = 0}); }),
            "compile for PJRT: 0 replicas of 1 partitions on 0 devices");
  EXPECT_EQ(message_of<UsageError>(
                [] { (void)encoded({.flags = {{"f", std::vector<std::int64_t>{1, 2}}}}); }),
            "compile for PJRT: flag f=[1, 2] is a list");
}

}  // namespace compile_options_test
}  // namespace ddx::backend::pjrt
