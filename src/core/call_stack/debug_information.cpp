#include "core/call_stack/debug_information.h"

#include "core/call_stack/libdw.h"

#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <filesystem>
#include <link.h>
#include <ranges>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx {
namespace {

/// Looks for files apart by the number of the build alone: the standard way may ask servers.
int find_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                    const char* file, const char* link, GElf_Word checksum, char** found) {
  return libdw()->dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum,
                                               found);
}

const Dwfl_Callbacks& callbacks(const Libdw& library) {
  static const Dwfl_Callbacks made{.find_elf = library.dwfl_linux_proc_find_elf,
                                   .find_debuginfo = find_debug_file,
                                   .section_address = nullptr,
                                   .debuginfo_path = nullptr};
  return made;
}

/// Of an entry, and what libdw knows about it.
class Entry {
 public:
  Entry(const Libdw& library, Dwarf_Die& die) noexcept : library_(library), die_(die) {}

  [[nodiscard]] int tag() const { return library_.dwarf_tag(&die_); }

  /// The name of a function, as the linker knows it where that is stated.
  [[nodiscard]] std::string function() const {
    Dwarf_Attribute attribute;
    const char* name = nullptr;
    if (library_.dwarf_attr_integrate(&die_, DW_AT_linkage_name, &attribute) != nullptr) {
      name = library_.dwarf_formstring(&attribute);
    }
    if (name == nullptr) {
      name = library_.dwarf_diename(&die_);
    }
    return name == nullptr ? "" : name;
  }

  [[nodiscard]] Dwarf_Word number(unsigned attribute_name) const {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (library_.dwarf_attr(&die_, attribute_name, &attribute) == nullptr ||
        library_.dwarf_formudata(&attribute, &value) != 0) {
      return 0;
    }
    return value;
  }

 private:
  const Libdw& library_;
  Dwarf_Die& die_;
};

/// Answers that are kept; a program asks for some ten where it catches an error.
constexpr std::size_t most_answers = 4096;

LibraryChanges library_changes() {
  LibraryChanges changes;
  (void)dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        *static_cast<LibraryChanges*>(found) = {library->dlpi_adds, library->dlpi_subs};
        return 1;  // The counts are the same in all.
      },
      &changes);
  return changes;
}

/// The unit that an address was compiled in; null where none is stated. Clang makes no index of
/// addresses, so all units are asked.
Dwarf_Die* unit_of(const Libdw& library, Dwfl_Module* module, Dwarf_Addr address,
                   Dwarf_Addr& bias) {
  Dwarf_Die* unit = nullptr;
  while ((unit = library.dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    if (library.dwarf_haspc(unit, address - bias) == 1) {
      return unit;
    }
  }
  return nullptr;
}

/// Appends the functions and blocks around an address, those in others behind them; false where
/// there is none. (What libdw has for that finds none where an inlined function was written in
/// another one.)
bool add_scopes(const Libdw& library, Dwarf_Die& around, Dwarf_Addr address,
                std::vector<Dwarf_Die>& scopes) {
  Dwarf_Die child;
  int state = library.dwarf_child(&around, &child);
  for (; state == 0; state = library.dwarf_siblingof(&child, &child)) {
    const int tag = library.dwarf_tag(&child);
    if (tag == DW_TAG_namespace) {
      if (add_scopes(library, child, address, scopes)) {
        return true;
      }
    } else if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
                tag == DW_TAG_lexical_block) &&
               library.dwarf_haspc(&child, address) == 1) {
      scopes.push_back(child);
      (void)add_scopes(library, child, address, scopes);
      return true;
    }
  }
  return false;
}

/// Whether the functions of a unit are described in another file.
bool is_skeleton(const Libdw& library, Dwarf_Die* unit) {
  return library.dwarf_tag(unit) == DW_TAG_skeleton_unit ||
         library.dwarf_hasattr(unit, DW_AT_dwo_name) != 0 ||
         library.dwarf_hasattr(unit, DW_AT_GNU_dwo_name) != 0;
}

/// A path without detours, as by the folder that the compiler ran in.
std::string normal(const char* file) {
  return std::filesystem::path(file).lexically_normal();
}

/// The place that the table of lines states, without its function.
SourcePlace place_in_table(const Libdw& library, Dwarf_Die* unit, Dwarf_Addr address) {
  SourcePlace place;
  if (Dwarf_Line* const row = library.dwarf_getsrc_die(unit, address)) {
    if (const char* const file = library.dwarf_linesrc(row, nullptr, nullptr)) {
      place.file = normal(file);
    }
    (void)library.dwarf_lineno(row, &place.line);
  }
  return place;
}

/// The place from which a function was inlined, without its function.
SourcePlace place_of_inlining(const Libdw& library, Dwarf_Die* unit, const Entry& inlined) {
  SourcePlace place;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto number = static_cast<std::size_t>(inlined.number(DW_AT_call_file));
  if (library.dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count) {
    if (const char* const file = library.dwarf_filesrc(files, number, nullptr, nullptr)) {
      place.file = normal(file);
    }
  }
  place.line = static_cast<int>(inlined.number(DW_AT_call_line));
  return place;
}

}  // namespace

DebugInformation::DebugInformation(const Libdw& library)
    : library_(library), session_(nullptr, library.dwfl_end) {}

void DebugInformation::update() {
  const LibraryChanges now = library_changes();
  if (now != changes_ || places_.size() + symbols_.size() > most_answers) {
    places_.clear();
    symbols_.clear();
    changes_ = now;
  }
}

Dwfl_Module* DebugInformation::module_of(std::uintptr_t address) {
  if (session_ == nullptr) {
    session_.reset(library_.dwfl_begin(&callbacks(library_)));
    if (session_ == nullptr) {
      return nullptr;
    }
    (void)library_.dwfl_linux_proc_report(session_.get(), getpid());
    (void)library_.dwfl_report_end(session_.get(), nullptr, nullptr);
  }
  return library_.dwfl_addrmodule(session_.get(), address);
}

const InstructionPlaces& DebugInformation::places_at(std::uintptr_t address) {
  const auto known = places_.find(address);
  return known != places_.end() ? known->second
                                : places_.emplace(address, find_places(address)).first->second;
}

InstructionPlaces DebugInformation::find_places(std::uintptr_t address) {
  Dwfl_Module* const module = module_of(address);
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = module == nullptr ? nullptr : unit_of(library_, module, address, bias);
  if (unit == nullptr) {
    return {};
  }
  InstructionPlaces all{.places = {}, .is_complete = !is_skeleton(library_, unit)};
  SourcePlace place = place_in_table(library_, unit, address - bias);
  if (place.file.empty()) {
    return {};
  }
  std::vector<Dwarf_Die> scopes;
  (void)add_scopes(library_, *unit, address - bias, scopes);
  for (Dwarf_Die& die : scopes | std::views::reverse) {
    const Entry entry(library_, die);
    if (entry.tag() == DW_TAG_inlined_subroutine) {
      place.function = entry.function();
      all.places.push_back(std::move(place));
      place = place_of_inlining(library_, unit, entry);
    }
  }
  place.function = symbol_at(address);
  all.places.push_back(std::move(place));
  return all;
}

const std::string& DebugInformation::symbol_at(std::uintptr_t address) {
  const auto known = symbols_.find(address);
  if (known != symbols_.end()) {
    return known->second;
  }
  const char* name = nullptr;
  if (Dwfl_Module* const module = module_of(address)) {
    GElf_Off offset = 0;
    GElf_Sym symbol;
    name =
        library_.dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  }
  return symbols_.emplace(address, name == nullptr ? "" : name).first->second;
}

}  // namespace ddx
