#include "ddx/stablehlo/verifier.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::stablehlo {
namespace {

using detail::OpCheck;

/// The letter of a kind in the column `elements` of operations.def.
char letter_of(DType dtype) {
  switch (info(dtype).kind) {
    case DTypeKind::Float:
      return 'f';
    case DTypeKind::Signed:
      return 's';
    case DTypeKind::Unsigned:
      return 'u';
    case DTypeKind::Boolean:
      return 'b';
    case DTypeKind::Complex:
      return 'c';
  }
  __builtin_unreachable();
}

/// The kind of an attribute, as named in the column `attributes`.
std::string_view kind_of(const Attribute& attribute) {
  struct Kinds {
    std::string_view operator()(const Integer& one) const { return one.bits == 64 ? "i64" : "i32"; }
    std::string_view operator()(bool) const { return "bool"; }
    std::string_view operator()(const std::vector<std::int64_t>&) const { return "ints"; }
    std::string_view operator()(const std::vector<bool>&) const { return "bools"; }
    std::string_view operator()(const Matrix&) const { return "matrix"; }
    std::string_view operator()(const Enumerator&) const { return "enum"; }
    std::string_view operator()(const std::vector<Enumerator>&) const { return "enums"; }
    std::string_view operator()(const Fields&) const { return "fields"; }
    std::string_view operator()(const Dense&) const { return "dense"; }
    std::string_view operator()(const Unit&) const { return "unit"; }
  };
  return std::visit(Kinds(), attribute);
}

/// Checks the attributes against the row: all of them, with their kinds, and no others.
void check_attributes(const OpCheck& check) {
  std::string_view rest = info(check.operation().code).attributes;
  std::vector<std::string_view> known;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool is_optional = one.starts_with('?');
    one.remove_prefix(is_optional ? 1 : 0);
    const std::size_t colon = one.find(':');
    const std::string name(one.substr(0, colon));
    known.push_back(one.substr(0, colon));
    const Attribute* attribute = check.find(name);
    if (attribute == nullptr) {
      check.require(is_optional, "an attribute " + name, "none");
      continue;
    }
    const std::string kind(one.substr(colon + 1));
    check.require(kind_of(*attribute) == kind, name + " of kind " + kind,
                  std::string(kind_of(*attribute)));
  }
  std::vector<std::string_view> seen;
  for (const auto& [name, attribute] : check.operation().attributes) {
    check.require(std::ranges::find(known, name) != known.end(), "an attribute of the operation",
                  name);
    check.require(std::ranges::find(seen, name) == seen.end(), "each attribute once", name);
    seen.push_back(name);
  }
}

void check_row(const OpCheck& check) {
  const CodeInfo& row = info(check.operation().code);
  check.require(row.operands < 0 || check.operands() == static_cast<std::size_t>(row.operands),
                std::to_string(row.operands) + " operands", std::to_string(check.operands()));
  const std::size_t regions = check.operation().regions.size();
  check.require(row.regions < 0 || regions == static_cast<std::size_t>(row.regions),
                std::to_string(row.regions) + " regions", std::to_string(regions));
  if (check.operands() > 0 && !row.elements.empty()) {
    check.require(row.elements.find(letter_of(check.operand(0).dtype)) != std::string_view::npos,
                  "elements that the operation is defined for", to_string(check.operand(0)));
  }
  check_attributes(check);
}

