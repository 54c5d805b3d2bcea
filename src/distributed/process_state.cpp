#include "distributed/process_state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace ddx::distributed {
namespace {

struct StatusLine {
  char state = 'R';
  std::uint64_t start_time = 0;
};

/// The third and the 22nd field of /proc/N/stat; the second one, a name in brackets, may contain
/// anything.
std::optional<StatusLine> status_of(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(text.substr(name_end + 1));
  StatusLine line;
  fields >> line.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) {
    fields >> skipped;
  }
  fields >> line.start_time;
  return line;
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

template <std::size_t size>
void copy_text(std::string_view text, std::array<char, size>& into) {
  std::copy_n(text.begin(), std::min(text.size(), size - 1), into.begin());
}

}  // namespace

ProcessIdentity this_process() {
  ProcessIdentity identity;
  identity.process = getpid();
  identity.start_time = status_of(identity.process).value_or(StatusLine{}).start_time;
  std::error_code ignored;
  copy_text(first_line("/proc/sys/kernel/random/boot_id") + " " +
                std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string(),
            identity.machine);
  gethostname(identity.host.data(), identity.host.size() - 1);
  return identity;
}

ProcessState state_of(const ProcessIdentity& process) {
  const auto status = status_of(process.process);
  if (!status) {
    return status_of(getpid()) ? ProcessState::Ended : ProcessState::Runs;
  }
  if (status->start_time != process.start_time || status->state == 'Z' || status->state == 'X') {
    return ProcessState::Ended;
  }
  return status->state == 'T' || status->state == 't' ? ProcessState::Stopped : ProcessState::Runs;
}

std::string to_string(const ProcessIdentity& process) {
  return "process " + std::to_string(process.process) + " on " + process.host.data();
}

}  // namespace ddx::distributed
