#include "backend/pjrt/memory_report.h"

#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/check.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/executable.h"
#include "core/call_stack/library_files.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

// Says that an error has been explained, by this or by another program.
constexpr std::string_view of_program = "; in a program of ";

struct SizedArray {
  std::size_t place;  // Among all of a program.
  std::size_t bytes;
  std::string text;
};

/// The largest parameters and results, as "parameter 0 f32[2, 3] of 24 bytes, ...".
std::string largest_arrays(const ir::Graph& graph) {
  std::vector<SizedArray> arrays;
  const auto add = [&](std::string_view role, std::span<const ir::ValueId> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ir::Type& type = graph.type(values[i]);
      arrays.push_back({arrays.size(), ir::bytes_of(type),
                        std::string(role) + " " + std::to_string(i) + " " + ir::to_string(type)});
    }
  };
  add("parameter", graph.parameters());
  add("result", graph.results());
  std::ranges::sort(arrays, [](const SizedArray& a, const SizedArray& b) {
    return std::pair(b.bytes, a.place) < std::pair(a.bytes, b.place);
  });
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(arrays.size(), most); ++i) {
    text +=
        (i == 0 ? "" : ", ") + arrays[i].text + " of " + std::to_string(arrays[i].bytes) + " bytes";
  }
  return text;
}

bool is_about_memory(std::string_view message) {
  return message.find("(RESOURCE_EXHAUSTED)") != std::string_view::npos ||
         message.find("CUDA_ERROR_OUT_OF_MEMORY") != std::string_view::npos;
}

}  // namespace

std::string memory_in_use(const Client& client) {
  std::string text;
  for (std::size_t i = 0; i < client.devices().size(); ++i) {
    if (const auto memory = client.memory(i)) {
      text += "; " + client.device(i).text + " has " + std::to_string(memory->bytes_in_use) +
              (memory->bytes_limit ? " of " + std::to_string(*memory->bytes_limit) : "") +
              " bytes in use";
    }
  }
  return text;
}

std::optional<ops::Site> site_of_user(std::span<const ops::Check> checks) noexcept {
  const auto known = std::ranges::find_if(
      checks, [](const ops::Check& check) { return is_users(check.site.where); });
  return known == checks.end() ? std::nullopt : std::optional(known->site);
}

MemoryReport::MemoryReport(std::shared_ptr<const ir::Graph> graph, const Executable& executable)
    : client_(executable.client()), graph_(std::move(graph)), memory_(executable.memory()) {}

std::string MemoryReport::text(const std::optional<ops::Site>& site) const {
  std::string text = std::string(of_program) + std::to_string(graph_->node_count()) + " operations";
  if (graph_->node_count() > 0) {
    const auto name = [&](std::size_t node) {
      return std::string(to_string(graph_->node(node).op));
    };
    text += " from " + name(0) + " to " + name(graph_->node_count() - 1);
  }
  if (site) {
    text += std::string(", with ") + site->operation + " (at " + site->where.file_name() + ":" +
            std::to_string(site->where.line()) + ")";
  }
  if (memory_) {
    text += ", which needs " + std::to_string(memory_->needed()) + " bytes, " +
            std::to_string(memory_->temporary) + " of them temporary";
  }
  const std::string arrays = largest_arrays(*graph_);
  return text + (arrays.empty() ? "" : "; the largest arrays are " + arrays) +
         memory_in_use(*client_) +
         "; a smaller batch, checkpointed layers or smaller element types need less";
}

std::exception_ptr MemoryReport::explained(std::exception_ptr error,
                                           const std::optional<ops::Site>& site) const noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const EnvironmentError& failed) {
    const std::string_view message = failed.what();
    const std::size_t colon = message.find(": ");
    if (!is_about_memory(message) || colon == std::string_view::npos ||
        message.find(of_program) != std::string_view::npos) {
      return error;
    }
    try {
      return std::make_exception_ptr(
          EnvironmentError(std::string(message.substr(0, colon)),
                           std::string(message.substr(colon + 2)) + text(site)));
    } catch (...) {  // Without memory for the report the error itself will do.
      return error;
    }
  } catch (...) {
    return error;
  }
}

}  // namespace ddx::backend::pjrt
