#include "ddx/io/chrome_trace.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/io/atomic_file.h"
#include "ddx/tensor/span_recording.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

using nlohmann::json;

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// The arguments that are shown beside a span.
json arguments_of(const Span& span) {
  json arguments = json::object();
  if (span.kind != SpanKind::Pass) {
    arguments["operations"] = span.operations;
  }
  if (span.kernel != nullptr) {
    const KernelInfo& kernel = *span.kernel;
    arguments["names"] = kernel.operations;
    arguments["types"] = kernel.types;
    arguments["line"] = kernel.line;
    arguments["flops"] = kernel.work.flops;
    arguments["bytes read"] = kernel.work.bytes_read;
    arguments["bytes written"] = kernel.work.bytes_written;
  }
  return arguments;
}

std::string name_of(const Span& span) {
  if (span.kernel == nullptr) {
    return std::string(span.name);
  }
  return span.kernel->operation_count == 1
             ? span.kernel->operations
             : "loop of " + std::to_string(span.kernel->operation_count);
}

json event_of(const Span& span, std::chrono::steady_clock::time_point origin) {
  return {{"name", name_of(span)},
          {"cat", std::string(to_string(span.kind))},
          {"ph", "X"},
          {"ts", microseconds(span.begin - origin)},
          {"dur", microseconds(span.end - span.begin)},
          {"pid", 1},
          {"tid", span.thread},
          {"args", arguments_of(span)}};
}

json thread_name(std::uint32_t thread) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", 1},
          {"tid", thread},
          {"args", {{"name", "thread " + std::to_string(thread)}}}};
}

}  // namespace

ChromeTrace::ChromeTrace(std::filesystem::path file) : file_(std::move(file)) {}

ChromeTrace::~ChromeTrace() {
  try {
    if (!is_written_ || recording_.spans().size() > written_) {
      write();
    }
  } catch (...) {
    // A destructor cannot report it.
  }
}

void ChromeTrace::write() try {
  const std::vector<Span> spans = recording_.spans();
  json events = json::array();
  std::set<std::uint32_t> threads;
  for (const Span& span : spans) {
    if (threads.insert(span.thread).second) {
      events.push_back(thread_name(span.thread));
    }
    events.push_back(event_of(span, recording_.begin()));
  }
  const json document = {{"traceEvents", std::move(events)},
                         {"displayTimeUnit", "ms"},
                         {"otherData", {{"lost", recording_.lost()}}}};
  // A path in a line of the program need not be UTF-8.
  const std::string text = document.dump(1, ' ', false, json::error_handler_t::replace);
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  write_file_atomically(file_, bytes, "chrome trace");
  written_ = spans.size();
  is_written_ = true;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("ChromeTrace");
}

}  // namespace ddx::io
