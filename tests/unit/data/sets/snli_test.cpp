#include "ddx/data/sets/snli.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace snli_test {

using ddx::testing::read_error;

const std::string header = "gold_label\tparse\tsentence1\tsentence2\n";

TEST(Snli, TakesTheColumnsByTheirNames) {
  const ddx::testing::TemporaryFolder folder;
  const auto file = ddx::testing::write_text(folder, "a",
                                             header +
                                                 "neutral\t(a)\tA dog.\tA cat.\n"
                                                 "-\t(b)\tB.\tC.\n"
                                                 "contradiction\t\tD.\tNot D.\n"
                                                 "entailment\t\tE.\t\n");
  EXPECT_EQ(read_snli(file), (std::vector<SentencePair>{{"A dog.", "A cat.", Entailment::Neutral},
                                                        {"D.", "Not D.", Entailment::Contradiction},
                                                        {"E.", "", Entailment::Entailment}}));
}

TEST(Snli, WrongLinesAreNamed) {
  const auto error = [](const std::string& text) {
    return read_error("read_snli", text, read_snli);
  };
  EXPECT_EQ(error("gold_label\tsentence1\n"), ", line 1: the header has no column \"sentence2\"");
  EXPECT_EQ(error(header + "neutral\t\tA.\n"), ", line 2: 3 cells, 4 are expected");
  EXPECT_EQ(error(header + "maybe\t\tA.\tB.\n"),
            ", line 2: the label is \"maybe\", not entailment, neutral, contradiction or -");
}

}  // namespace snli_test
}  // namespace ddx::data
