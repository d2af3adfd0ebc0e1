// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/pickled_tensor.h"

#include "core/base/text.h"

#include <span>

namespace vqscope {
namespace {

constexpr int deepest_wrapper = 8;
constexpr std::size_t most_tensor_dimensions = 64;

/// An object by the name that makes it, with its arguments.
struct Called {
  std::string_view name;
  std::span<const PickleRef> arguments;
  PickleRef state = 0;

  bool has(std::size_t count) const { return arguments.size() >= count; }
};

std::optional<Called> called(const Pickle& pickle, PickleRef ref) {
  const PickleValue& value = pickle[ref];
  if (value.kind != PickleKind::object) return std::nullopt;
  return Called{value.text, pickle[value.items[object_arguments]].items, value.items[object_state]};
}

PickledTensor unreadable(std::string what) {
  PickledTensor tensor;
  tensor.problem = std::move(what);
  return tensor;
}

/// Takes what a storage says of dtype and place.
bool take_storage(const Pickle& pickle, PickleRef ref, PickledTensor& tensor) {
  const PickleValue& value = pickle[ref];
  if (const auto call = called(pickle, ref); call && call->name == "torch.storage._load_from_bytes" && call->has(1)) {
    tensor.bytes = call->arguments[0];
    tensor.is_file = true;
    return true;
  }
  if (value.kind != PickleKind::outside) return false;
  const PickleValue& about = pickle[value.items[0]];
  if (about.kind != PickleKind::tuple || about.items.size() < 5) return false;
  const PickleValue& type = pickle[about.items[1]];
  const PickleValue& key = pickle[about.items[2]];
  const auto dtype = type.kind == PickleKind::name ? torch_dtype(type.text) : std::nullopt;
  if (!dtype || key.kind != PickleKind::text || key.text.empty()) return false;
  tensor.dtype = *dtype;
  tensor.storage = key.text;
  if (about.items.size() > 5 && pickle[about.items[5]].kind == PickleKind::tuple) {
    const auto& view = pickle[about.items[5]].items;
    const Index offset = view.size() == 3 ? pickle[view[1]].whole : -1;
    if (offset < 0) return false;
    tensor.base = static_cast<std::uint64_t>(offset);
  }
  return true;
}

/// (storage, offset, shape, strides, …)
PickledTensor strided(const Pickle& pickle, std::span<const PickleRef> arguments) {
  PickledTensor tensor;
  if (arguments.size() < 4 || !take_storage(pickle, arguments[0], tensor)) return unreadable("has no storage");
  const PickleValue& first = pickle[arguments[1]];
  auto shape = numbers_of(pickle, arguments[2]);
  const auto strides = numbers_of(pickle, arguments[3]);
  if (first.kind != PickleKind::whole || first.whole < 0 || !shape || !strides || shape->size() != strides->size() ||
      shape->size() > most_tensor_dimensions)
    return unreadable("has no valid offset, shape and strides");
  tensor.first = static_cast<std::uint64_t>(first.whole);
  tensor.shape = std::move(*shape);
  for (const Index stride : *strides) tensor.strides.push_back(static_cast<std::uint64_t>(stride));
  return tensor;
}

/// (…, dtype, metadata): of a storage of bytes.
PickledTensor strided_of_bytes(const Pickle& pickle, std::span<const PickleRef> arguments) {
  PickledTensor tensor = strided(pickle, arguments);
  if (!tensor.problem.empty()) return tensor;
  const PickleValue* type = arguments.size() > 6 ? &pickle[arguments[6]] : nullptr;
  const auto dtype = type && type->kind == PickleKind::name ? torch_dtype(type->text) : std::nullopt;
  if (!dtype) return unreadable("has no valid dtype");
  tensor.dtype = *dtype;
  return tensor;
}

/// numpy.dtype('f4', False, True), with the byte order in its state.
std::optional<TorchDtype> dtype_of_array(const Pickle& pickle, PickleRef ref) {
  const auto call = called(pickle, ref);
  if (!call || call->name != "numpy.dtype" || !call->has(1)) return std::nullopt;
  const auto& state = pickle[call->state].items;
  char order = '<';
  if (state.size() > 1 && !pickle[state[1]].text.empty()) order = pickle[state[1]].text[0];
  const bool has_fields = state.size() > 3 && pickle[state[3]].kind != PickleKind::none;
  return array_dtype(has_fields ? "V" : pickle[call->arguments[0]].text, order);
}

PickledTensor array(const Pickle& pickle, PickleRef shape, PickleRef dtype, PickleRef data, bool fortran) {
  auto sizes = numbers_of(pickle, shape);
  auto type = dtype_of_array(pickle, dtype);
  if (!sizes || !type || sizes->size() > most_tensor_dimensions) return unreadable("has no valid dtype and shape");
  PickledTensor tensor;
  tensor.dtype = std::move(*type);
  tensor.shape = std::move(*sizes);
  tensor.fortran = fortran;
  tensor.bytes = data;
  return tensor;
}

/// numpy.ndarray, whose state is (version, shape, dtype, is_fortran, data).
PickledTensor reconstructed_array(const Pickle& pickle, PickleRef state) {
  const auto& parts = pickle[state].items;
  if (pickle[state].kind != PickleKind::tuple || parts.size() != 5) return unreadable("has no data");
  const PickleValue& fortran = pickle[parts[3]];
  return array(pickle, parts[1], parts[2], parts[4], fortran.whole != 0);
}

/// (data, dtype, shape, order)
PickledTensor buffer_array(const Pickle& pickle, std::span<const PickleRef> arguments) {
  if (arguments.size() < 4) return unreadable("has no data");
  return array(pickle, arguments[2], arguments[1], arguments[0], pickle[arguments[3]].text == "F");
}

/// The place of the tensor among the arguments of what wraps one, or nothing.
std::optional<PickleRef> wrapped(const Called& call) {
  const bool wraps = call.name == "torch._utils._rebuild_parameter" || call.name == "torch.nn.parameter.Parameter" ||
                     call.name == "torch._utils._rebuild_parameter_with_state" ||
                     call.name == "torch.nn.parameter.Buffer" || call.name == "torch.Tensor" ||
                     call.name == "torch._utils._rebuild_device_tensor_from_numpy";
  return wraps && call.has(1) ? std::optional(call.arguments[0]) : std::nullopt;
}

std::optional<PickledTensor> made_by(const Pickle& pickle, const Called& call) {
  if (call.name == "torch._utils._rebuild_tensor" || call.name == "torch._utils._rebuild_tensor_v2")
    return strided(pickle, call.arguments);
  if (call.name == "torch._utils._rebuild_tensor_v3") return strided_of_bytes(pickle, call.arguments);
  if (call.name.ends_with("multiarray._reconstruct")) return reconstructed_array(pickle, call.state);
  if (call.name.ends_with("numeric._frombuffer")) return buffer_array(pickle, call.arguments);
  if (call.name == "torch._utils._rebuild_qtensor") {
    PickledTensor tensor = strided(pickle, call.arguments);
    tensor.dtype.known.reset();
    return tensor;
  }
  if (call.name.find("_rebuild_sparse") != std::string_view::npos) return unreadable("is sparse; save x.to_dense()");
  if (call.name.find("_rebuild_nested") != std::string_view::npos) return unreadable("is nested; save its parts");
  if (call.name.find("_rebuild_meta") != std::string_view::npos) return unreadable("has no data: it is on device meta");
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Index>> numbers_of(const Pickle& pickle, PickleRef ref) {
  const auto call = called(pickle, ref);
  const bool is_size = call && (call->name == "torch.Size" || call->name == "builtins.tuple") && call->has(1);
  const PickleValue& value = is_size ? pickle[call->arguments[0]] : pickle[ref];
  if (value.kind != PickleKind::tuple && value.kind != PickleKind::list) return std::nullopt;
  std::vector<Index> numbers;
  for (const PickleRef item : value.items) {
    if (pickle[item].kind != PickleKind::whole || pickle[item].whole < 0) return std::nullopt;
    numbers.push_back(pickle[item].whole);
  }
  return numbers;
}

std::optional<PickledTensor> tensor_of(const Pickle& pickle, PickleRef ref) {
  for (int depth = 0; depth < deepest_wrapper; ++depth) {
    if (pickle[ref].kind == PickleKind::outside) {
      PickledTensor tensor;
      if (!take_storage(pickle, ref, tensor)) return unreadable("has no valid storage");
      const Index count = pickle[pickle[pickle[ref].items[0]].items[4]].whole;
      tensor.shape = {std::max<Index>(0, count)};
      tensor.strides = {1};
      return tensor;
    }
    auto call = called(pickle, ref);
    if (!call) return std::nullopt;
    if (call->name.ends_with("._rebuild_from_type_v2") || call->name.ends_with("._rebuild_from_type")) {
      if (!call->has(3) || pickle[call->arguments[0]].kind != PickleKind::name) return unreadable("has no data");
      return made_by(pickle, {pickle[call->arguments[0]].text, pickle[call->arguments[2]].items, 0});
    }
    const auto inside = wrapped(*call);
    if (!inside) return made_by(pickle, *call);
    ref = *inside;
  }
  return std::nullopt;
}

}  // namespace vqscope
