#include "ddx/data/sets/coco.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>

namespace ddx::data {
namespace coco_test {

using ddx::testing::message_of;
using ddx::testing::read_error;

/// A file with one category, one picture, and these objects.
std::string annotations(const std::string& objects) {
  return R"({"info":{"year":2017},"licenses":[],)"
         R"("categories":[{"supercategory":"animal","id":17,"name":"cat"}],)"
         R"("images":[{"license":1,"file_name":"000000000139.jpg","height":3,"width":2,"id":139}],)"
         R"("annotations":[)" +
         objects + "]}";
}
const std::string outline =
    R"({"segmentation":[[0.5,1,2,1,2,3]],"area":1.5,"iscrowd":0,"image_id":139,)"
    R"("bbox":[0.5,1,1.5,2],"category_id":17,"id":7})";
const std::string crowd =
    R"({"segmentation":{"counts":[1,2,2,1],"size":[3,2]},"area":3,"iscrowd":1,)"
    R"("image_id":139,"bbox":[0,0,2,3],"category_id":17,"id":8})";

TEST(Coco, ReadsCategoriesPicturesAndObjects) {
  const ddx::testing::TemporaryFolder folder;
  const auto found = read_coco(write_text(folder, "a.json", annotations(outline + "," + crowd)));
  EXPECT_EQ(found.categories,
            (std::vector<CocoCategory>{{.id = 17, .name = "cat", .group = "animal"}}));
  EXPECT_EQ(
      found.images,
      (std::vector<CocoImage>{{.id = 139, .file = "000000000139.jpg", .width = 2, .height = 3}}));
  ASSERT_EQ(found.objects.size(), 2U);
  EXPECT_EQ(found.objects[0], (CocoObject{.id = 7,
                                          .image = 139,
                                          .category = 17,
                                          .box = {.left = 0.5, .top = 1, .width = 1.5, .height = 2},
                                          .area = 1.5,
                                          .is_crowd = false,
                                          .outline = CocoPolygons{{0.5, 1, 2, 1, 2, 3}}}));
  EXPECT_TRUE(found.objects[1].is_crowd);
  EXPECT_EQ(std::get<CocoRuns>(found.objects[1].outline),
            (CocoRuns{.height = 3, .width = 2, .lengths = {1, 2, 2, 1}}));
}

TEST(Coco, RunsGoDownTheColumns) {
  // 1 outside, 2 inside, 2 outside, 1 inside: the first column is 0 1 1, the second 0 0 1.
  EXPECT_EQ(coco_mask({.height = 3, .width = 2, .lengths = {1, 2, 2, 1}}),
            (std::vector<std::uint8_t>{0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(coco_mask({.height = 1, .width = 2, .lengths = {0, 2}}),
            (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(coco_mask({}), std::vector<std::uint8_t>());
  EXPECT_EQ(
      message_of<UsageError>([] { (void)coco_mask({.height = 3, .width = 2, .lengths = {7}}); }),
      "coco_mask: the runs do not fill 3 by 2 points");
}

TEST(Coco, WrongEntriesAreNamed) {
  const auto error = [](const std::string& text) {
    return read_error("read_coco", text, [](const auto& file) { return read_coco(file); });
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto text = annotations(outline + "," + crowd);
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return error(text.replace(place, from.size(), to));
  };
  EXPECT_EQ(error("{"), ": byte 1: not JSON");
  EXPECT_EQ(error("[]"), ": the file is not an object");
  EXPECT_EQ(error("{}"), ": the file has no \"categories\"");
  EXPECT_EQ(error(R"({"categories":3})"), ": the file has \"categories\" that are no list");
  EXPECT_EQ(error(annotations("3")), ": annotations[0] is not an object");
  EXPECT_EQ(changed(R"("id":17)", R"("id":1.5)"),
            ": categories[0] has a \"id\" that is no integer");
  EXPECT_EQ(changed(R"("name":"cat")", R"("name":3)"),
            ": categories[0] has a \"name\" that is no text");
  EXPECT_EQ(changed(R"("width":2,)", ""), ": images[0] has no \"width\"");
  EXPECT_EQ(changed(R"("area":1.5)", R"("area":"")"),
            ": annotations[0] has a \"area\" that is no number");
  EXPECT_EQ(changed("[0.5,1,1.5,2]", "[0.5,1,1.5]"),
            ": annotations[0] has a box of 3 numbers and \"iscrowd\" 0, expected 4 and 0 or 1");
  EXPECT_EQ(changed("[[0.5,1,2,1,2,3]]", "[[0.5]]"),
            ": annotations[0] has an outline of 1 numbers");
  EXPECT_EQ(changed("[1,2,2,1]", "[1,2,2]"),
            ": annotations[1]: its \"segmentation\" has runs that "
            "do not fill its 3 by 2 points");
  EXPECT_EQ(
      changed("[1,2,2,1]", "[1,-2]"),
      ": annotations[1]: its \"segmentation\" is not {size: [height, width], counts: [lengths "
      "of runs]}");
  EXPECT_EQ(changed(R"("image_id":139)", R"("image_id":5)"),
            ": annotations[0] names picture 5 and category 17, which are not both there");
  EXPECT_EQ(changed(R"("id":8)", R"("id":7)"), ": annotations[1] has the id 7 of one before it");
}

// Lists within lists, and lists side by side: 48 bytes and more for one or three of the text.
TEST(Coco, ATextThatTakesManyTimesItsSizeIsRefused) {
  const auto error = [](const std::string& text) {
    return read_error("read_coco", text, [](const auto& file) { return read_coco(file); });
  };
  EXPECT_EQ(error(R"({"x":)" + std::string(1'000'000, '[')), ": nests deeper than 32 levels");
  std::string lists = R"({"x":[[])";
  for (int i = 0; i < 1'000'000; ++i) {
    lists += ",[]";
  }
  EXPECT_EQ(
      error(lists + "]}"),
      ": its values take more than 67108864 bytes; CocoReadOptions::max_bytes raises the limit");
  const ddx::testing::TemporaryFolder folder;
  const auto file = write_text(folder, "a.json", lists + "]}");
  EXPECT_EQ(message_of<EnvironmentError>(
                [&] { (void)read_coco(file, {.max_bytes = std::uint64_t{1} << 30}); }),
            "read_coco: " + file.string() + ": the file has no \"categories\"");
}

}  // namespace coco_test
}  // namespace ddx::data
