#include "ddx/models/files/file_kind_options.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/mapped_file.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

/// How many bytes at an end are looked at for those that are no blanks.
constexpr std::size_t searched_bytes = 4096;
constexpr std::int32_t absent_byte = 256;

bool is_blank(std::uint8_t byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

}  // namespace

namespace detail {

const FileKindOptions& checked(const FileKindOptions& options) {
  constexpr const char* name = "FileKind";
  nn::detail::require_positive(name, "kinds", options.kinds);
  nn::detail::require_positive(name, "end", options.end);
  nn::detail::require_positive(name, "features", options.features);
  nn::detail::require_positive(name, "group", options.group);
  nn::detail::require_positive(name, "channels", options.channels);
  nn::detail::require_positive(name, "kernel", options.kernel);
  nn::detail::require_divisor(name, "group", options.group, "2 end", 2 * options.end);
  nn::detail::require_at_least(name, "2 end / group", 2 * options.end / options.group,
                               options.kernel);
  return options;
}

}  // namespace detail

std::vector<std::int32_t> file_bytes(std::span<const std::uint8_t> content,
                                     const FileKindOptions& options) {
  const std::size_t searched = std::min(content.size(), searched_bytes);
  const auto first = content.first(searched);
  const auto last = content.last(searched);
  const auto begin = std::ranges::find_if_not(first, is_blank);
  const auto end = std::find_if_not(last.rbegin(), last.rend(), is_blank).base();
  const auto most = static_cast<std::ptrdiff_t>(options.end);
  std::vector<std::int32_t> result(begin, begin + std::min(most, first.end() - begin));
  result.resize(static_cast<std::size_t>(options.end), absent_byte);
  const std::ptrdiff_t kept = std::min(most, end - last.begin());
  result.resize(static_cast<std::size_t>(2 * most - kept), absent_byte);
  result.insert(result.end(), end - kept, end);
  return result;
}

std::vector<std::int32_t> file_bytes(const std::filesystem::path& file,
                                     const FileKindOptions& options) {
  return file_bytes(MappedFile(file, "file_bytes").bytes(), options);
}

template <>
FileKindOptions options_from<FileKindOptions>(const ModelConfiguration& configuration) {
  const FileKindOptions absent;
  configuration.require("mid_size", 0);
  configuration.require("use_inputs_at_offsets", false);
  configuration.require("padding_token", absent_byte);
  configuration.require("block_size", static_cast<int>(searched_bytes));
  FileKindOptions options{
      .kinds = static_cast<std::int64_t>(configuration.texts("target_labels_space").size()),
      .end = configuration.integer("beg_size", absent.end)};
  configuration.require("end_size", options.end);
  return options;
}

NameRules name_rules(const FileKindOptions& /*options*/) {
  const std::string start = "jax2tf_get_logits_/";
  const std::string model = start + "pjit_get_logits_/MagikaV2/";
  // Biases and scales have axes for what they are added to, and the convolution has two axes.
  const auto rule = [](std::string ours, std::string theirs, Layout layout = Layout::Same) {
    return NameRule{.ours = std::move(ours),
                    .theirs = {std::move(theirs)},
                    .layout = layout,
                    .ignores_unit_axes = true};
  };
  return {.rules = {rule("bytes.weight", start + "Const:0"),
                    rule("byte_bias", model + "Dense_0/Reshape:0"),
                    rule("place_norm.scale", model + "LayerNorm_0/Reshape_2:0"),
                    rule("place_norm.offset", model + "LayerNorm_0/Reshape_3:0"),
                    rule("convolution.filter", model + "Conv_0/transpose_3:0", Layout::Filter),
                    rule("convolution.bias", "const_fold_opt__209"),
                    rule("norm.scale", model + "LayerNorm_1/Reshape_2:0"),
                    rule("norm.offset", model + "LayerNorm_1/Reshape_3:0"),
                    rule("head.weight", start + "Const_24:0"),
                    rule("head.bias", model + "Dense_1/Reshape:0")},
          // Constants of the arithmetic and of shapes.
          .ignored = {"ConstantFolding/{*}", "begin_masked__{*}", "const_{*}", "end_masked__{*}",
                      "slice_axes__{*}", start + "Const{*}", start + "pjit_get_logits_/pjit{*}",
                      model + "Conv_0/strided_slice/{*}"}};
}

}  // namespace ddx::models
