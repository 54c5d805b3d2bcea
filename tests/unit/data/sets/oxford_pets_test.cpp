#include "ddx/data/sets/oxford_pets.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"
#include "ddx/io/png.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace oxford_pets_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// A folder with these lists.
void write_lists(const TemporaryFolder& folder, const std::string& training,
                 const std::string& test) {
  std::filesystem::create_directories(folder.path() / "annotations");
  (void)write_text(folder, "annotations/trainval.txt", training);
  (void)write_text(folder, "annotations/test.txt", test);
}

TEST(OxfordPets, ListsPicturesWithBreedAndSpecies) {
  const TemporaryFolder folder;
  write_lists(folder, "Abyssinian_100 1 1 1\nyorkshire_terrier_9 37 2 25\n",
              "#Image CLASS-ID SPECIES BREED ID\nbeagle_1 5 2 4\n");
  const auto pets = read_oxford_pets(folder.path());
  const auto trimaps = folder.path() / "annotations" / "trimaps";
  EXPECT_EQ(pets.training,
            (std::vector<PetPicture>{{.picture = folder.path() / "images/Abyssinian_100.jpg",
                                      .trimap = trimaps / "Abyssinian_100.png",
                                      .breed = 0,
                                      .is_dog = false},
                                     {.picture = folder.path() / "images/yorkshire_terrier_9.jpg",
                                      .trimap = trimaps / "yorkshire_terrier_9.png",
                                      .breed = 36,
                                      .is_dog = true}}));
  ASSERT_EQ(pets.test.size(), 1U);
  EXPECT_EQ(pets.test[0].breed, 4);
}

TEST(OxfordPets, WrongLinesAreNamed) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& line) {
    write_lists(folder, "a 1 1 1\n" + line, "a 1 1 1\n");
    const auto message =
        message_of<EnvironmentError>([&] { (void)read_oxford_pets(folder.path()); });
    const auto start = "read_oxford_pets: " + (folder.path() / "annotations/trainval.txt").string();
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(error("b 1 1"), ", line 2: 3 cells, 4 are expected");
  EXPECT_EQ(error("b x 1 1"), ", line 2: the breed is \"x\", not such a number");
  EXPECT_EQ(error("b 38 1 1"),
            ", line 2: breed 38 of species 1; there are breeds 1 to 37 of species 1 and 2");
  EXPECT_EQ(error("b 1 3 1"),
            ", line 2: breed 1 of species 3; there are breeds 1 to 37 of species 1 and 2");
}

TEST(OxfordPets, ReadsTrimaps) {
  const TemporaryFolder folder;
  io::Image image(2, 2, {1, 1, 1});
  image.set(1, 0, {2, 2, 2});
  image.set(0, 1, {3, 3, 3});
  io::write_png(folder.path() / "a.png", image);
  EXPECT_EQ(
      read_trimap(folder.path() / "a.png"),
      (Trimap{.height = 2,
              .width = 2,
              .points = {PetPoint::Pet, PetPoint::Background, PetPoint::Border, PetPoint::Pet}}));
  image.set(1, 1, {3, 3, 4});
  io::write_png(folder.path() / "a.png", image);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_trimap(folder.path() / "a.png"); }),
            "read_trimap: " + (folder.path() / "a.png").string() +
                ": point 1 of row 1 is (3, 3, 4), not a grey of 1, 2 or 3");
}

}  // namespace oxford_pets_test
}  // namespace ddx::data
