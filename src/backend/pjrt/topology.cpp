#include "backend/pjrt/topology.h"

#include "backend/pjrt/api.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/program_text.h"

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr const char* compiling_ahead = "compile for a device that is not here";

}  // namespace

Topology::Topology(std::shared_ptr<const Plugin> plugin, std::span<const Named> options)
    : plugin_(std::move(plugin)) {
  const std::vector<NamedValue> raw = to_raw(options);
  TopologyDescriptionCreateArgs args{
      .head = {}, .name = "", .options = raw.data(), .option_count = raw.size()};
  plugin_->api().call(compiling_ahead, args);
  raw_ = args.topology;
}

Topology::~Topology() {
  TopologyDescriptionDestroyArgs destroy{.head = {}, .topology = raw_};
  plugin_->api().call_to_destroy(destroy);
}

ProgramMemory Topology::compile(const ProgramText& program, std::string_view options) const {
  const Api& api = plugin_->api();
  Extended<Program> text = to_raw(program);
  const Nested nested = api.nested(text);
  CompileArgs args{.head = {},
                   .topology = raw_,
                   .program = &text.value,
                   .options = options.data(),
                   .options_size = options.size()};
  Api::throw_unless_ok(compiling_ahead, api.try_call(args, nested));
  const auto destroy = [&api](RawExecutable* executable) {
    ExecutableDestroyArgs done{.head = {}, .executable = executable};
    api.call_to_destroy(done);
  };
  const std::unique_ptr<RawExecutable, decltype(destroy)> owner(args.executable, destroy);
  return memory_of(api, args.executable).value_or(ProgramMemory{});
}

}  // namespace ddx::backend::pjrt
