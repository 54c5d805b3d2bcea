#include "compiler/diagnose/loop_bounds.h"

#include "compiler/analysis/activity.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// What a range-for looks through, where `bound` is that of one.
const Path* range_of(const Value& bound) {
  const bool is_size = bound.kind == Value::Kind::Text && !bound.reads.empty() &&
                       bound.reads[0]->kind == Root::Kind::Alias &&
                       bound.text == hole(*bound.reads[0]) + ".size()";
  return is_size ? &bound.reads[0]->target : nullptr;
}

bool is_number(const Value& value) {
  return value.kind == Value::Kind::Text && !value.text.empty() &&
         llvm::all_of(value.text, llvm::isDigit);
}

/// True for different members of one object, or elements with different numbers.
bool are_apart(const Path& a, const Path& b) {
  for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
    const Step& one = a.steps[i];
    const Step& other = b.steps[i];
    if (one.field != other.field || one.base != other.base || one.part != other.part) {
      return one.field && other.field;
    }
    if (one.index.size() == 1 && other.index.size() == 1 && is_number(*one.index[0]) &&
        is_number(*other.index[0]) && one.index[0]->text != other.index[0]->text) {
      return true;
    }
  }
  return false;
}

bool writes_place(const Statement& statement) {
  return statement.kind == Statement::Kind::Vector || statement.kind == Statement::Kind::Store;
}

/// True for a write that can change what a bound reads of an object: a number, or a size.
bool writes_bound(const Statement& statement, const Root& written) {
  return written.type->isScalarType() || statement.kind == Statement::Kind::Vector ||
         (statement.kind == Statement::Kind::Store &&
          (Types::container(statement.path.type) == Container::StdVector ||
           Types::container(statement.path.type) == Container::StdDeque));
}

/// What a bound reads.
class BoundReads {
 public:
  BoundReads(const Value& bound, const Context& context) : context_(context) {
    std::vector<const Value*> pending = {&bound};
    while (!pending.empty()) {
      const Value* value = pending.back();
      pending.pop_back();
      pending.insert(pending.end(), value->operands.begin(), value->operands.end());
      for (const Root* read : value->reads) {
        add(*value, *read);
      }
      if (value->kind == Value::Kind::Load) {
        reads_.push_back({value->path.root, &value->path, nullptr});
      }
    }
  }

  /// True where `statement`, which writes `written`, may write what is read.
  bool contain(const Root* written, const Statement& statement) const {
    const bool known = writes_place(statement) && statement.path.root == written;
    return llvm::any_of(reads_, [&](const Read& read) {
      const auto apart = [&] {
        return read.place ? are_apart(*read.place, statement.path)
                          : read.text && reads_others(read.text->text, *written, statement.path);
      };
      return read.root == written && !(known && apart());
    });
  }

 private:
  struct Read {
    const Root* root = nullptr;
    const Path* place = nullptr;  ///< What is read of the root, where that is known.
    const Value* text = nullptr;  ///< Or the text that reads it.
  };

  void add(const Value& value, const Root& read) {
    if (read.kind == Root::Kind::Alias) {
      reads_.push_back({read.target.root, &read.target, &value});
      return;
    }
    // What an alias denotes is read by that name alone.
    const bool by_name = !llvm::StringRef(value.text).contains(hole(read)) &&
                         llvm::any_of(value.reads, [&](const Root* other) {
                           return other->kind == Root::Kind::Alias && other->target.root == &read;
                         });
    if (!by_name) {
      reads_.push_back({&read, nullptr, &value});
    }
  }

  /// True where `text` reads members of `root` other than that in which `written` lies.
  bool reads_others(const std::string& text, const Root& root, const Path& written) const {
    const clang::FieldDecl* const field = written.steps.empty() ? nullptr : written.steps[0].field;
    const std::string name = hole(root);
    bool found = false;
    for (std::size_t at = text.find(name); field && at != std::string::npos;
         at = text.find(name, at + 1)) {
      llvm::StringRef rest = llvm::StringRef(text).drop_front(at + name.size());
      rest = rest.drop_while([](char c) { return c == ')'; });
      const llvm::StringRef member =
          rest.consume_front(".")
              ? rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
              : llvm::StringRef();
      const bool called = rest.drop_front(member.size()).starts_with("(");
      if (member.empty() || called || member == context_.names.field(field)) {
        return false;
      }
      found = true;
    }
    return found;
  }

  const Context& context_;
  std::vector<Read> reads_;
};

}  // namespace

bool changes_bound(const Statement& loop, const Context& context) {
  const BoundReads bound(*loop.end, context);
  const Path* const ranged = range_of(*loop.end);
  bool changes = false;
  for_each_statement(loop.body, [&](const Statement* statement) {
    const bool inside =
        ranged && writes_place(*statement) && statement->path.steps.size() > ranged->steps.size();
    if (inside) {
      return;  // An element of what a range-for looks through.
    }
    for_each_write(*statement, [&](const Root* written) {
      changes =
          changes || (writes_bound(*statement, *written) && bound.contain(written, *statement));
    });
  });
  return changes;
}

}  // namespace ddx::compiler
