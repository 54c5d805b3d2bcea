#include "io/detail/torch/pickle_reader.h"

#include "ddx/core/error.h"

#include "io/detail/refusal.h"
#include "io/detail/stored_shape.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

/// The operations that are known. Their letters are those of `pickletools`.
enum class Operation : std::uint8_t {
  Mark = '(',
  Stop = '.',
  None = 'N',
  Integer4 = 'J',
  Integer1 = 'K',
  Integer2 = 'M',
  Real = 'G',
  Text4 = 'X',
  Bytes4 = 'B',
  Bytes1 = 'C',
  EmptyTuple = ')',
  Tuple = 't',
  EmptyList = ']',
  List = 'l',
  Append = 'a',
  Appends = 'e',
  EmptyDictionary = '}',
  Dictionary = 'd',
  SetItem = 's',
  SetItems = 'u',
  Get1 = 'h',
  Get4 = 'j',
  Put1 = 'q',
  Put4 = 'r',
  Global = 'c',
  Reduce = 'R',
  Build = 'b',
  Persistent = 'Q',
  Protocol = 0x80,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  True = 0x88,
  False = 0x89,
  Long1 = 0x8A,
  Long4 = 0x8B,
  Text1 = 0x8C,
  Text8 = 0x8D,
  Bytes8 = 0x8E,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
};

constexpr std::uint64_t last_protocol = 5;

// What one of each takes at most, with the room that containers have beyond it.
constexpr std::uint64_t bytes_of_value = sizeof(PickleValue) + 16;
constexpr std::uint64_t bytes_of_item = 4 * sizeof(PickleIndex);
constexpr std::uint64_t bytes_of_memo = 64;

class PickleMachine {
 public:
  PickleMachine(std::span<const std::uint8_t> bytes, const GlobalFilter& is_allowed,
                ContentBudget& budget, const Refusal& refuse)
      : bytes_(bytes), is_allowed_(is_allowed), budget_(budget), refuse_(refuse) {}

  PickleValues run() {
    while (true) {
      begin_ = place_;
      const auto operation = static_cast<Operation>(number(1));
      if (operation == Operation::Stop) {
        break;
      }
      step(operation);
    }
    if (stack_.size() != 1 || !marks_.empty()) {
      fail("the pickle ends with " + std::to_string(stack_.size()) + " values instead of one");
    }
    if (place_ != bytes_.size()) {
      fail("the pickle ends before its last byte");
    }
    result_.root = stack_[0];
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    refuse_("byte " + std::to_string(begin_) + ": " + facts);
    throw InternalError("read_pickle", "a refusal returned");
  }

  // The bytes.

  std::span<const std::uint8_t> take(std::uint64_t count) {
    if (count > bytes_.size() - place_) {
      fail("the pickle ends within an operation");
    }
    const auto part = bytes_.subspan(place_, static_cast<std::size_t>(count));
    place_ += part.size();
    return part;
  }

