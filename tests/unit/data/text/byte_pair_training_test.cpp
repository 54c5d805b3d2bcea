#include "ddx/data/text/byte_pair_training.h"

#include "ddx/core/error.h"
#include "ddx/data/text/byte_pair_encoder.h"
#include "ddx/data/text/byte_pair_model.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace byte_pair_training_test {

using ddx::testing::golden_file;
using ddx::testing::message_of;

using Merges = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> corpus() {
  const auto text = ddx::testing::text_of(golden_file("text/corpus.txt"));
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

const std::vector<std::string> special = {"<|endoftext|>", "<|end|>"};

TEST(BytePairTraining, MakesTheModelThatWasRecorded) {
  const auto model = train_byte_pair_model(
      corpus(), {.vocabulary_size = 600, .min_frequency = 2, .special_tokens = special});
  const auto expected = read_byte_pair_model(golden_file("text/byte_pairs/vocab.json"),
                                             golden_file("text/byte_pairs/merges.txt"));
  EXPECT_EQ(model.merges, expected.merges);
  EXPECT_EQ(model.vocabulary.tokens(), expected.vocabulary.tokens());
}

TEST(BytePairTraining, StopsWhereTheRecordedTrainingsStop) {
  const auto rows = ddx::testing::recording("text/byte_pairs/cases.json")["trained"];
  ASSERT_EQ(rows.size(), 5U);
  for (const auto& row : rows) {
    const auto model = train_byte_pair_model(corpus(), {.vocabulary_size = row["size"],
                                                        .min_frequency = row["min_frequency"],
                                                        .special_tokens = special});
    EXPECT_EQ(model.vocabulary.size(), row["tokens"].get<std::int64_t>()) << row["size"];
    std::vector<std::string> merges;
    for (const auto& [left, right] : model.merges) {
      merges.push_back(left + " " + right);
    }
    if (merges.size() >= 200) {  // Recorded are the first and last hundred.
      merges.erase(merges.begin() + 100, merges.end() - 100);
      merges.insert(merges.begin() + 100, "...");
    }
    EXPECT_EQ(merges, row["merges"].get<std::vector<std::string>>()) << row["size"];
  }
}

TEST(BytePairTraining, TheOrderOfTheTextsDoesNotMatter) {
  auto texts = corpus();
  const BytePairTrainingOptions options{.vocabulary_size = 400};
  const auto model = train_byte_pair_model(texts, options);
  std::reverse(texts.begin(), texts.end());
  EXPECT_EQ(train_byte_pair_model(texts, options), model);
}

TEST(BytePairTraining, EquallyFrequentPairsGoByTheirIds) {
  // "ab" and "cd" are there twice each; "abab" overlaps nothing.
  const std::vector<std::string> texts = {"cd", "cd", "ab", "ab"};
  EXPECT_EQ(train_byte_pair_model(texts, {.vocabulary_size = 300}).merges,
            (Merges{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(train_byte_pair_model(texts, {.vocabulary_size = 257}).merges, (Merges{{"a", "b"}}));
  EXPECT_EQ(train_byte_pair_model(texts, {.vocabulary_size = 256}).merges, Merges{});
  EXPECT_EQ(train_byte_pair_model(texts, {.vocabulary_size = 300, .min_frequency = 3}).merges,
            Merges{});
}

TEST(BytePairTraining, RepeatsOfOneLetterMerge) {
  // Five letters hold four pairs; merged from the left, "aa" "aa" "a".
  EXPECT_EQ(train_byte_pair_model(std::vector<std::string>{"aaaaa"},
                                  {.vocabulary_size = 300, .min_frequency = 1})
                .merges,
            (Merges{{"a", "a"}, {"aa", "a"}, {"aa", "aaa"}}));
}

TEST(BytePairTraining, NoTextGivesTheBytes) {
  const auto model = train_byte_pair_model({}, {.vocabulary_size = 300});
  EXPECT_EQ(model.vocabulary.size(), 256);
  EXPECT_TRUE(model.merges.empty());
  const BytePairEncoder encoder(model);
  EXPECT_EQ(encoder.decode(encoder.encode("\xFF any text \n")), "\xFF any text \n");
}

TEST(BytePairTraining, APrefixSpaceIsCounted) {
  const std::vector<std::string> texts = {"ab", " ab"};
  EXPECT_EQ(train_byte_pair_model(texts, {.vocabulary_size = 300, .add_prefix_space = true}).merges,
            (Merges{{"a", "b"}, {"\u0120", "ab"}}));
}

TEST(BytePairTraining, OptionsThatMakeNoSenseAreErrors) {
  const auto error = [](const BytePairTrainingOptions& options) {
    return message_of<UsageError>([&] { (void)train_byte_pair_model({}, options); });
  };
  EXPECT_EQ(
      error({.vocabulary_size = 256, .special_tokens = {"<s>"}}),
      "train_byte_pair_model: a vocabulary of 256 tokens cannot hold 1 special tokens and 256 "
      "bytes");
  EXPECT_EQ(error({.min_frequency = 0}),
            "train_byte_pair_model: min_frequency is 0, at least 1 is required");
  EXPECT_EQ(error({.special_tokens = {"<s>", "<s>"}}),
            R"(Vocabulary: token "<s>" stands at 0 and at 1)");
}

}  // namespace byte_pair_training_test
}  // namespace ddx::data
