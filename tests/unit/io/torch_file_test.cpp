#include "ddx/io/torch_file.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/npz.h"
#include "ddx/io/stored_tensor.h"

#include "tests/support/stored_zip.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io {
namespace torch_file_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::stored_zip;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

class TorchFile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_npz()) {
      GTEST_SKIP() << "built without libzip";
    }
  }

  /// What PyTorch wrote (tests/goldens/make_torch_files.py).
  static std::filesystem::path recorded(const std::string& name) {
    return std::filesystem::path(DDX_GOLDENS) / "torch_files" / (name + ".pth");
  }

  /// The message without "read_torch: FILE: ".
  static std::string error_of(const std::filesystem::path& file,
                              const TorchReadOptions& options = {}) {
    const auto message = message_of<EnvironmentError>([&] { (void)read_torch(file, options); });
    const std::string start = "read_torch: " + file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }

  /// A file of this pickle and these storages.
  [[nodiscard]] std::filesystem::path file_of(
      std::string_view pickle,
      const std::vector<std::pair<std::string, Bytes>>& storages = {}) const {
    std::vector<std::pair<std::string, Bytes>> members = {
        {"a/data.pkl", Bytes(pickle.begin(), pickle.end())}};
    for (const auto& [name, bytes] : storages) {
      members.emplace_back("a/data/" + name, bytes);
    }
    return folder_.write("made.pth", stored_zip(members));
  }

  /// The message for a file of this pickle and a storage "0" of 16 bytes.
  [[nodiscard]] std::string pickle_error(std::string_view pickle) const {
    return error_of(file_of(pickle, {{"0", Bytes(16)}}));
  }

  TemporaryFolder folder_;
};

/// An array of these numbers.
template <class Element>
StoredTensor stored(const Shape& shape, const std::vector<Element>& elements) {
  StoredTensor array{dtype_of<Element>, shape, {}};
  array.bytes.resize(elements.size() * sizeof(Element));
  std::memcpy(array.bytes.data(), elements.data(), array.bytes.size());
  return array;
}

/// A part of a pickle: the text `key` and a float tensor of storage "0" with 4 elements; extents
/// and strides are operations.
std::string tensor_pickle(const std::string& offset, const std::string& extents,
                          const std::string& strides, const std::string& count = "K\x04",
                          const std::string& storage = "FloatStorage") {
  using namespace std::string_literals;
  return "ctorch._utils\n_rebuild_tensor_v2\n(("
         "\x8c\x07storagectorch\n"s +
         storage +
         "\n\x8c\x01"s
         "0\x8c\x03"s
         "cpu"s +
         count + "tQ" + offset + extents + strides + "\x89}tR";
}

std::string in_dictionary(const std::string& values) {
  return "\x80\x02}(" + values + "u.";
}

TEST_F(TorchFile, EveryDTypeComesAsPyTorchWroteIt) {
  const auto arrays = read_torch(recorded("dtypes"));
  EXPECT_EQ(arrays.size(), 18U);
  for (const auto& row : dtype_table) {
    visit(row.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> numbers;
      std::vector<std::uint8_t> bytes(6 * sizeof(T));
      for (int i = 0; i < 6; ++i) {
        const T number = row.dtype == DType::boolean ? static_cast<T>(i % 3 == 0)
                                                     : static_cast<T>(static_cast<float>(i));
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &number, sizeof(T));
      }
      const std::string name = row.dtype == DType::boolean ? "boolean" : std::string(row.text);
      EXPECT_EQ(arrays.at(name), (StoredTensor{row.dtype, Shape{2, 3}, bytes})) << name;
    });
  }
  EXPECT_EQ(arrays.at("scalar"), stored<float>({}, {2.5F}));
  EXPECT_EQ(arrays.at("empty"), stored<float>({2, 0, 3}, {}));
  EXPECT_EQ(arrays.at("f8").obstacle, "array \"f8\" of " + recorded("dtypes").string() +
                                          ": dtype torch.float8_e4m3fn is not supported");
}