  std::uint64_t number(std::size_t size) {
    const auto part = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | part[i];
    }
    return value;
  }

  std::string_view text(std::uint64_t size) {
    const auto part = take(size);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }

  std::string_view line() {
    const auto rest = bytes_.subspan(place_);
    const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{'\n'});
    if (end == rest.end()) {
      fail("the pickle ends within a name");
    }
    const auto result = text(static_cast<std::uint64_t>(end - rest.begin()));
    ++place_;
    return result;
  }

  // The stack, whose values below the last mark are out of reach.

  PickleIndex add(PickleValue value) {
    budget_.take(bytes_of_value + bytes_of_item * (value.items.size() + 1));
    if (result_.values.size() == std::numeric_limits<PickleIndex>::max()) {
      fail("too many values");
    }
    result_.values.push_back(std::move(value));
    return static_cast<PickleIndex>(result_.values.size() - 1);
  }

  void push(PickleIndex index) {
    budget_.take(bytes_of_item);
    stack_.push_back(index);
  }
  void push(PickleValue value) { push(add(std::move(value))); }
  void push_integer(std::int64_t value) {
    push(PickleValue{.kind = PickleKind::Integer, .integer = value});
  }

  [[nodiscard]] std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }

  void need(std::size_t count) const {
    if (stack_.size() - bottom() < count) {
      fail("the stack has too few values");
    }
  }

  PickleIndex pop() {
    need(1);
    const auto index = stack_.back();
    stack_.pop_back();
    return index;
  }

  std::vector<PickleIndex> pop_last(std::size_t count) {
    need(count);
    budget_.take(bytes_of_item * count);
    const auto begin = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<PickleIndex> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    return items;
  }

  std::vector<PickleIndex> pop_to_mark() {
    if (marks_.empty()) {
      fail("the stack has no mark");
    }
    auto items = pop_last(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }

  PickleValue& top(PickleKind kind, const char* what) {
    need(1);
    auto& value = result_.values[stack_.back()];
    if (value.kind != kind) {
      fail(std::string("what is no ") + what + " gets elements");
    }
    return value;
  }

  // The operations.

  void step(Operation operation) {
    switch (operation) {
      case Operation::Mark:
        budget_.take(bytes_of_item);
        marks_.push_back(stack_.size());
        return;
      case Operation::None:
        return push(PickleValue{});
      case Operation::True:
      case Operation::False:
        return push(PickleValue{.kind = PickleKind::Boolean,
                                .integer = operation == Operation::True ? 1 : 0});
      case Operation::Integer1:
        return push_integer(static_cast<std::int64_t>(number(1)));
      case Operation::Integer2:
        return push_integer(static_cast<std::int64_t>(number(2)));
      case Operation::Integer4:
        return push_integer(static_cast<std::int32_t>(number(4)));
      case Operation::Long1:
        return push_long(number(1));
      case Operation::Long4:
        return push_long(number(4));
      case Operation::Real:
        return push_real();
      case Operation::Text1:
        return push_text(PickleKind::Text, number(1));
      case Operation::Text4:
        return push_text(PickleKind::Text, number(4));
      case Operation::Text8:
        return push_text(PickleKind::Text, number(8));
      case Operation::Bytes1:
        return push_text(PickleKind::Bytes, number(1));
      case Operation::Bytes4:
        return push_text(PickleKind::Bytes, number(4));
      case Operation::Bytes8:
        return push_text(PickleKind::Bytes, number(8));
      case Operation::Protocol:
        if (const auto protocol = number(1); protocol > last_protocol) {
          fail("protocol " + std::to_string(protocol) + ", the last known is " +
               std::to_string(last_protocol));
        }
        return;
      case Operation::Frame:
        if (number(8) > bytes_.size() - place_) {
          fail("a frame ends behind the pickle");
        }
        return;
      default:
        return step_with_values(operation);
    }
  }

  void step_with_values(Operation operation) {
    switch (operation) {
      case Operation::EmptyTuple:
        return push_items(PickleKind::Tuple, {});
      case Operation::Tuple1:
        return push_items(PickleKind::Tuple, pop_last(1));
      case Operation::Tuple2:
        return push_items(PickleKind::Tuple, pop_last(2));
      case Operation::Tuple3:
        return push_items(PickleKind::Tuple, pop_last(3));
      case Operation::Tuple:
        return push_items(PickleKind::Tuple, pop_to_mark());
      case Operation::EmptyList:
        return push_items(PickleKind::List, {});
      case Operation::List:
        return push_items(PickleKind::List, pop_to_mark());
      case Operation::EmptyDictionary:
        return push_items(PickleKind::Dictionary, {});
      case Operation::Dictionary:
        return push_items(PickleKind::Dictionary, in_pairs(pop_to_mark()));
      case Operation::Append:
        return append(PickleKind::List, "list", pop_last(1));
      case Operation::Appends:
        return append(PickleKind::List, "list", pop_to_mark());
      case Operation::SetItem:
        return append(PickleKind::Dictionary, "dictionary", pop_last(2));
      case Operation::SetItems:
        return append(PickleKind::Dictionary, "dictionary", in_pairs(pop_to_mark()));
      case Operation::Put1:
        return put(number(1));
      case Operation::Put4:
        return put(number(4));
      case Operation::Memoize:
        return put(memo_.size());
      case Operation::Get1:
        return get(number(1));
      case Operation::Get4:
        return get(number(4));
      case Operation::Global: {
        const auto module = line();
        return push_global(module, line());
      }
      case Operation::StackGlobal:
        return push_stack_global();
      case Operation::Persistent:
        return push_items(PickleKind::Persistent, pop_last(1));
      case Operation::Reduce:
        return reduce();
      case Operation::Build:
        return build();
      default:
        fail("operation " + std::to_string(bytes_[begin_]) + " is not among what may be read");
    }
  }

  void push_items(PickleKind kind, std::vector<PickleIndex> items) {
    push(PickleValue{.kind = kind, .items = std::move(items)});
  }

  std::vector<PickleIndex> in_pairs(std::vector<PickleIndex> items) const {
    if (items.size() % 2 != 0) {
      fail("a dictionary gets a key without a value");
    }
    return items;
  }

  /// An integer of any length, lowest byte first, with a sign.
  void push_long(std::uint64_t size) {
    const auto part = take(size);
    if (size > sizeof(std::int64_t)) {
      return push(PickleValue{.kind = PickleKind::LargeInteger});
    }
    std::uint64_t value = size > 0 && part.back() >= 0x80 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = part.size(); i-- > 0;) {
      value = value << 8 | part[i];
    }
    push_integer(static_cast<std::int64_t>(value));
  }

  void push_real() {
    std::uint64_t word = 0;
    for (const auto byte : take(sizeof(double))) {
      word = word << 8 | byte;
    }
    push(PickleValue{.kind = PickleKind::Real, .real = std::bit_cast<double>(word)});
  }

  void push_text(PickleKind kind, std::uint64_t size) {
    push(PickleValue{.kind = kind, .text = text(size)});
  }

  void append(PickleKind kind, const char* what, const std::vector<PickleIndex>& items) {
    auto& into = top(kind, what).items;
    into.insert(into.end(), items.begin(), items.end());
  }

  void put(std::uint64_t number) {
    need(1);
    budget_.take(bytes_of_memo);
    memo_[number] = stack_.back();
  }

  void get(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) {
      fail("value " + std::to_string(number) + " was not kept");
    }
    push(found->second);
  }

  void push_global(std::string_view module, std::string_view name) {
    if (!is_allowed_(module, name)) {
      fail("names " + printable(module) + "." + printable(name) +
           ", which is not among what may be read; nothing of it was run");
    }
    push(PickleValue{.kind = PickleKind::Global, .text = module, .member = name});
  }

  void push_stack_global() {
    const auto& name = result_[pop()];
    const auto& module = result_[pop()];
    if (name.kind != PickleKind::Text || module.kind != PickleKind::Text) {
      fail("a name that is no text");
    }
    push_global(module.text, name.text);
  }

  void reduce() {
    auto items = pop_last(2);
    const auto& function = result_[items[0]];
    const auto& arguments = result_[items[1]];
    if (function.kind != PickleKind::Global || arguments.kind != PickleKind::Tuple) {
      fail("a call of what is no function");
    }
    if (function.text == "collections" && function.member == "OrderedDict") {
      if (!arguments.items.empty()) {
        fail("an OrderedDict with arguments");
      }
      return push_items(PickleKind::Dictionary, {});
    }
    push_items(PickleKind::Call, std::move(items));
  }

  /// Attributes of an object: those of a dictionary, such as the versions of modules (`_metadata`),
  /// are passed over.
  void build() {
    const auto& state = result_[pop()];
    need(1);
    if (result_[stack_.back()].kind != PickleKind::Dictionary ||
        state.kind != PickleKind::Dictionary) {
      fail("attributes of what is no dictionary");
    }
  }

  std::span<const std::uint8_t> bytes_;
  const GlobalFilter& is_allowed_;
  ContentBudget& budget_;
  const Refusal& refuse_;
  PickleValues result_;
  std::size_t begin_ = 0;  // Of the operation that runs.
  std::size_t place_ = 0;
  std::vector<PickleIndex> stack_;
  std::vector<std::size_t> marks_;  // The sizes of the stack when they were set.
  std::unordered_map<std::uint64_t, PickleIndex> memo_;
};

}  // namespace

PickleValues read_pickle(std::span<const std::uint8_t> bytes, const GlobalFilter& is_allowed,
                         ContentBudget& budget, const Refusal& refuse) {
  return PickleMachine(bytes, is_allowed, budget, refuse).run();
}

}  // namespace ddx::io::detail
