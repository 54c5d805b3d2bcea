#include "comparison.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/io/safetensors.h"

#include "process.h"
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Measurement, name, framework, mode, device, dtype,
                                                threads, median_ms, min_ms, compile_s, peak_rss_mb,
                                                losses, flops, fma_gflops, plan_ms, loop_ms, loops,
                                                loaded_loops, operations, record_ms, dispatch_ms,
                                                device_kind)

namespace {

/// The numbers of a program that prints JSON. Throws InternalError if it fails.
nlohmann::json json_of(const std::string& name, const std::vector<std::string>& command,
                       int threads) {
  const auto [status, output] = run(command, threads, false);
  if (status != 0) {
    throw InternalError("bench " + name,
                        "the measuring process ended with " + std::to_string(status));
  }
  return nlohmann::json::parse(output);
}

/// Throws: InternalError if the two took different steps.
void check_losses(const Measurement& own, const Measurement& other) {
  constexpr std::size_t compared = 2;
  const double tolerance = own.dtype == "bf16" ? 2e-2 : 3e-5;
  for (std::size_t i = 0; i < compared; ++i) {
    const double expected = other.losses.at(i);
    if (!(std::abs(own.losses.at(i) - expected) <= tolerance * (1 + std::abs(expected)))) {
      throw InternalError(
          "bench " + own.name,
          fmt::format("step {} in {} with {} threads: the loss is {}, by {} {} it is {}", i,
                      own.dtype, own.threads, own.losses.at(i), other.framework, other.mode,
                      expected));
    }
  }
}

}  // namespace

std::vector<Peer> peers_of(const std::string& python, const std::string& beginning,
                           const std::string& device) {
  if (python.empty()) {
    return {};
  }
  const std::string folder = DDX_BENCH_BASELINES;
  std::vector<Peer> peers;
  const auto add = [&](const Peer& peer, const std::string& condition, const std::string& lack) {
    if (!peer.name.starts_with(beginning)) {
      return;
    }
    if (run({python, "-c", condition}, 0, true).status == 0) {
      peers.push_back(peer);
    } else {
      fmt::print(stderr, "bench_models: no {}: '{}' {}\n", peer.name, python, lack);
    }
  };
  const std::string torch = folder + "/bench_torch.py";
  const bool is_gpu = device == "cuda";
  const std::string import_torch =
      is_gpu ? "import torch; assert torch.cuda.is_available()" : "import torch";
  const std::string elsewhere = is_gpu ? ", or finds no GPU with it" : "";
  add({"torch", torch, "eager", device}, import_torch, "cannot import torch" + elsewhere);
  add({"torch compile", torch, "compile", device},
      import_torch + "; import shutil; assert shutil.which('g++') and torch.compile",
      "has no torch, or finds no g++, which it compiles with" + elsewhere);
  add({"jax", folder + "/bench_jax_models.py", "jit", device},
      is_gpu ? "import jax; jax.devices('cuda')" : "import jax", "cannot import jax" + elsewhere);
  return peers;
}

void verify_apart(const std::string& name, const std::vector<std::string>& devices) {
  std::vector<std::string> command{"/proc/self/exe", "--verify-here", name};
  for (const std::string& device : devices) {
    command.insert(command.end(), {"--device", device});
  }
  const int status = run(command, 0, false).status;
  if (status != 0) {
    throw InternalError("bench " + name,
                        "the verifying process ended with " + std::to_string(status));
  }
}

void write_content(const std::string& name, const std::filesystem::path& file) {
  io::write_safetensors(
      file, {.tensors = workload(name, {.device = Device::cpu()}).content(), .metadata = {}});
}

std::vector<Measurement> compare(const Configuration& configuration,
                                 const std::vector<std::string>& devices, const std::string& python,
                                 const std::vector<Peer>& peers,
                                 const std::filesystem::path& content) {
  const auto& [name, device, dtype, threads, seconds, loop_folder] = configuration;
  const std::vector<std::string> what{"--dtype",   dtype,
                                      "--threads", std::to_string(threads),
                                      "--seconds", fmt::format("{}", seconds)};
  std::vector<std::string> command;
  std::vector<Measurement> rows;
  for (const std::string& own : devices) {
    command = {"/proc/self/exe", "--child",  name, "--child-device", own,
               "--loop-folder",  loop_folder};
    command.insert(command.end(), what.begin(), what.end());
    rows.push_back(json_of(name, command, threads).get<Measurement>());
    check_losses(rows.front(), rows.back());
  }
  for (const Peer& peer : peers) {
    command = {python,    peer.script, "--workload", name,        "--mode",
               peer.mode, "--device",  peer.device,  "--content", content.string()};
    command.insert(command.end(), what.begin(), what.end());
    const auto [status, output] = run(command, threads, false);
    if (status != 0) {
      fmt::print(stderr, "bench_models: {} failed on {} in {} with {} threads\n", peer.name, name,
                 dtype, threads);
      continue;
    }
    auto row = nlohmann::json::parse(output).get<Measurement>();
    check_losses(rows.front(), row);
    rows.push_back(std::move(row));
  }
  return rows;
}

double roof_apart(const std::string& dtype, int threads) {
  return json_of("roof", {"/proc/self/exe", "--roof", "--dtype", dtype}, threads).get<double>();
}

std::string to_json(const Measurement& measurement) {
  return nlohmann::json(measurement).dump();
}

}  // namespace ddx::bench