void check_rule(const OpCheck& check) {
  switch (info(check.operation().code).rule) {
    case Rule::Elementwise:
    case Rule::Predicate:
    case Rule::Select:
    case Rule::Convert:
    case Rule::BitcastConvert:
    case Rule::Complex:
    case Rule::Part:
      detail::check_elementwise_rule(check);
      return;
    case Rule::Constant:
    case Rule::Iota:
    case Rule::BroadcastInDim:
    case Rule::Concatenate:
    case Rule::Pad:
    case Rule::Reshape:
    case Rule::Reverse:
    case Rule::Slice:
    case Rule::Transpose:
      detail::check_movement_rule(check);
      return;
    case Rule::DynamicSlice:
    case Rule::DynamicUpdateSlice:
      detail::check_dynamic_slices(check);
      return;
    case Rule::Gather:
      detail::check_gather(check);
      return;
    case Rule::Scatter:
      detail::check_scatter(check);
      return;
    case Rule::Reduce:
    case Rule::ReduceWindow:
    case Rule::SelectAndScatter:
    case Rule::Sort:
      detail::check_reduction_rule(check);
      return;
    case Rule::DotGeneral:
    case Rule::Convolution:
    case Rule::Fft:
    case Rule::Cholesky:
    case Rule::TriangularSolve:
      detail::check_product_rule(check);
      return;
    case Rule::Case:
    case Rule::While:
      detail::check_control_rule(check);
      return;
    case Rule::AllReduce:
    case Rule::AllGather:
    case Rule::ReduceScatter:
    case Rule::AllToAll:
    case Rule::CollectivePermute:
      detail::check_collective_rule(check);
      return;
    case Rule::Return:
      check.require_results(0);
      return;
  }
  __builtin_unreachable();
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module), scope_of_(module.types.size()) {}

  void verify() {
    open(module_.body.parameters);
    check_operations(module_.body);
    check_placements();
  }

 private:
  [[noreturn]] static void fail(const std::string& facts) { throw UsageError("verify", facts); }

  /// Starts a region: values are visible while its number is among the open ones.
  void open(const std::vector<ValueId>& parameters) {
    open_.push_back(++scopes_);
    for (const ValueId parameter : parameters) {
      define(parameter);
    }
  }

  void define(ValueId id) {
    const auto place = static_cast<std::size_t>(id);
    if (place >= scope_of_.size() || scope_of_[place] != 0) {
      fail("value %" + std::to_string(place) + " is " +
           (place >= scope_of_.size() ? "none of the program" : "defined twice"));
    }
    scope_of_[place] = open_.back();
  }

  void check_operations(const Region& region) {
    if (region.operations.empty() || region.operations.back().code != Code::return_) {
      fail("a region does not end in a return");
    }
    for (const Operation& operation : region.operations) {
      const OpCheck check(module_, operation);
      check.require(operation.code != Code::return_ || &operation == &region.operations.back(),
                    "a return at the end alone", "one before");
      check_operands(check);
      check_regions(operation);
      check_row(check);
      for (std::size_t i = 0; i < operation.result_count; ++i) {
        define(static_cast<ValueId>(static_cast<std::size_t>(operation.first_result) + i));
      }
      check_rule(check);
    }
  }

  void check_operands(const OpCheck& check) const {
    for (const ValueId operand : check.operation().operands) {
      const auto place = static_cast<std::size_t>(operand);
      const bool visible = place < scope_of_.size() && scope_of_[place] != 0 &&
                           std::ranges::find(open_, scope_of_[place]) != open_.end();
      check.require(visible, "a value that is defined before and visible here",
                    "%" + std::to_string(place));
    }
  }

  void check_regions(const Operation& operation) {
    const bool sees_around = operation.code == Code::case_;
    std::vector<std::uint32_t> around = open_;
    for (const Region& region : operation.regions) {
      if (!sees_around) {
        open_.clear();
      }
      open(region.parameters);
      check_operations(region);
      open_ = around;
    }
  }

  void check_placements() const {
    if (module_.replicas < 1 || module_.partitions < 1) {
      fail("the program runs on " + std::to_string(module_.replicas) + " replicas of " +
           std::to_string(module_.partitions) + " partitions");
    }
    const std::vector<ValueId>& returned = module_.returned();
    if (module_.parameters.size() != module_.body.parameters.size() ||
        module_.results.size() != returned.size()) {
      fail("parameters or results are more or fewer than what is said of them");
    }
    std::vector<bool> taken(returned.size());
    for (std::size_t i = 0; i < module_.parameters.size(); ++i) {
      const Placement& one = module_.parameters[i];
      const ir::Type& type = module_.type(module_.body.parameters[i]);
      check_sharding("parameter " + std::to_string(i), one, type);
      if (one.donation != Donation::Result) {
        continue;
      }
      if (one.aliased >= returned.size() || taken[one.aliased] ||
          module_.type(returned[one.aliased]) != type) {
        fail("parameter " + std::to_string(i) + ", which is " + to_string(type) +
             ", cannot hold result " + std::to_string(one.aliased));
      }
      taken[one.aliased] = true;
    }
    for (std::size_t i = 0; i < module_.results.size(); ++i) {
      if (module_.results[i].donation != Donation::None) {
        fail("result " + std::to_string(i) + " is donated");
      }
      check_sharding("result " + std::to_string(i), module_.results[i], module_.type(returned[i]));
    }
  }

  void check_sharding(const std::string& what, const Placement& one, const ir::Type& type) const {
    if (!one.is_sharded) {
      return;
    }
    if (one.sharding.size() != type.shape.rank()) {
      fail(what + " is " + to_string(type) + ", its sharding has " +
           std::to_string(one.sharding.size()) + " axes");
    }
    std::vector<std::string> used;
    for (std::size_t axis = 0; axis < one.sharding.size(); ++axis) {
      std::int64_t parts = 1;
      for (const std::string& name : one.sharding[axis]) {
        const auto known = std::ranges::find_if(
            module_.mesh.axes, [&](const auto& candidate) { return candidate.first == name; });
        if (known == module_.mesh.axes.end() || std::ranges::find(used, name) != used.end()) {
          fail(what + " is sharded along \"" + name + "\", which the mesh " +
               (known == module_.mesh.axes.end() ? "lacks" : "has only once"));
        }
        used.push_back(name);
        parts *= known->second;
      }
      if (type.shape[axis] % parts != 0) {
        fail(what + " is " + to_string(type) + ", of which axis " + std::to_string(axis) +
             " does not fall into " + std::to_string(parts) + " parts");
      }
    }
  }

  const Module& module_;
  std::vector<std::uint32_t> scope_of_;  // For each value the region it is defined in, from 1.
  std::vector<std::uint32_t> open_;
  std::uint32_t scopes_ = 0;
};

}  // namespace

void verify(const Module& module) {
  Verifier(module).verify();
}

}  // namespace ddx::stablehlo