TEST_F(TorchFile, StridesBecomeRowMajorOrder) {
  const auto arrays = read_torch(recorded("strided"));
  EXPECT_EQ(arrays.size(), 12U);
  std::vector<float> whole;
  std::vector<float> transposed;
  for (int i = 0; i < 24; ++i) {
    whole.push_back(static_cast<float>(i));
    transposed.push_back(static_cast<float>(i % 4 * 6 + i / 4));
  }
  EXPECT_EQ(arrays.at("whole"), stored<float>({4, 6}, whole));
  EXPECT_EQ(arrays.at("transposed"), stored<float>({6, 4}, transposed));
  EXPECT_EQ(arrays.at("part"), stored<float>({2, 3}, {8, 9, 10, 14, 15, 16}));
  EXPECT_EQ(arrays.at("every_second"), stored<float>({2, 3}, {1, 3, 5, 13, 15, 17}));
  EXPECT_EQ(arrays.at("column"), stored<float>({4}, {3, 9, 15, 21}));
  EXPECT_EQ(arrays.at("expanded"), stored<float>({3, 2}, {0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(arrays.at("scalar"), stored<float>({}, {13}));
  std::vector<float> permuted;
  for (int i = 0; i < 24; ++i) {
    permuted.push_back(static_cast<float>(i % 6 / 3 * 12 + i % 3 * 4 + i / 6));
  }
  EXPECT_EQ(arrays.at("permuted"), stored<float>({4, 2, 3}, permuted));
  EXPECT_EQ(arrays.at("as_integers"), stored<std::int16_t>({3, 2}, {0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(arrays.at("complex"),
            stored<std::complex<double>>({2, 2}, {{0, 0}, {2, 0}, {1, 0}, {3, 0}}));
  EXPECT_EQ(arrays.at("bytes"), stored<std::uint8_t>({2, 3}, {0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(arrays.at("no_elements"), stored<float>({4, 0}, {}));
}

TEST_F(TorchFile, TensorsWithinDictionariesAndListsAreNamedByTheirPaths) {
  const auto arrays = read_torch(recorded("training"));
  std::set<std::string> names;
  for (const auto& [name, array] : arrays) {
    names.insert(name);
  }
  std::set<std::string> expected = {"list.0", "list.1.0", "more.a"};
  for (const std::string of : {"state_dict", "ema"}) {
    for (const std::string name :
         {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"}) {
      expected.insert(of + "." + name);
    }
  }
  for (const std::string of : {"0", "1"}) {
    for (const std::string name : {"step", "exp_avg", "exp_avg_sq"}) {
      expected.insert("optimizer.state." + of + "." + name);
    }
  }
  EXPECT_EQ(names, expected);
  EXPECT_EQ(arrays.at("state_dict.running_mean"), stored<float>({2}, {0, 1}));
  EXPECT_EQ(arrays.at("ema.running_mean"), stored<float>({2}, {0, 1}));
  EXPECT_EQ(arrays.at("state_dict.num_batches_tracked"), stored<std::int64_t>({}, {0}));
  EXPECT_EQ(arrays.at("optimizer.state.1.step"), stored<float>({}, {1}));
  EXPECT_EQ(arrays.at("list.1.0"), stored<float>({2}, {0, 1}));
}

TEST_F(TorchFile, ParametersAreTensors) {
  const StoredTensors expected = {{"plain", stored<float>({2}, {0, 1})},
                                  {"with_state", stored<float>({3}, {0, 1, 2})}};
  EXPECT_EQ(read_torch(recorded("parameters")), expected);
}

TEST_F(TorchFile, LaterProtocolsAreRead) {
  const StoredTensors expected = {{"a", stored<float>({2}, {0, 1})},
                                  {"b.0", stored<float>({3}, {0, 1, 2})}};
  EXPECT_EQ(read_torch(recorded("protocol4")), expected);
}

TEST_F(TorchFile, ATensorAloneHasNoName) {
  EXPECT_EQ(read_torch(recorded("tensor")), (StoredTensors{{"", stored<float>({2}, {0, 1})}}));
}

TEST_F(TorchFile, AConjugateHasAnObstacle) {
  const auto arrays = read_torch(recorded("conjugate"));
  EXPECT_EQ(arrays.at("conj").obstacle,
            "array \"conj\" of " + recorded("conjugate").string() +
                ": its elements are to be read with \"conj\", which is not supported");
  EXPECT_EQ(arrays.at("plain"), stored<float>({2}, {0, 1}));
}

TEST_F(TorchFile, AnObjectIsRefusedByTheNameOfItsClass) {
  EXPECT_EQ(error_of(recorded("object")),
            "data.pkl: byte 2: names torch.nn.modules.linear.Linear, which is not among what may "
            "be read; nothing of it was run");
}

// The attack that pickles are known for: a call of os.system, by each way to name it.
TEST_F(TorchFile, NothingThatAPickleNamesIsRun) {
  const auto proof = folder_.path() / "proof";
  const std::string command = "touch " + proof.string();
  const std::string argument =
      "\x8c" + std::string(1, static_cast<char>(command.size())) + command + "\x85R.";
  const std::string facts = "which is not among what may be read; nothing of it was run";
  EXPECT_EQ(pickle_error("\x80\x02"
                         "cos\nsystem\n" +
                         argument),
            "data.pkl: byte 2: names os.system, " + facts);
  EXPECT_EQ(pickle_error("\x80\x02\x8c\x02os\x8c\x06system\x93" + argument),
            "data.pkl: byte 14: names os.system, " + facts);
  EXPECT_EQ(pickle_error("\x80\x02"
                         "ctorch\nload\n" +
                         argument),
            "data.pkl: byte 2: names torch.load, " + facts);
  EXPECT_EQ(pickle_error("\x80\x02"
                         "ctorch.nn\ncollections.OrderedDict\n" +
                         argument),
            "data.pkl: byte 2: names torch.nn.collections.OrderedDict, " + facts);
  EXPECT_FALSE(std::filesystem::exists(proof));
}

TEST_F(TorchFile, OtherFormatsOfPyTorchAreRefusedWithAdvice) {
  EXPECT_EQ(error_of(recorded("legacy")),
            "is in the format of PyTorch before 1.6, which is not supported; torch.load and "
            "torch.save of PyTorch 1.6 or later convert it");
  Bytes tar(512);
  std::memcpy(tar.data() + 257, "ustar", 5);
  EXPECT_EQ(error_of(folder_.write("a", tar)),
            "is a tar archive, the first format of PyTorch, which is not supported; torch.load "
            "and torch.save of PyTorch 1.6 or later convert it");
  EXPECT_EQ(error_of(folder_.write("a", stored_zip({{"a/data.pkl", {}}, {"a/constants.pkl", {}}}))),
            "is a program of TorchScript, which is not supported");
}

TEST_F(TorchFile, AnArchiveThatPyTorchDidNotWriteIsRefused) {
  const auto error = [&](const std::vector<std::pair<std::string, Bytes>>& members) {
    return error_of(folder_.write("a", stored_zip(members)));
  };
  EXPECT_EQ(error_of(folder_.write("a", {})), "is no zip archive: the file is empty");
  EXPECT_TRUE(error_of(folder_.write("a", Bytes(100))).starts_with("is no zip archive: "));
  EXPECT_EQ(error({{"data.pkl", {}}}), "member \"data.pkl\" is not in the folder of the others");
  EXPECT_EQ(error({{"a/data.pkl", {}}, {"b/data/0", {}}}),
            "member \"b/data/0\" is not in the folder of the others");
  EXPECT_EQ(error({{"a/data.pkl", {}}, {"a/data.pkl", {}}}),
            "is no zip archive: File already exists");
  EXPECT_EQ(error({{"a/version", {'3'}}}), "has no data.pkl, so PyTorch did not write it");
  EXPECT_EQ(error({{"a/data.pkl", {}}, {"a/byteorder", {'b', 'i', 'g'}}}),
            "its byte order is \"big\", only \"little\" is supported");
}

// Its entries state that data.pkl is compressed; it is refused before it is read.
TEST_F(TorchFile, ACompressedMemberIsRefused) {
  auto bytes = stored_zip({{"a/data.pkl", {'.'}}});
  constexpr std::uint8_t deflated = 8;
  const Bytes directory = {'P', 'K', 1, 2};
  const auto entry = std::search(bytes.begin(), bytes.end(), directory.begin(), directory.end());
  ASSERT_NE(entry, bytes.end());
  bytes[8] = deflated;
  entry[10] = deflated;
  EXPECT_EQ(error_of(folder_.write("a", bytes)),
            "data.pkl is compressed, which PyTorch does not do");
}

TEST_F(TorchFile, ATensorOfAPickleMadeByHandIsRead) {
  const auto pickle = in_dictionary("\x8c\x01w" + tensor_pickle("K\x01", "K\x03\x85", "K\x01\x85"));
  const auto bytes = stored<float>({4}, {5, 6, 7, 8}).bytes;
  EXPECT_EQ(read_torch(file_of(pickle, {{"0", bytes}})),
            (StoredTensors{{"w", stored<float>({3}, {6, 7, 8})}}));
}

TEST_F(TorchFile, ATensorThatItsStorageDoesNotHoldIsRefused) {
  using namespace std::string_literals;
  const auto error = [&](const std::string& offset, const std::string& extents,
                         const std::string& strides, const std::string& count = "K\x04") {
    return pickle_error(
        in_dictionary("\x8c\x01w" + tensor_pickle(offset, extents, strides, count)));
  };
  const auto zero = "K\0"s;
  EXPECT_EQ(error(zero, "K\x04\x85", "K\x01\x85"), "(no exception)");
  EXPECT_EQ(error(zero, "K\x05\x85", "K\x01\x85"),
            "array \"w\": shape [5] goes beyond the 16 bytes of its storage");
  EXPECT_EQ(error("K\x01", "K\x04\x85", "K\x01\x85"),
            "array \"w\": shape [4] goes beyond the 16 bytes of its storage");
  EXPECT_EQ(error(zero, "K\x03\x85", "K\x02\x85"),
            "array \"w\": shape [3] goes beyond the 16 bytes of its storage");
  EXPECT_EQ(error("K\x04", ")", ")"),
            "array \"w\": shape [] goes beyond the 16 bytes of its storage");
  // 2^62 and 4 * 2^62 bytes.
  const auto huge = "\x8a\x08\0\0\0\0\0\0\0\x40"s;
  EXPECT_EQ(error(huge, "K\x04\x85", "K\x01\x85"),
            "array \"w\": shape [4] goes beyond the 16 bytes of its storage");
  EXPECT_EQ(error(zero, "K\x04\x85", huge + "\x85"),
            "array \"w\": shape [4] goes beyond the 16 bytes of its storage");
  EXPECT_EQ(error(zero, huge + "\x85", zero + "\x85"), "array \"w\": its size is too large");
  EXPECT_EQ(error(zero, "K\x04\x85", "K\x01\x85", huge),
            "array \"w\": a storage of 4611686018427387904 elements");
  EXPECT_EQ(error(zero, "K\x04\x85", "K\x01\x85", "K\x03"),
            "array \"w\": shape [4] goes beyond the 12 bytes of its storage");
  EXPECT_EQ(error(zero, "K\x04\x85", "K\x01\x85", "K\x05"),
            "array \"w\": its storage has 16 bytes, not 20");
  EXPECT_EQ(error("J\xff\xff\xff\xff", "K\x04\x85", "K\x01\x85"),
            "array \"w\": a number of its offset is no natural number");
  EXPECT_EQ(error(zero, "J\xff\xff\xff\xff\x85", "K\x01\x85"),
            "array \"w\": a number of its size is no natural number");
  EXPECT_EQ(error(zero, "K\x04\x85", "J\xff\xff\xff\xff\x85"),
            "array \"w\": a number of its strides is no natural number");
  EXPECT_EQ(error(zero, "K\x04", "K\x01\x85"), "array \"w\": its size is no tuple");
  EXPECT_EQ(error(zero, "K\x04\x85", ")"),
            "array \"w\": 1 axes with 0 strides, at most 8 are supported");
}

// A tensor of many elements that are one: nothing is allocated before the limit is checked.
TEST_F(TorchFile, MemoryIsBoundedByTheLimit) {
  using namespace std::string_literals;
  const auto pickle = in_dictionary(
      "\x8c\x01w" + tensor_pickle("K\0"s, "J\xff\xff\xff\x7fK\x7f\x86", "K\0K\0\x86"s));
  const auto file = file_of(pickle, {{"0", Bytes(16)}});
  EXPECT_TRUE(error_of(file).starts_with("its arrays and values take more than 67108864 bytes"));
  EXPECT_TRUE(error_of(file).ends_with("TorchReadOptions::max_bytes raises it"));
  const auto small = recorded("dtypes");
  EXPECT_TRUE(error_of(small, {.max_bytes = 1000}).starts_with("its arrays and values take more"));
  EXPECT_EQ(read_torch(small, {.max_bytes = 100'000}).size(), 18U);
}

// Sixty lists of which each holds the next twice: 2^60 paths to one tensor.
TEST_F(TorchFile, PathsAreBoundedByTheLimit) {
  std::string pickle = "\x80\x02" + tensor_pickle(std::string("K\0", 2), "K\x04\x85", "K\x01\x85");
  for (int i = 0; i < 60; ++i) {
    pickle += "q" + std::string(1, static_cast<char>(i)) + "h" +
              std::string(1, static_cast<char>(i)) + "\x86";
  }
  EXPECT_TRUE(pickle_error(pickle + ".").starts_with("its arrays and values take more than"));
}

TEST_F(TorchFile, AListWithinItselfAndDeepListsAreRefused) {
  // ] q0 h0 a: a list that gets itself.
  EXPECT_EQ(pickle_error(std::string("\x80\x02]q\0h\0a.", 9)),
            "its values nest deeper than 64 levels");
  EXPECT_EQ(pickle_error("\x80\x02)" + std::string(100'000, '\x85') + "."),
            "its values nest deeper than 64 levels");
}

TEST_F(TorchFile, NamesThatAreEqualOrNoTextsAreRefused) {
  const auto tensor = tensor_pickle(std::string("K\0", 2), "K\x04\x85", "K\x01\x85");
  EXPECT_EQ(pickle_error(in_dictionary("\x8c\x01w" + tensor + "\x8c\x01w" + tensor)),
            "array \"w\": named twice");
  // "a" of a dictionary "b", and "b.a".
  EXPECT_EQ(pickle_error(in_dictionary("\x8c\x01"
                                       "b}(\x8c\x01"
                                       "a" +
                                       tensor +
                                       "u\x8c\x03"
                                       "b.a" +
                                       tensor)),
            "array \"b.a\": named twice");
  EXPECT_EQ(pickle_error(in_dictionary("N" + tensor)),
            "a key below \"\" is neither a text nor an integer");
  EXPECT_EQ(pickle_error(in_dictionary("NN")), "(no exception)");
}

TEST_F(TorchFile, AStorageThatIsMissingIsNamed) {
  const auto pickle =
      in_dictionary("\x8c\x01w" + tensor_pickle(std::string("K\0", 2), "K\x04\x85", "K\x01\x85"));
  EXPECT_EQ(error_of(file_of(pickle)), "has no data/0, so PyTorch did not write it");
}

TEST_F(TorchFile, ATruthValueThatIsNoneIsRefused) {
  const auto tensor =
      tensor_pickle(std::string("K\0", 2), "K\x04\x85", "K\x01\x85", "K\x04", "BoolStorage");
  const auto pickle = in_dictionary("\x8c\x01w" + tensor);
  EXPECT_EQ(read_torch(file_of(pickle, {{"0", {0, 1, 1, 0}}})),
            (StoredTensors{{"w", {DType::boolean, Shape{4}, {0, 1, 1, 0}}}}));
  EXPECT_EQ(error_of(file_of(pickle, {{"0", {0, 1, 2, 0}}})),
            "array \"w\": a truth value is neither 0 nor 1");
}

TEST_F(TorchFile, ADamagedStorageIsRefused) {
  auto bytes = bytes_of(recorded("dtypes"));
  const Bytes truths = {1, 0, 0, 1, 0, 0};
  const auto found = std::search(bytes.begin(), bytes.end(), truths.begin(), truths.end());
  ASSERT_NE(found, bytes.end());
  *found = 0;
  EXPECT_TRUE(error_of(folder_.write("a", bytes)).ends_with(": CRC error"));
}

TEST_F(TorchFile, EveryTruncationIsAnError) {
  const auto whole = bytes_of(recorded("training"));
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const auto error = error_of(folder_.write(
        "a", Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))));
    EXPECT_NE(error, "(no exception)") << length;
    EXPECT_NE(error, "(another exception)") << length;
  }
}

TEST_F(TorchFile, EveryChangedByteIsReadOrRefused) {
  const auto whole = bytes_of(recorded("tensor"));
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const int flip : {1, 4, 128}) {
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ flip);
      EXPECT_NE(error_of(folder_.write("a", bytes)), "(another exception)") << place;
    }
  }
}

TEST_F(TorchFile, AnAbsentFileIsAnError) {
  EXPECT_EQ(error_of(folder_.path() / "a"),
            "read_torch: cannot read " + (folder_.path() / "a").string() + ": no such file");
}

}  // namespace torch_file_test
}  // namespace ddx::io
