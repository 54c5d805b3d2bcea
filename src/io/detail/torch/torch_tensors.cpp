#include "io/detail/torch/torch_tensors.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include "io/detail/refusal.h"
#include "io/detail/stored_shape.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"
#include "io/detail/torch/torch_names.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

constexpr std::size_t most_levels = 64;
/// What a path and its tensor take beside the text.
constexpr std::uint64_t bytes_of_path = 64;
constexpr std::uint64_t bytes_of_tensor = 2 * sizeof(TorchTensor);

class TensorCollector {
 public:
  TensorCollector(const PickleValues& values, ContentBudget& budget, const Refusal& refuse)
      : values_(values), budget_(budget), refuse_(refuse) {}

  std::vector<TorchTensor> collect() {
    visit(values_.root, "", 0);
    return std::move(tensors_);
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    refuse_(facts);
    throw InternalError("read_torch", "a refusal returned");
  }
  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    fail("array \"" + printable(name) + "\": " + facts);
  }

  // Paths.

  void visit(PickleIndex index, const std::string& path, std::size_t level) {
    // Of values that are shared each path counts: there may be many more than values.
    budget_.take(bytes_of_path + path.size());
    if (level > most_levels) {
      fail("its values nest deeper than " + std::to_string(most_levels) + " levels");
    }
    const auto& value = values_[index];
    const auto below = [&](const std::string& name) {
      return path.empty() && level == 0 ? name : path + "." + name;
    };
    switch (value.kind) {
      case PickleKind::Dictionary:
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
          if (may_have_tensors(value.items[i + 1])) {
            visit(value.items[i + 1], below(key(value.items[i], path)), level + 1);
          }
        }
        return;
      case PickleKind::List:
      case PickleKind::Tuple:
        for (std::size_t i = 0; i < value.items.size(); ++i) {
          if (may_have_tensors(value.items[i])) {
            visit(value.items[i], below(std::to_string(i)), level + 1);
          }
        }
        return;
      case PickleKind::Call:
        return visit_call(value, path, level);
      case PickleKind::None:
      case PickleKind::Boolean:
      case PickleKind::Integer:
      case PickleKind::LargeInteger:
      case PickleKind::Real:
      case PickleKind::Text:
      case PickleKind::Bytes:
      case PickleKind::Global:
      case PickleKind::Persistent:
        return;
    }
  }

  [[nodiscard]] bool may_have_tensors(PickleIndex index) const {
    const auto kind = values_[index].kind;
    return kind == PickleKind::Dictionary || kind == PickleKind::List ||
           kind == PickleKind::Tuple || kind == PickleKind::Call;
  }

  [[nodiscard]] std::string key(PickleIndex index, const std::string& path) const {
    const auto& value = values_[index];
    if (value.kind == PickleKind::Text) {
      return std::string(value.text);
    }
    if (value.kind != PickleKind::Integer) {
      fail("a key below \"" + printable(path) + "\" is neither a text nor an integer");
    }
    return std::to_string(value.integer);
  }

  void visit_call(const PickleValue& call, const std::string& path, std::size_t level) {
    const auto& function = values_[call.items[0]];
    const auto& arguments = values_[call.items[1]].items;
    if (function.text == "torch" && (function.member == "Size" || function.member == "device")) {
      return;
    }
    if (function.member == "_rebuild_parameter" ||
        function.member == "_rebuild_parameter_with_state") {
      if (arguments.empty() || values_[arguments[0]].kind != PickleKind::Call) {
        fail(path, "a parameter without a tensor");
      }
      return visit(arguments[0], path, level + 1);
    }
    if (function.text != "torch._utils") {
      fail(path, "a call of " + std::string(function.text) + "." + std::string(function.member));
    }
    budget_.take(bytes_of_tensor + path.size());
    if (!names_.insert(path).second) {
      fail(path, "named twice");
    }
    tensors_.push_back(tensor(path, function.member, arguments));
  }

  // Tensors.

  /// Arguments of `_rebuild_tensor`: storage, offset, size, strides; those of `_v2` are followed by
  /// requires_grad, hooks and, if there is any, metadata; in `_v3` the element type is before that.
  TorchTensor tensor(const std::string& name, std::string_view function,
                     const std::vector<PickleIndex>& arguments) {
    const bool is_v3 = function == "_rebuild_tensor_v3";
    const std::size_t before_metadata = function == "_rebuild_tensor" ? 4 : is_v3 ? 7 : 6;
    if (arguments.size() != before_metadata &&
        (function == "_rebuild_tensor" || arguments.size() != before_metadata + 1)) {
      fail(name, std::to_string(arguments.size()) + " arguments of " + std::string(function));
    }
    TorchTensor result;
    result.name = name;
    const auto* const type =
        is_v3 ? untyped_storage(arguments[0], arguments[6], result) : storage(arguments[0], result);
    if (!type->dtype) {
      result.obstacle = "dtype torch." + std::string(type->name) + " is not supported";
      return result;
    }
    if (arguments.size() > before_metadata) {
      read_metadata(arguments[before_metadata], result);
    }
    result.dtype = *type->dtype;
    read_extents(arguments, result);
    return result;
  }

  /// The type of memory of a storage; sets the storage and the number of its elements.
  const PickleValue& storage_type(PickleIndex index, TorchTensor& into) const {
    const auto& value = values_[index];
    const auto* const id =
        value.kind == PickleKind::Persistent ? &values_[value.items[0]] : nullptr;
    if (id == nullptr || id->kind != PickleKind::Tuple || id->items.size() != 5 ||
        values_[id->items[0]].text != "storage" ||
        values_[id->items[1]].kind != PickleKind::Global ||
        values_[id->items[2]].kind != PickleKind::Text) {
      fail(into.name, "its storage is not as PyTorch writes it");
    }
    into.storage = values_[id->items[2]].text;
    into.storage_bytes = static_cast<std::uint64_t>(natural(id->items[4], into.name, "storage"));
    return values_[id->items[1]];
  }

  const TorchDType* storage(PickleIndex index, TorchTensor& into) const {
    const auto& global = storage_type(index, into);
    const auto* const type = global.text == "torch" ? torch_storage(global.member) : nullptr;
    if (type == nullptr) {
      fail(into.name, "its storage is of type " + std::string(global.member));
    }
    const auto size = std::uint64_t{info(*type->dtype).bytes};
    if (into.storage_bytes > static_cast<std::uint64_t>(Shape::max_count)) {
      fail(into.name, "a storage of " + std::to_string(into.storage_bytes) + " elements");
    }
    into.storage_bytes *= size;
    return type;
  }

  const TorchDType* untyped_storage(PickleIndex index, PickleIndex dtype, TorchTensor& into) const {
    const auto& global = storage_type(index, into);
    const auto& named = values_[dtype];
    const auto* const type = named.kind == PickleKind::Global && named.text == "torch"
                                 ? torch_dtype(named.member)
                                 : nullptr;
    if (global.member != "UntypedStorage" || type == nullptr) {
      fail(into.name, "its storage and dtype are not as PyTorch writes them");
    }
    return type;
  }

  /// Bits of the tensor that its elements do not show, such as `conj`.
  void read_metadata(PickleIndex index, TorchTensor& into) const {
    const auto& metadata = values_[index];
    if (metadata.kind == PickleKind::None) {
      return;
    }
    if (metadata.kind != PickleKind::Dictionary) {
      fail(into.name, "its metadata are no dictionary");
    }
    for (std::size_t i = 0; i + 1 < metadata.items.size(); i += 2) {
      const auto& set = values_[metadata.items[i + 1]];
      if (set.kind != PickleKind::Boolean || set.integer != 0) {
        into.obstacle = "its elements are to be read with \"" +
                        printable(values_[metadata.items[i]].text) + "\", which is not supported";
      }
    }
  }

  [[nodiscard]] std::int64_t natural(PickleIndex index, const std::string& name,
                                     const char* what) const {
    const auto& value = values_[index];
    if (value.kind != PickleKind::Integer || value.integer < 0) {
      fail(name, std::string("a number of its ") + what + " is no natural number");
    }
    return value.integer;
  }

  [[nodiscard]] const std::vector<PickleIndex>& tuple(PickleIndex index, const std::string& name,
                                                      const char* what) const {
    const auto& value = values_[index];
    if (value.kind != PickleKind::Tuple) {
      fail(name, std::string("its ") + what + " is no tuple");
    }
    return value.items;
  }

  /// Offset, shape and strides. All elements must lie in the storage.
  void read_extents(const std::vector<PickleIndex>& arguments, TorchTensor& into) {
    const auto& name = into.name;
    const auto& sizes = tuple(arguments[2], name, "size");
    const auto& steps = tuple(arguments[3], name, "strides");
    if (sizes.size() > Shape::max_rank || sizes.size() != steps.size()) {
      fail(name, std::to_string(sizes.size()) + " axes with " + std::to_string(steps.size()) +
                     " strides, at most " + std::to_string(Shape::max_rank) + " are supported");
    }
    into.offset = static_cast<std::uint64_t>(natural(arguments[1], name, "offset"));
    std::array<Shape::Extent, Shape::max_rank> extents{};
    std::int64_t product = 1;  // Of the extents other than 0.
    std::uint64_t last = into.offset;
    bool is_empty = false;
    bool is_inside = true;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      extents[axis] = natural(sizes[axis], name, "size");
      into.strides[axis] = natural(steps[axis], name, "strides");
      const auto factor = extents[axis] == 0 ? 1 : extents[axis];
      is_empty = is_empty || extents[axis] == 0;
      if (factor > Shape::max_count / product) {
        fail(name, "its size is too large");
      }
      product *= factor;
      std::uint64_t distance = 0;
      is_inside =
          is_inside &&
          !__builtin_mul_overflow(static_cast<std::uint64_t>(factor - 1),
                                  static_cast<std::uint64_t>(into.strides[axis]), &distance) &&
          !__builtin_add_overflow(last, distance, &last);
    }
    into.shape = Shape(std::span<const Shape::Extent>(extents.data(), sizes.size()));
    const auto element_bytes = std::uint64_t{info(into.dtype).bytes};
    if (!is_empty && (!is_inside || last >= into.storage_bytes / element_bytes)) {
      fail(name, "shape " + to_string(into.shape) + " goes beyond the " +
                     std::to_string(into.storage_bytes) + " bytes of its storage");
    }
    if (into.obstacle.empty() && !is_empty) {
      budget_.take(static_cast<std::uint64_t>(product) * element_bytes);
    }
  }

  const PickleValues& values_;
  ContentBudget& budget_;
  const Refusal& refuse_;
  std::vector<TorchTensor> tensors_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<TorchTensor> torch_tensors(const PickleValues& values, ContentBudget& budget,
                                       const Refusal& refuse) {
  return TensorCollector(values, budget, refuse).collect();
}

}  // namespace ddx::io::detail
