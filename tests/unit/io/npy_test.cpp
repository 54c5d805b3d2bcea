#include "ddx/io/npy.h"

#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::io {
namespace npy_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

const std::filesystem::path recordings = std::filesystem::path(DDX_GOLDENS) / "numpy";

/// The array of tests/goldens/make_numpy_files.py.
template <class Scalar>
StoredTensor recorded() {
  std::vector<Scalar> values;
  for (int i = 0; i < 24; ++i) {
    values.push_back(sizeof(Scalar) == 1 ? static_cast<Scalar>(i + 200)
                                         : static_cast<Scalar>(i - 5));
  }
  return to_stored(Tensor<Scalar>({2, 3, 4}, std::span<const Scalar>(values)));
}
template <>
StoredTensor recorded<bool>() {
  Tensor<bool> values(Shape{2, 3, 4}, {true,  false, false, true,  false, false, true,  false,
                                       false, true,  false, false, true,  false, false, true,
                                       false, false, true,  false, false, true,  false, false});
  return to_stored(values);
}

struct Recording {
  std::string name;
  StoredTensor array;
};

std::vector<Recording> all_recorded() {
  return {{"f4", recorded<float>()},        {"f8", recorded<double>()},
          {"i4", recorded<std::int32_t>()}, {"i8", recorded<std::int64_t>()},
          {"u1", recorded<std::uint8_t>()}, {"b1", recorded<bool>()}};
}

TEST(Npy, ReadsWhatNumPyWroteInBothByteOrdersAndBothOrders) {
  for (const auto& [name, array] : all_recorded()) {
    for (const std::string form : {"little_rows", "little_columns", "big_rows", "big_columns"}) {
      EXPECT_EQ(read_npy(recordings / (name + "_" + form + ".npy")), array) << name << " " << form;
    }
  }
}

TEST(Npy, WritesTheBytesOfNumPy) {
  const TemporaryFolder folder;
  for (const auto& [name, array] : all_recorded()) {
    for (const bool big : {false, true}) {
      for (const bool columns : {false, true}) {
        write_npy(folder.path() / "a", array,
                  {.order = columns ? ElementOrder::ColumnMajor : ElementOrder::RowMajor,
                   .byte_order = big ? std::endian::big : std::endian::little});
        const auto file = recordings / (name + (big ? "_big" : "_little") +
                                        (columns ? "_columns.npy" : "_rows.npy"));
        EXPECT_EQ(bytes_of(folder.path() / "a"), bytes_of(file)) << file;
      }
    }
  }
}

TEST(Npy, ReadsAndWritesArraysWithoutAxesAndWithoutElements) {
  const TemporaryFolder folder;
  const StoredTensor scalar = to_stored(Tensor<double>(2.5));
  const StoredTensor empty{.dtype = DType::f32, .shape = Shape{0, 3}, .bytes = {}};
  const StoredTensor vector = to_stored(Tensor<std::int32_t>{1, 2, 3});
  for (const auto& [name, array] : {Recording{"scalar.npy", scalar}, Recording{"empty.npy", empty},
                                    Recording{"vector.npy", vector}}) {
    EXPECT_EQ(read_npy(recordings / name), array) << name;
    write_npy(folder.path() / "a", array);
    EXPECT_EQ(bytes_of(folder.path() / "a"), bytes_of(recordings / name)) << name;
  }
}

TEST(Npy, ReadsAllFormatVersions) {
  const auto expected = to_stored(Tensor<std::int64_t>(Shape{2, 2}, {1, 2, 3, 4}));
  for (const std::string version : {"1", "2", "3"}) {
    EXPECT_EQ(read_npy(recordings / ("version" + version + ".npy")), expected) << version;
  }
}

TEST(Npy, ComplexNumbersAreReadAndComeBack) {
  using Complex = std::complex<float>;
  const auto one = to_tensor<Complex>(read_npy(recordings / "complex.npy"));
  EXPECT_EQ(one.values(), std::vector<Complex>{Complex(0, 1)});
  const TemporaryFolder folder;
  const Tensor<std::complex<double>> x({2, 2}, {{1, -2}, {3, 0.5}, {-1, 0}, {0, 4}});
  write_npy(folder.path() / "x.npy", to_stored(x));
  EXPECT_EQ(to_tensor<std::complex<double>>(read_npy(folder.path() / "x.npy")), x);
}

/// The message without "read_npy: FILE: ".
std::string read_error(const std::filesystem::path& file) {
  const auto message = message_of<EnvironmentError>([&] { (void)read_npy(file); });
  const std::string start = "read_npy: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(Npy, WhatIsNoArrayOfNumbersIsRefused) {
  EXPECT_EQ(read_error(recordings / "text.npy"), "dtype \"<U1\" is not supported");
  EXPECT_EQ(read_error(recordings / "records.npy"),
            "dtype \"[('a', '<f4'), ('b', '<i4')]\" is not supported");
}

