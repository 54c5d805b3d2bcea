#include "ddx/data/sets/cola.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace cola_test {

using ddx::testing::read_error;

TEST(Cola, ReadsSentencesWithTheirLabels) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = ddx::testing::write_text(
      folder, "a", "gj04\t1\t\tThe boys run.\nbc01\t0\t*\tRun boys \"the\".\n");
  EXPECT_EQ(read_cola(file),
            (std::vector<JudgedSentence>{
                {.text = "The boys run.", .acceptable = true, .source = "gj04"},
                {.text = "Run boys \"the\".", .acceptable = false, .source = "bc01"}}));
}

TEST(Cola, WrongLinesAreNamed) {
  const auto error = [](const std::string& text) {
    return read_error("read_cola", text, read_cola);
  };
  EXPECT_EQ(error("gj04\t1\t\tA.\ngj04\t1\tB.\n"), ", line 2: 3 cells, 4 are expected");
  EXPECT_EQ(error("gj04\t2\t\tA.\n"), ", line 1: the label is \"2\", neither 0 nor 1");
  EXPECT_EQ(error(""), ": the file is empty");
}

}  // namespace cola_test
}  // namespace ddx::data
