#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/attribute_parser.h"
#include "stablehlo/detail/cursor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::stablehlo {
namespace {

using detail::Cursor;

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Module parse() {
    cursor_.expect("module");
    cursor_.expect("@ddx");
    cursor_.expect("attributes");
    cursor_.expect("{");
    cursor_.expect("mhlo.num_partitions");
    module_.partitions = count();
    cursor_.expect(",");
    cursor_.expect("mhlo.num_replicas");
    module_.replicas = count();
    cursor_.expect("}");
    cursor_.expect("{");
    if (cursor_.accept("sdy.mesh")) {
      mesh();
    }
    function();
    cursor_.expect("}");
    if (!cursor_.at_end()) {
      cursor_.fail("the end of the text");
    }
    return std::move(module_);
  }

 private:
  /// The results that a name denotes.
  struct Named {
    ValueId first;
    std::size_t count;
  };

  std::int64_t count() {
    cursor_.expect("=");
    const std::int64_t value = cursor_.integer();
    cursor_.expect(":");
    cursor_.expect("i32");
    return value;
  }

  void mesh() {
    cursor_.expect("@mesh");
    cursor_.expect("=");
    cursor_.expect("<");
    cursor_.expect("[");
    do {
      const std::string axis(cursor_.quoted());
      cursor_.expect("=");
      module_.mesh.axes.emplace_back(axis, cursor_.integer());
    } while (cursor_.accept(","));
    cursor_.expect("]");
    cursor_.expect(">");
  }

  void function() {
    cursor_.expect("func.func");
    cursor_.expect("@main");
    cursor_.expect("(");
    scopes_.emplace_back();
    if (!cursor_.accept(")")) {
      do {
        module_.body.parameters.push_back(parameter());
        module_.parameters.push_back(placement());
      } while (cursor_.accept(","));
      cursor_.expect(")");
    }
    cursor_.expect("->");
    cursor_.expect("(");
    const TextPlace place = cursor_.place();
    std::vector<ir::Type> types;
    if (!cursor_.accept(")")) {
      do {
        types.push_back(cursor_.type());
        module_.results.push_back(placement());
      } while (cursor_.accept(","));
      cursor_.expect(")");
    }
    cursor_.expect("{");
    operations(module_.body, "func.return");
    cursor_.expect("}");
    check_returned(place, types);
  }

  void check_returned(const TextPlace& place, const std::vector<ir::Type>& types) {
    std::vector<ir::Type> returned;
    for (const ValueId id : module_.returned()) {
      returned.push_back(module_.type(id));
    }
    if (returned != types) {
      cursor_.concern("func.func");
      cursor_.fail(place, "expected the types that are returned, " + text_of(returned) +
                              ", found " + text_of(types));
    }
  }

  static std::string text_of(const std::vector<ir::Type>& types) {
    std::string text;
    for (const ir::Type& type : types) {
      text += (text.empty() ? "" : ", ") + to_string(type);
    }
    return "(" + text + ")";
  }

  Placement placement() {
    Placement one;
    if (!cursor_.accept("{")) {
      return one;
    }
    do {
      if (cursor_.accept("tf.aliasing_output")) {
        one.donation = Donation::Result;
        one.aliased = static_cast<std::size_t>(count());
      } else if (cursor_.accept("jax.buffer_donor")) {
        cursor_.expect("=");
        cursor_.expect("true");
        one.donation = Donation::Any;
      } else {
        cursor_.expect("sdy.sharding");
        sharding(one);
      }
    } while (cursor_.accept(","));
    cursor_.expect("}");
    return one;
  }

  void sharding(Placement& one) {
    one.is_sharded = true;
    cursor_.expect("=");
    cursor_.expect("#sdy.sharding");
    cursor_.expect("<");
    cursor_.expect("@mesh");
    cursor_.expect(",");
    cursor_.expect("[");
    if (!cursor_.accept("]")) {
      do {
        std::vector<std::string> axes;
        cursor_.expect("{");
        if (!cursor_.accept("}")) {
          do {
            axes.emplace_back(cursor_.quoted());
          } while (cursor_.accept(","));
          cursor_.expect("}");
        }
        one.sharding.push_back(std::move(axes));
      } while (cursor_.accept(","));
      cursor_.expect("]");
    }
    cursor_.expect(">");
  }

  /// "%5": the name of a value.
  std::string_view name() {
    if (!cursor_.accept("%")) {
      cursor_.fail("a value");
    }
    return cursor_.word();
  }

  ValueId define(const ir::Type& type) {
    module_.types.push_back(type);
    return static_cast<ValueId>(module_.types.size() - 1);
  }

  void bind(const TextPlace& place, std::string_view name, Named named) {
    for (const auto& scope : scopes_) {
      if (scope.contains(std::string(name))) {
        cursor_.fail(place,
                     "expected a new name, found that of another value, %" + std::string(name));
      }
    }
    scopes_.back().emplace(name, named);
  }

  ValueId parameter() {
    const TextPlace place = cursor_.place();
    const std::string_view own = name();
    cursor_.expect(":");
    const ValueId id = define(cursor_.type());
    bind(place, own, {id, 1});
    return id;
  }

