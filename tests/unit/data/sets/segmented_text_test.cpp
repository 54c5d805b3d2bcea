#include "ddx/data/sets/segmented_text.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace segmented_text_test {

using ddx::testing::read_error;

TEST(SegmentedText, ReadsWordsAndTheTextWithoutBlanks) {
  const ddx::testing::TemporaryFolder folder;
  (void)write_text(folder, "tr.txt", "you want  to see\n\n the book ");
  (void)write_text(folder, "va.txt", "look\r\n");
  (void)write_text(folder, "te.txt", "\n");
  const auto texts = read_segmented_texts(folder.path());
  EXPECT_EQ(texts.training, (std::vector<SegmentedText>{
                                {.text = "youwanttosee", .words = {"you", "want", "to", "see"}},
                                {.text = "thebook", .words = {"the", "book"}}}));
  EXPECT_EQ(texts.validation, (std::vector<SegmentedText>{{.text = "look", .words = {"look"}}}));
  EXPECT_TRUE(texts.test.empty());
}

TEST(SegmentedText, WrongLinesAreNamed) {
  EXPECT_EQ(read_error("read_segmented_text", "a\n\xff\n", read_segmented_text),
            ", line 2: is not UTF-8");
  EXPECT_EQ(read_error("read_segmented_text", "", read_segmented_text), ": the file is empty");
}

}  // namespace segmented_text_test
}  // namespace ddx::data
