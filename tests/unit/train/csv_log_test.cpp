#include "ddx/train/csv_log.h"

#include "ddx/core/error.h"
#include "ddx/train/record.h"

#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::train {
namespace csv_log_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

std::string text_of(const std::filesystem::path& file) {
  const auto bytes = ddx::testing::bytes_of(file);
  return {bytes.begin(), bytes.end()};
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

Record record(std::int64_t epoch, std::int64_t step, double loss) {
  return {.epoch = epoch, .step = step, .values = {{"loss", loss}}};
}

TEST(CsvLog, HasARowForEachRecordAtOnce) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  CsvLog log(file);
  EXPECT_FALSE(std::filesystem::exists(file));
  log.append({.epoch = 1, .step = 10, .values = {{"loss", 0.5}, {"accuracy", 0.1}}});
  EXPECT_EQ(text_of(file), "epoch,step,loss,accuracy\n1,10,0.5,0.1\n");
  log.sink()({.epoch = 2, .step = 20, .values = {{"accuracy", 1.0 / 3}, {"loss", 1e-300}}});
  EXPECT_EQ(text_of(file),
            "epoch,step,loss,accuracy\n1,10,0.5,0.1\n2,20,1e-300,0.3333333333333333\n");
}

TEST(CsvLog, WhatIsNoNumberIsWrittenAsSuchAndWhatIsMissingStaysEmpty) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  CsvLog log(file);
  log.append({.epoch = 1, .step = 1, .values = {{"a", NAN}, {"b", 2}}});
  log.append({.epoch = 1, .step = 2, .values = {{"b", -std::numeric_limits<double>::infinity()}}});
  EXPECT_EQ(text_of(file), "epoch,step,a,b\n1,1,nan,2\n1,2,,-inf\n");
}

TEST(CsvLog, GoesOnInTheFileThatIsThere) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  CsvLog(file).append(record(1, 10, 0.5));
  CsvLog(file).append(record(2, 20, 0.25));
  EXPECT_EQ(text_of(file), "epoch,step,loss\n1,10,0.5\n2,20,0.25\n");
}

TEST(CsvLog, AResumedTrainingReplacesTheRowsItMeasuresAgain) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  write(file, "epoch,step,loss\n1,10,1\n2,20,2\n3,30,3\n4,4");
  CsvLog log(file);
  log.append(record(2, 20, 7));
  EXPECT_EQ(text_of(file), "epoch,step,loss\n1,10,1\n2,20,7\n");
  log.append(record(3, 30, 8));
  EXPECT_EQ(text_of(file), "epoch,step,loss\n1,10,1\n2,20,7\n3,30,8\n");
  log.append(record(1, 10, 9));
  EXPECT_EQ(text_of(file), "epoch,step,loss\n1,10,9\n");
}

TEST(CsvLog, ARowThatWasCutOffGoesAway) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  const std::string whole = "epoch,step,loss\n1,10,1\n2,20,2\n";
  const std::string expected[] = {"epoch,step,loss\n3,30,3\n", "epoch,step,loss\n1,10,1\n3,30,3\n",
                                  whole + "3,30,3\n"};
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    write(file, whole.substr(0, length));
    CsvLog(file).append(record(3, 30, 3));
    EXPECT_EQ(text_of(file), expected[length < 23 ? 0 : length < whole.size() ? 1 : 2]) << length;
  }
}

TEST(CsvLog, AForeignFileIsRefusedWithItsLine) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  const auto error = [&](const std::string& text) {
    write(file, text);
    auto message = message_of<EnvironmentError>([&] { CsvLog log(file); });
    EXPECT_EQ(text_of(file), text);
    const std::string start = "CsvLog: " + file.string();
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(error("name,value\n"), ", line 1: the header does not begin with \"epoch,step\"");
  EXPECT_EQ(error("epoch,steps\n"), ", line 1: the header does not begin with \"epoch,step\"");
  EXPECT_EQ(error("epoch,step,loss\n1,10,1\n2,20\n"), ", line 3: 2 cells below 3 columns");
  EXPECT_EQ(error("epoch,step,loss\n1,x1,1\n"), ", line 2: the step is \"x1\", not a whole number");
}

TEST(CsvLog, OtherColumnsAreAnError) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log.csv";
  CsvLog log(file);
  EXPECT_EQ(
      message_of<UsageError>([&] { log.append({.epoch = 1, .step = 1, .values = {{"a,b", 1}}}); }),
      "CsvLog: \"a,b\" cannot be the name of a column");
  EXPECT_FALSE(std::filesystem::exists(file));
  log.append(record(1, 1, 1));
  EXPECT_EQ(
      message_of<UsageError>([&] { log.append({.epoch = 1, .step = 2, .values = {{"f1", 1}}}); }),
      "CsvLog: no column is named \"f1\"; the columns are epoch,step,loss");
  EXPECT_EQ(text_of(file), "epoch,step,loss\n1,1,1\n");
}

TEST(CsvLog, AnUnwritablePlaceIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "absent" / "log.csv";
  EXPECT_EQ(message_of<EnvironmentError>([&] { CsvLog(file).append(record(1, 1, 1)); }),
            "CsvLog: cannot write " + file.string() + ": No such file or directory");
}

TEST(CsvLog, APlaceThatTheSystemRefusesToLookAtIsNamed) {
  const std::filesystem::path file = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)CsvLog(file); }),
            "CsvLog: cannot read " + file.string() + ": File name too long");
}

}  // namespace csv_log_test
}  // namespace ddx::train