  ValueId used() {
    const TextPlace place = cursor_.place();
    const std::string own(name());
    const std::uint64_t number = cursor_.accept("#") ? cursor_.natural() : 0;
    for (const auto& scope : scopes_) {
      const auto known = scope.find(own);
      if (known == scope.end()) {
        continue;
      }
      if (number >= known->second.count) {
        cursor_.fail(place, "expected one of " + std::to_string(known->second.count) +
                                " results, found %" + own + "#" + std::to_string(number));
      }
      return static_cast<ValueId>(static_cast<std::size_t>(known->second.first) + number);
    }
    cursor_.fail(place, "expected a value that is defined before, found %" + own);
  }

  /// Operations up to the one that returns.
  void operations(Region& region, std::string_view last) {
    do {
      if (cursor_.next_is('}')) {
        cursor_.fail("'\"" + std::string(last) + "\"'");
      }
      region.operations.push_back(operation(last));
    } while (region.operations.back().code != Code::return_);
    cursor_.concern("");
  }

  Operation operation(std::string_view last) {
    cursor_.concern("");
    Operation operation{};
    const TextPlace result_place = cursor_.place();
    std::optional<std::string_view> result;
    std::size_t results = 0;
    if (cursor_.next_is('%')) {
      result = name();
      results = cursor_.accept(":") ? static_cast<std::size_t>(cursor_.natural()) : 1;
      cursor_.expect("=");
    }
    operation.place = cursor_.place();
    const std::string_view called = cursor_.quoted();
    cursor_.concern(called);
    operation.code = code_of(operation.place, called, last);
    operands(operation);
    if (cursor_.accept("(")) {
      regions(operation, called);
      cursor_.expect(")");
    }
    if (cursor_.accept("{")) {
      attributes(operation);
    }
    cursor_.expect(":");
    operand_types(operation);
    cursor_.expect("->");
    result_types(operation, results);
    if (result) {
      bind(result_place, *result, {operation.first_result, operation.result_count});
    }
    return operation;
  }

  Code code_of(const TextPlace& place, std::string_view called, std::string_view last) {
    constexpr std::string_view dialect = "stablehlo.";
    if (called == last) {
      return Code::return_;
    }
    if (called.starts_with(dialect)) {
      for (const CodeInfo& row : code_table) {
        if (row.name == called.substr(dialect.size()) && row.code != Code::return_) {
          return row.code;
        }
      }
    }
    cursor_.fail(place, "expected an operation of the table, or " + std::string(last) +
                            ", found \"" + std::string(called) + "\"");
  }

  void operands(Operation& operation) {
    cursor_.expect("(");
    if (cursor_.accept(")")) {
      return;
    }
    do {
      operation.operands.push_back(used());
    } while (cursor_.accept(","));
    cursor_.expect(")");
  }

  void regions(Operation& operation, std::string_view called) {
    do {
      cursor_.expect("{");
      scopes_.emplace_back();
      Region region;
      if (cursor_.accept("^bb0")) {
        cursor_.expect("(");
        do {
          region.parameters.push_back(parameter());
        } while (cursor_.accept(","));
        cursor_.expect(")");
        cursor_.expect(":");
      }
      operations(region, "stablehlo.return");
      cursor_.concern(called);
      cursor_.expect("}");
      scopes_.pop_back();
      operation.regions.push_back(std::move(region));
    } while (cursor_.accept(","));
  }

  void attributes(Operation& operation) {
    do {
      std::string own(cursor_.word());
      if (cursor_.accept("=")) {
        operation.attributes.emplace_back(std::move(own), detail::parse_attribute(cursor_));
      } else {
        operation.attributes.emplace_back(std::move(own), Unit{});
      }
    } while (cursor_.accept(","));
    cursor_.expect("}");
  }

  void operand_types(const Operation& operation) {
    cursor_.expect("(");
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      if (i > 0) {
        cursor_.expect(",");
      }
      const TextPlace place = cursor_.place();
      const ir::Type said = cursor_.type();
      const ir::Type& own = module_.type(operation.operands[i]);
      if (said != own) {
        cursor_.fail(place, "expected the type of operand " + std::to_string(i) + ", " +
                                to_string(own) + ", found " + to_string(said));
      }
    }
    cursor_.expect(")");
  }

  void result_types(Operation& operation, std::size_t named) {
    const TextPlace place = cursor_.place();
    std::vector<ir::Type> types;
    if (!cursor_.accept("(")) {
      types.push_back(cursor_.type());
    } else if (!cursor_.accept(")")) {
      do {
        types.push_back(cursor_.type());
      } while (cursor_.accept(","));
      cursor_.expect(")");
    }
    if (named != 0 && types.size() != named) {
      cursor_.fail(place, "expected " + std::to_string(named) + " types, found " +
                              std::to_string(types.size()));
    }
    operation.result_count = types.size();
    operation.first_result = static_cast<ValueId>(module_.types.size());
    for (const ir::Type& type : types) {
      (void)define(type);
    }
  }

  Cursor cursor_;
  Module module_;
  std::vector<std::map<std::string, Named>> scopes_;
};

}  // namespace

Module parse_module(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace ddx::stablehlo
