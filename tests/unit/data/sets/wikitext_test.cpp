#include "ddx/data/sets/wikitext.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace wikitext_test {

using ddx::testing::message_of;
using ddx::testing::read_error;
using ddx::testing::TemporaryFolder;
using ddx::testing::write_text;
using Words = std::vector<std::string>;

TEST(WikiText, GivesTheWordsOfEachLineAndItsEnd) {
  const TemporaryFolder folder;
  const auto file = write_text(folder, "a", " \n = Caf\xC3\xA9 = \n \nOne <unk> @-@ two .");
  EXPECT_EQ(read_wikitext_file(file),
            (Words{"=", "Caf\xC3\xA9", "=", "<eos>", "One", "<unk>", "@-@", "two", ".", "<eos>"}));
}

TEST(WikiText, ReadsTheThreeFilesOfAFolder) {
  const TemporaryFolder folder;
  (void)write_text(folder, "wiki.train.tokens", "a b\n");
  (void)write_text(folder, "wiki.train.raw", "not this\n");
  (void)write_text(folder, "wiki.valid.raw", "c\n");
  (void)write_text(folder, "wiki.test.tokens", "d\n");
  const auto text = read_wikitext(folder.path());
  EXPECT_EQ(text.training, (Words{"a", "b", "<eos>"}));
  EXPECT_EQ(text.validation, (Words{"c", "<eos>"}));
  EXPECT_EQ(text.test, (Words{"d", "<eos>"}));
}

TEST(WikiText, WhatIsNoTextIsReportedWithItsPlace) {
  const auto error = [](const std::string& text) {
    return read_error("read_wikitext", text, read_wikitext_file);
  };
  const std::string facts = " of the line is no text in UTF-8";
  EXPECT_EQ(error("a\nbc\xFF\n"), ", line 2: byte 3" + facts);
  EXPECT_EQ(error(std::string("a\0b", 3)), ", line 1: byte 2" + facts);
  EXPECT_EQ(error("a\n\xC3\n"), ", line 2: byte 1" + facts);  // cut off
  EXPECT_EQ(error("\xE2\x82"
                  "a"),
            ", line 1: byte 1" + facts);  // not continued
  EXPECT_EQ(error("\xF0\x9F\x98\x80 \x80"), ", line 1: byte 6" + facts);
}

TEST(WikiText, AMissingFileIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "wiki.train.tokens";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_wikitext(folder.path()); }),
            "read_wikitext: cannot read " + file.string() + ": no such file");
}

TEST(WikiText, AFolderThatTheSystemRefusesToLookAtIsNamed) {
  const std::filesystem::path folder = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_wikitext(folder); }),
            "read_wikitext: cannot read " + (folder / "wiki.train.tokens").string() +
                ": File name too long");
}

}  // namespace wikitext_test
}  // namespace ddx::data
