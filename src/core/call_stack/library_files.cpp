#include "core/call_stack/library_files.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <source_location>
#include <string_view>

namespace ddx {
namespace {

using std::string_view_literals::operator""sv;

/// The folder of the library's sources, with a slash at its end, as it was compiled.
std::string_view source_folder() noexcept {
  constexpr std::string_view own = std::source_location::current().file_name();
  constexpr std::size_t length = own.find("core/call_stack/");
  static_assert(length != std::string_view::npos);
  return own.substr(0, length);
}

bool contains(std::string_view text, std::string_view part) noexcept {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool is_of_library(std::string_view file) noexcept {
  return contains(file, "include/ddx/") || file.starts_with(source_folder());
}

bool is_users(const std::source_location& where) noexcept {
  return where.line() != 0 && !is_of_library(where.file_name());
}

bool is_of_standard_library(std::string_view file) noexcept {
  return contains(file, "/include/c++/");
}

bool is_of_derivatives(std::string_view file) noexcept {
  return contains(file, "<derivatives>") || contains(file, ".derivatives.");
}

bool is_library_symbol(std::string_view name) noexcept {
  if (!name.starts_with("_Z")) {
    return false;
  }
  name.remove_prefix(2);
  // Of something local, nested, const.
  name.remove_prefix(std::min(name.find_first_not_of("ZNK"), name.size()));
  // S, and a small letter: namespace std, and what has a short name in it.
  return name.starts_with("3ddx") || name.starts_with("9__gnu_cxx") ||
         (name.size() > 1 && name[0] == 'S' && "tabsiod"sv.find(name[1]) != std::string_view::npos);
}

bool is_derivative(std::string_view name) noexcept {
  const std::size_t place = name.find("ddx_");
  // In a mangled name its length stands before it.
  return place == 0 || (place != std::string_view::npos &&
                        std::isdigit(static_cast<unsigned char>(name[place - 1])) != 0);
}

}  // namespace ddx
