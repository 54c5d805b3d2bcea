#include "backend/pjrt/added_variable.h"

#include <algorithm>
#include <cstddef>
#include <forward_list>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// An array of variables that stays, since a thread may still read it.
char** kept(std::vector<char*> variables) {
  static auto* const all = new std::forward_list<std::vector<char*>>;
  all->push_front(std::move(variables));
  return all->front().data();
}

}  // namespace

AddedVariable::AddedVariable(const char* assignment) {
  const std::string_view text = assignment;
  const std::string_view begin = text.substr(0, text.find('=') + 1);
  std::vector<char*> variables;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    if (std::string_view(*one).starts_with(begin)) {
      return;
    }
    variables.push_back(*one);
  }
  count_ = variables.size();
  variables.push_back(const_cast<char*>(assignment));  // Only read.
  variables.push_back(nullptr);
  with_it_ = kept(std::move(variables));
  before_ = environ;
  environ = with_it_;
}

AddedVariable::~AddedVariable() {
  // `setenv` changes an entry of the array, or makes another one; `unsetenv` moves entries.
  if (with_it_ != nullptr && environ == with_it_ && with_it_[count_ + 1] == nullptr &&
      std::equal(with_it_, with_it_ + count_, before_)) {
    environ = before_;
  }
}

}  // namespace ddx::backend::pjrt
