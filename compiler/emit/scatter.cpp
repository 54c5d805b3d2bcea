#include "compiler/emit/scatter.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/regions.h"
#include "compiler/emit/all_parts.h"
#include "compiler/residuals/affine.h"

#include <algorithm>
#include <map>

namespace ddx::compiler {

using namespace ir;

namespace {

/// The value whose cotangent that of `load` is, except for the sign, in the same iteration.
std::pair<const Value*, int> source_of(const Value* load) {
  int sign = 1;
  while (load->adjoint_at_use && load->user->kind == Statement::Kind::Define) {
    const Value* const user = load->user->value;
    const bool sum = user->rule && user->rule->name == "operator add";
    const bool difference = user->rule && user->rule->name == "operator sub";
    if ((!sum && !difference) || user->type.getCanonicalType() != load->type.getCanonicalType()) {
      break;
    }
    sign = difference && user->operands[1] == load ? -sign : sign;
    load = user;
  }
  return {load, sign};
}

/// Finds the least place and the distance to the greatest.
void measure(Scatter& scatter) {
  const auto constant = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [low, high] =
      std::minmax_element(scatter.loads.begin(), scatter.loads.end(), constant);
  scatter.low = low->second;
  scatter.span = high->second - low->second;
}

/// Leaves the increments at one place to the iterations themselves, which meet there no other
/// iteration's: the greatest place whose increments are not those of another place too, which
/// would need their terms anyway. Not of two: the loop would pay for what the other loop saves.
void leave_out_one_place(Scatter& scatter) {
  std::map<long, bool> is_own;
  for (const auto& [load, place] : scatter.loads) {
    const bool shared = llvm::any_of(scatter.loads, [&, one = load, at = place](const auto& other) {
      return other.second != at && source_of(other.first).first == source_of(one).first;
    });
    is_own.try_emplace(place, true).first->second &= !shared;
  }
  const auto own =
      std::find_if(is_own.rbegin(), is_own.rend(), [](const auto& place) { return place.second; });
  constexpr std::size_t few = 2;
  if (is_own.size() > few && own != is_own.rend()) {
    llvm::erase_if(scatter.loads, [&](const auto& load) { return load.second == own->first; });
  }
}

}  // namespace

/// Finds the arrays whose adjoints `loop` increments at several places that move with its counter.
///
/// Such increments meet in memory from one iteration to the next, which no vectoriser takes. Each
/// iteration stores its terms instead, all but those at one place, and one loop behind it gathers
/// them. Only for arrays that the loop does not write, by whatever name: there, nothing but
/// increments happens to the adjoint.
std::vector<Scatter> Scatters::find_scatters(const Statement& loop) {
  std::vector<Scatter> result;
  if (loop.form != Statement::LoopForm::Counted || loop.step != 1 || loop.chained ||
      loop.continue_sites > 0 || loop.increment || !is_straight(*loop.body, false)) {
    return result;
  }
  std::vector<Scatter> groups;
  for_each_statement(loop.body, [&](Statement* statement) {
    if (statement->kind != Statement::Kind::Define || !statement->reversed ||
        statement->value->kind != Value::Kind::Load) {
      return;
    }
    const Value& load = *statement->value;
    const Root& root = *load.path.root;
    const auto array = flat_adjoints_.flat_array_of(load.path);
    if (!load.type->isScalarType() || !root.active() || !array ||
        !writes_.is_invariant(root, loop)) {
      return;
    }
    const auto index = affine_index(function_, load.path.steps.back(), loop);
    bool fixed = index.has_value();
    if (index) {
      fill_holes(function_, index->base, [&](const Root& part) {
        const bool saved = part.kind == Root::Kind::Scalar && part.slot;
        fixed = fixed && (saved || writes_.is_readable(part)) && writes_.is_invariant(part, loop);
        return std::string();
      });
    }
    if (!fixed) {
      return;  // It increments its place by itself: the order of increments does not matter.
    }
    auto known = llvm::find_if(groups, [&](const Scatter& group) {
      return group.array == *array && group.base == index->base;
    });
    if (known == groups.end()) {
      known = groups.insert(groups.end(), Scatter{*array, index->base, {}, 0, 0, {}});
    }
    Scatter& scatter = *known;
    scatter.loads.push_back({&load, index->constant});
  });
  for (Scatter& scatter : groups) {
    constexpr long widest = 16;
    if (measure(scatter); scatter.span > 0 && scatter.span <= widest) {
      result.push_back(std::move(scatter));
    }
  }
  // Of several arrays each place would have to be compared with all others when the loop runs.
  if (result.size() == 1) {
    leave_out_one_place(result.front());
    measure(result.front());
  }
  return result;
}

/// Gives each distinct increment an array of terms. Returns: their number.
void Scatters::name_terms(const Statement& loop, std::vector<Scatter>& scatters,
                          std::vector<ScatterTerms>& buffers) {
  for (Scatter& scatter : scatters) {
    llvm::DenseMap<const Value*, std::pair<std::string, int>> known;
    for (const auto& [load, constant] : scatter.loads) {
      const auto [source, sign] = source_of(load);
      const auto [found, is_new] = known.try_emplace(source, "", sign);
      if (is_new) {
        found->second.first = loop.inner->name + "_terms_" + std::to_string(buffers.size() + 1);
        buffers.push_back({found->second.first, speller_.adjoint_type(load->type), scatter.span});
        terms_[load] = found->second.first;
      } else {
        terms_[load] = "";
      }
      scatter.terms.push_back({found->second.first, found->second.second == sign, constant});
    }
  }
  skip_unread_adjoints(loop);
}

/// Skips the cotangents, which nothing reads, of what is computed from nothing but loads whose
/// terms are known.
void Scatters::skip_unread_adjoints(const Statement& loop) {
  const auto skipped = [&](const Value* value) {
    const auto found = terms_.find(value);
    return found != terms_.end() && found->second.empty();
  };
  for_each_statement(loop.body, [&](const Statement* statement) {
    const Value* const made = statement->value;
    const bool operation = statement->kind == Statement::Kind::Define &&
                           made->kind == Value::Kind::Operation && made->adjoint_at_use;
    if (operation && llvm::any_of(made->operands, skipped) &&
        llvm::all_of(made->operands,
                     [&](const Value* part) { return !part->active() || skipped(part); })) {
      terms_[made] = "";
    }
  });
}

/// Adds the terms of all iterations to the adjoints of the arrays.
void Scatters::gather(const Statement& loop, const std::vector<Scatter>& scatters) {
  for (const Scatter& scatter : scatters) {
    open("{");
    gather_one(loop, scatter);
    close();
  }
}

/// Adds the terms of all iterations to the adjoint of the array.
void Scatters::gather_one(const Statement& loop, const Scatter& scatter) {
  const std::string place = loop.inner->name + "_j";
  const std::string first =
      "static_cast<std::ptrdiff_t>(" + speller_.value(*loop.begin, Sweep::Reverse) + ")" +
      speller_.text(scatter.base, Sweep::Reverse) + (scatter.low < 0 ? " - " : " + ") +
      std::to_string(std::abs(scatter.low));
  const std::string adjoints = loop.inner->name + "_adjoints";
  line("auto* const " + adjoints + " = " + scatter.array + " + (" + first + ");");
  open("for (std::ptrdiff_t " + place + " = 0; " + place + " < static_cast<std::ptrdiff_t>(" +
       loop.inner->name + "_trips) + " + std::to_string(scatter.span) + "; ++" + place + ") {");
  std::string sum;
  for (const auto& [name, same_sign, constant] : scatter.terms) {
    const long shift = constant - scatter.low;
    sum += (same_sign ? (sum.empty() ? "" : " + ") : (sum.empty() ? "-" : " - ")) + name + "[" +
           place + (shift == 0 ? "" : " - " + std::to_string(shift)) + "]";
  }
  line(adjoints + "[" + place + "] += " + sum + ";");
  close();
}

const std::string* Scatters::term_of(const Value& value) const {
  const auto found = terms_.find(&value);
  return found == terms_.end() ? nullptr : &found->second;
}

}  // namespace ddx::compiler
