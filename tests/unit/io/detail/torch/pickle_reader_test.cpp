#include "io/detail/torch/pickle_reader.h"

#include "ddx/core/error.h"

#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::io::detail {
namespace pickle_reader_test {

using namespace std::string_view_literals;
using ddx::testing::message_of;

void refuse(const std::string& facts) {
  throw EnvironmentError("read", facts);
}

bool allows_known(std::string_view module, std::string_view name) {
  return module == "collections" || (module == "m" && name == "f");
}

/// The values of a pickle, whose texts are parts of the argument.
PickleValues read(std::string_view pickle, std::uint64_t limit = 100'000) {
  ContentBudget budget(limit, pickle.size(), "Options::max_bytes", refuse);
  return read_pickle({reinterpret_cast<const std::uint8_t*>(pickle.data()), pickle.size()},
                     allows_known, budget, refuse);
}

/// The only value of a pickle without containers.
PickleValue value(std::string_view pickle) {
  auto values = read(pickle);
  return values[values.root];
}

std::string error(std::string_view pickle, std::uint64_t limit = 100'000) {
  const auto message = message_of<EnvironmentError>([&] { (void)read(pickle, limit); });
  return message.starts_with("read: ") ? message.substr(6) : message;
}

std::string text_of(const PickleValues& values, PickleIndex index);

std::string items_of(const PickleValues& values, const PickleValue& value) {
  std::string text;
  for (const auto item : value.items) {
    text += (text.empty() ? "" : " ") + text_of(values, item);
  }
  return text;
}

/// A value as text, with brackets of its own for each kind of container.
std::string text_of(const PickleValues& values, PickleIndex index) {
  const auto& value = values[index];
  switch (value.kind) {
    case PickleKind::None:
      return "none";
    case PickleKind::Boolean:
      return value.integer != 0 ? "true" : "false";
    case PickleKind::Integer:
      return std::to_string(value.integer);
    case PickleKind::LargeInteger:
      return "large";
    case PickleKind::Real:
      return std::to_string(value.real);
    case PickleKind::Text:
      return "'" + std::string(value.text) + "'";
    case PickleKind::Bytes:
      return "b'" + std::string(value.text) + "'";
    case PickleKind::Tuple:
      return "(" + items_of(values, value) + ")";
    case PickleKind::List:
      return "[" + items_of(values, value) + "]";
    case PickleKind::Dictionary:
      return "{" + items_of(values, value) + "}";
    case PickleKind::Global:
      return std::string(value.text) + "." + std::string(value.member);
    case PickleKind::Call:
      return "call<" + items_of(values, value) + ">";
    case PickleKind::Persistent:
      return "persistent<" + items_of(values, value) + ">";
  }
  return "";
}

std::string read_text(std::string_view pickle) {
  const auto values = read(pickle);
  return text_of(values, values.root);
}

// Each as Python's pickletools describes it.
TEST(PickleReader, SimpleValues) {
  EXPECT_EQ(read_text("\x80\x05N."sv), "none");
  EXPECT_EQ(read_text("\x88."sv), "true");
  EXPECT_EQ(read_text("\x89."sv), "false");
  EXPECT_EQ(read_text("K\xff."sv), "255");
  EXPECT_EQ(read_text("M\x01\x02."sv), "513");
  EXPECT_EQ(read_text("J\xfe\xff\xff\xff."sv), "-2");
  EXPECT_EQ(read_text("\x8a\x00."sv), "0");
  EXPECT_EQ(read_text("\x8a\x01\x80."sv), "-128");
  EXPECT_EQ(read_text("\x8a\x02\x80\x00."sv), "128");
  EXPECT_EQ(read_text("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80."sv), "-9223372036854775808");
  EXPECT_EQ(read_text("\x8b\x01\x00\x00\x00\x07."sv), "7");
  EXPECT_EQ(read_text("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01."sv), "large");
  EXPECT_EQ(value("G\x3f\xe0\x00\x00\x00\x00\x00\x00."sv).real, 0.5);
  EXPECT_EQ(read_text("\x8c\x02xy."sv), "'xy'");
  EXPECT_EQ(read_text("X\x02\x00\x00\x00xy."sv), "'xy'");
  EXPECT_EQ(read_text("\x8d\x02\x00\x00\x00\x00\x00\x00\x00xy."sv), "'xy'");
  EXPECT_EQ(read_text("C\x02xy."sv), "b'xy'");
  EXPECT_EQ(read_text("B\x02\x00\x00\x00xy."sv), "b'xy'");
  EXPECT_EQ(read_text("\x8e\x02\x00\x00\x00\x00\x00\x00\x00xy."sv), "b'xy'");
}

TEST(PickleReader, Containers) {
  EXPECT_EQ(read_text(")."sv), "()");
  EXPECT_EQ(read_text("K\x01\x85."sv), "(1)");
  EXPECT_EQ(read_text("K\x01K\x02\x86."sv), "(1 2)");
  EXPECT_EQ(read_text("K\x01K\x02K\x03\x87."sv), "(1 2 3)");
  EXPECT_EQ(read_text("(K\x01K\x02K\x03K\x04t."sv), "(1 2 3 4)");
  EXPECT_EQ(read_text("(K\x01l."sv), "[1]");
  EXPECT_EQ(read_text("]K\x01"
                      "a(K\x02K\x03"
                      "e."sv),
            "[1 2 3]");
  EXPECT_EQ(read_text("(K\x01K\x02"
                      "d."sv),
            "{1 2}");
  EXPECT_EQ(read_text("}K\x01K\x02s(K\x03K\x04K\x05K\x06u."sv), "{1 2 3 4 5 6}");
  EXPECT_EQ(read_text("(](tt."sv), "([] ())");
}

TEST(PickleReader, ValuesAreKeptAndShared) {
  EXPECT_EQ(read_text("K\x01q\x07K\x02r\x08\x00\x00\x00h\x07j\x08\x00\x00\x00\x86\x87."sv),
            "(1 2 (1 2))");
  EXPECT_EQ(read_text("K\x05\x94K\x06\x94h\x00h\x01\x86\x87."sv), "(5 6 (5 6))");
  const auto values = read("]q\x00h\x00\x86."sv);
  EXPECT_EQ(values[values.root].items[0], values[values.root].items[1]);
}

TEST(PickleReader, NamesCallsAndWhatTheReaderKnows) {
  EXPECT_EQ(read_text("cm\nf\n."sv), "m.f");
  EXPECT_EQ(read_text("\x8c\x01m\x8c\x01"
                      "f\x93K\x01\x85R."sv),
            "call<m.f (1)>");
  EXPECT_EQ(read_text("K\x01Q."sv), "persistent<1>");
  EXPECT_EQ(read_text("ccollections\nOrderedDict\n)RK\x01K\x02s}b."sv), "{1 2}");
}

TEST(PickleReader, WhatIsNotOnTheListIsRefused) {
  EXPECT_EQ(error("cm\ng\n."sv),
            "byte 0: names m.g, which is not among what may be read; nothing of it was run");
  EXPECT_EQ(error("\x8c\x01m\x8c\x01g\x93."sv),
            "byte 6: names m.g, which is not among what may be read; nothing of it was run");
  // Ways to make objects that weights do not need: INST, OBJ, NEWOBJ, EXT1, and others.
  for (const auto operation : "io\x81\x82\x92\x8f\x96\x97\x98P0122FISUTV"sv) {
    const auto number = std::to_string(static_cast<std::uint8_t>(operation));
    EXPECT_EQ(error(std::string("N") + operation + "mm\nf\n."),
              "byte 1: operation " + number + " is not among what may be read");
  }
}

TEST(PickleReader, WhatBreaksTheFormatIsRefused) {
  const std::pair<std::string_view, const char*> cases[] = {
      {""sv, "byte 0: the pickle ends within an operation"},
      {"N"sv, "byte 1: the pickle ends within an operation"},
      {"K"sv, "byte 0: the pickle ends within an operation"},
      {"\x8c\x05xy."sv, "byte 0: the pickle ends within an operation"},
      {"\x8d\xff\xff\xff\xff\xff\xff\xff\xff."sv, "byte 0: the pickle ends within an operation"},
      {"\x8b\xff\xff\xff\xff."sv, "byte 0: the pickle ends within an operation"},
      {"cm\nf"sv, "byte 0: the pickle ends within a name"},
      {"\x80\x06."sv, "byte 0: protocol 6, the last known is 5"},
      {"\x95\x05\x00\x00\x00\x00\x00\x00\x00N."sv, "byte 0: a frame ends behind the pickle"},
      {"."sv, "byte 0: the pickle ends with 0 values instead of one"},
      {"NN."sv, "byte 2: the pickle ends with 2 values instead of one"},
      {"(N."sv, "byte 2: the pickle ends with 1 values instead of one"},
      {"N.N"sv, "byte 1: the pickle ends before its last byte"},
      {"\x85."sv, "byte 0: the stack has too few values"},
      {"N(\x85."sv, "byte 2: the stack has too few values"},
      {"Nt."sv, "byte 1: the stack has no mark"},
      {"(NNNd."sv, "byte 4: a dictionary gets a key without a value"},
      {"}(Nu."sv, "byte 3: a dictionary gets a key without a value"},
      {"}Na."sv, "byte 2: what is no list gets elements"},
      {"]NNs."sv, "byte 3: what is no dictionary gets elements"},
      {"h\x01."sv, "byte 0: value 1 was not kept"},
      {"q\x01."sv, "byte 0: the stack has too few values"},
      {"NN\x93."sv, "byte 2: a name that is no text"},
      {"N)R."sv, "byte 2: a call of what is no function"},
      {"cm\nf\nNR."sv, "byte 6: a call of what is no function"},
      {"ccollections\nOrderedDict\nN\x85R."sv, "byte 27: an OrderedDict with arguments"},
      {"cm\nf\n)R}b."sv, "byte 8: attributes of what is no dictionary"},
      {"}Nb."sv, "byte 2: attributes of what is no dictionary"},
      {"}b."sv, "byte 1: the stack has too few values"},
  };
  for (const auto& [pickle, message] : cases) {
    EXPECT_EQ(error(pickle), message);
  }
}

TEST(PickleReader, MemoryIsBounded) {
  const std::string many(1000, '}');
  EXPECT_TRUE(error(many, 10'000).starts_with("its arrays and values take more than 10000 bytes"));
  EXPECT_TRUE(error(std::string(1'000'000, '('), 10'000).starts_with("its arrays and values"));
  std::string kept = "N";
  for (int i = 0; i < 10'000; ++i) {
    kept += "\x94";
  }
  EXPECT_TRUE(error(kept, 10'000).starts_with("its arrays and values take more than 10000 bytes"));
}

}  // namespace pickle_reader_test
}  // namespace ddx::io::detail