/// A file of this header and that many bytes of data, 1, 0, 1, 0, ...
Bytes encoded(const std::string& header, std::size_t data, std::uint8_t version = 1) {
  Bytes bytes{0x93, 'N', 'U', 'M', 'P', 'Y', version, 0, static_cast<std::uint8_t>(header.size()),
              0};
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (std::size_t i = 0; i < data; ++i) {
    bytes.push_back(static_cast<std::uint8_t>((i + 1) % 2));
  }
  return bytes;
}

TEST(Npy, AHeaderThatBreaksTheFormatIsRefused) {
  struct Case {
    const char* why;
    std::string header;
    std::size_t data;
    std::string message;
  };
  const Case cases[] = {
      {"other quotes, order and blanks",
       "{\"shape\":(2L,),\"descr\":\"|u1\" , 'fortran_order' :False}", 2, "(no exception)"},
      {"no dictionary", "[]", 0, "the header, at its character 0: '{' is expected"},
      {"a key missing", "{'descr': '|u1', 'shape': (2,)}", 2,
       "the header, at its character 31: not all of 'descr', 'fortran_order' and 'shape' are "
       "there"},
      {"a key twice", "{'descr': '|u1', 'descr': '|u1', }", 2,
       "the header, at its character 25: 'descr' stands twice"},
      {"another key", "{'x': '|u1'}", 2,
       "the header, at its character 5: a key other than 'descr', 'fortran_order' and 'shape'"},
      {"text behind", "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)} x", 2,
       "the header, at its character 56: text behind the dictionary"},
      {"a text without end", "{'descr': '|u1", 2,
       "the header, at its character 10: a text without an end"},
      {"a number as truth value", "{'fortran_order': 0}", 2,
       "the header, at its character 18: True or False is expected"},
      {"negative", "{'shape': (-1,)}", 2, "the header, at its character 11: an extent is expected"},
      {"overflow", "{'shape': (18446744073709551616,)}", 2,
       "the header, at its character 11: an extent is expected"},
      {"too large", "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
       2, "shape [4294967296, 4294967296] is too large"},
      {"too large beside 0",
       "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", 0,
       "shape [0, 4294967296, 4294967296] is too large"},
      {"too few bytes", "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1)}", 7,
       "an array of shape [2, 1] and elements of 4 bytes takes 8 bytes, there are 7"},
      {"bytes behind", "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}", 9,
       "an array of shape [2] and elements of 4 bytes takes 8 bytes, there are 9"},
      {"rank", "{'descr': '|u1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", 1,
       "9 axes, at most 8 are supported"},
      {"no byte order", "{'descr': '|i4', 'fortran_order': False, 'shape': (1,)}", 4,
       "dtype \"|i4\" is not supported"},
      {"empty type", "{'descr': '', 'fortran_order': False, 'shape': (1,)}", 4,
       "dtype \"\" is not supported"},
      {"unprintable type", "{'descr': '<\xff\n', 'fortran_order': False, 'shape': (1,)}", 4,
       "dtype \"<??\" is not supported"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    EXPECT_EQ(read_error(folder.write("a", encoded(c.header, c.data))), c.message) << c.why;
  }
  auto neither = encoded("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", 1);
  neither.back() = 2;
  EXPECT_EQ(read_error(folder.write("a", neither)), "a truth value is neither 0 nor 1");
  EXPECT_EQ(read_error(folder.write("a", encoded("{}", 0, 4))),
            "format version 4.0; 1.0, 2.0 and 3.0 are supported");
}

TEST(Npy, EveryTruncationIsAnError) {
  const TemporaryFolder folder;
  const auto whole = bytes_of(recordings / "version2.npy");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto error = read_error(folder.write("a", std::span(whole).first(length)));
    EXPECT_TRUE(error.starts_with("ends at byte " + std::to_string(length) + ", inside ") ||
                error.starts_with("an array of shape [2, 2] and elements of 8 bytes takes 32"))
        << length << ": " << error;
  }
  auto other = whole;
  other[0] = 'N';
  EXPECT_EQ(read_error(folder.write("a", other)), "does not begin as a .npy file");
}

TEST(Npy, WhatDoesNotFitIsNotWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of<UsageError>(
                [&] { write_npy(folder.path() / "a", {DType::f32, Shape{2}, Bytes(7)}); }),
            "write_npy: the array of dtype f32 and shape [2] takes 8 bytes, it has 7");
  EXPECT_EQ(folder.entry_count(), 0);
}

}  // namespace npy_test
}  // namespace ddx::io
