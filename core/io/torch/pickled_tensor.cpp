// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/pickled_tensor.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
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
  if (pickle[ref].kind != PickleKind::object) return std::nullopt;
  const auto items = pickle.items(ref);
  return Called{pickle.text(items[object_name]), pickle.items(items[object_arguments]), items[object_state]};
}

std::optional<PickledTensor> tensor_within(const Pickle& pickle, PickleRef ref, int depth);

PickledTensor unreadable(std::string what) {
  PickledTensor tensor;
  tensor.problem = std::move(what);
  return tensor;
}

/// The dtype that a name stands for: that of a storage, or torch's own.
std::optional<TorchDtype> named_dtype(const Pickle& pickle, PickleRef ref) {
  return pickle[ref].kind == PickleKind::name ? torch_dtype(pickle.text(ref)) : std::nullopt;
}

/// Takes what a storage says of dtype and place.
bool take_storage(const Pickle& pickle, PickleRef ref, PickledTensor& tensor) {
  if (const auto call = called(pickle, ref); call && call->name == "torch.storage._load_from_bytes" && call->has(1)) {
    tensor.bytes = call->arguments[0];
    tensor.is_file = true;
    return true;
  }
  if (pickle[ref].kind != PickleKind::outside) return false;
  const PickleRef description = pickle.items(ref)[0];
  const auto about = pickle.items(description);
  if (pickle[description].kind != PickleKind::tuple || about.size() < 5) return false;
  const auto dtype = named_dtype(pickle, about[1]);
  const std::string_view key = pickle.text(about[2]);
  if (!dtype || key.empty()) return false;
  tensor.dtype = *dtype;
  tensor.storage = key;
  if (pickle[about[4]].kind != PickleKind::whole || pickle[about[4]].whole < 0) return false;
  const auto width = static_cast<std::uint64_t>(element_bytes(*dtype));
  std::uint64_t bytes = 0;
  const bool is_beyond = __builtin_mul_overflow(static_cast<std::uint64_t>(pickle[about[4]].whole), width, &bytes);
  tensor.storage_bytes = is_beyond ? ~std::uint64_t{0} : bytes;
  if (about.size() > 5 && pickle[about[5]].kind == PickleKind::tuple) {
    const auto view = pickle.items(about[5]);
    const Index offset = view.size() == 3 ? pickle[view[1]].whole : -1;
    if (offset < 0) return false;
    tensor.base = static_cast<std::uint64_t>(offset);
  }
  return true;
}

/// Torch's metadata of a view that is negative or conjugate until it is copied.
bool is_lazy_view(const Pickle& pickle, std::span<const PickleRef> arguments, std::size_t metadata) {
  const auto items = arguments.size() > metadata ? pickle.items(arguments[metadata]) : std::span<const PickleRef>();
  constexpr std::size_t most_items = 16;  // torch writes two keys at most
  for (std::size_t i = 1; i < std::min(items.size(), most_items); i += 2)
    if (pickle[items[i]].kind == PickleKind::boolean && pickle[items[i]].whole != 0) return true;
  return items.size() > most_items;
}

/// (storage, offset, shape, strides, requires_grad, hooks, metadata)
PickledTensor strided(const Pickle& pickle, std::span<const PickleRef> arguments) {
  PickledTensor tensor;
  if (arguments.size() < 4 || !take_storage(pickle, arguments[0], tensor)) return unreadable("has no storage");
  const PickleValue& first = pickle[arguments[1]];
  auto shape = numbers_of(pickle, arguments[2]);
  const auto strides = numbers_of(pickle, arguments[3]);
  if (first.kind != PickleKind::whole || first.whole < 0 || !shape || !strides || shape->size() != strides->size() ||
      shape->size() > most_tensor_dimensions)
    return unreadable("has no valid offset, shape and strides");
  if (is_lazy_view(pickle, arguments, 6) || is_lazy_view(pickle, arguments, 7))
    return unreadable("is a negative or conjugate view; save x.clone()");
  tensor.first = static_cast<std::uint64_t>(first.whole);
  tensor.shape = std::move(*shape);
  for (const Index stride : *strides) tensor.strides.push_back(static_cast<std::uint64_t>(stride));
  return tensor;
}

/// (storage, offset, shape, strides, requires_grad, hooks, dtype, metadata): of a storage of bytes.
PickledTensor strided_of_bytes(const Pickle& pickle, std::span<const PickleRef> arguments) {
  PickledTensor tensor = strided(pickle, arguments);
  if (!tensor.problem.empty()) return tensor;
  const auto dtype = arguments.size() > 6 ? named_dtype(pickle, arguments[6]) : std::nullopt;
  if (!dtype) return unreadable("has no valid dtype");
  tensor.dtype = *dtype;
  return tensor;
}

/// numpy.dtype('f4', False, True), with the byte order in its state.
std::optional<TorchDtype> dtype_of_array(const Pickle& pickle, PickleRef ref) {
  const auto call = called(pickle, ref);
  if (!call || call->name != "numpy.dtype" || !call->has(1)) return std::nullopt;
  const auto state = pickle.items(call->state);
  char order = '<';
  if (state.size() > 1 && !pickle.text(state[1]).empty()) order = pickle.text(state[1])[0];
  const bool has_fields = state.size() > 3 && pickle[state[3]].kind != PickleKind::none;
  return array_dtype(has_fields ? "V" : pickle.text(call->arguments[0]), order);
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
  const auto parts = pickle.items(state);
  if (pickle[state].kind != PickleKind::tuple || parts.size() != 5) return unreadable("has no data");
  const PickleValue& fortran = pickle[parts[3]];
  return array(pickle, parts[1], parts[2], parts[4], fortran.whole != 0);
}

/// (data, dtype, shape, order)
PickledTensor buffer_array(const Pickle& pickle, std::span<const PickleRef> arguments) {
  if (arguments.size() < 4) return unreadable("has no data");
  return array(pickle, arguments[2], arguments[1], arguments[0], pickle.text(arguments[3]) == "F");
}

/// Quantised numbers are not read; their shape is listed.
PickledTensor quantised(const Pickle& pickle, std::span<const PickleRef> arguments) {
  PickledTensor tensor = strided(pickle, arguments);
  tensor.dtype.known.reset();
  return tensor;
}

enum class Maker {
  none,
  strided,
  of_bytes,
  array,
  buffer,
  quantised,
  typed,    ///< calls another one: (maker, type, arguments, …)
  wrapper,  ///< its first argument is the tensor
  unread,
};

struct MakerRow {
  std::string_view name;  ///< or its end
  Maker maker = Maker::none;
  const char* problem = "";
};

constexpr std::array makers{
    MakerRow{"torch._utils._rebuild_tensor_v2", Maker::strided},
    MakerRow{"torch._utils._rebuild_tensor", Maker::strided},
    MakerRow{"torch._utils._rebuild_tensor_v3", Maker::of_bytes},
    MakerRow{"core.multiarray._reconstruct", Maker::array},
    MakerRow{"core.numeric._frombuffer", Maker::buffer},
    MakerRow{"torch._utils._rebuild_qtensor", Maker::quantised},
    MakerRow{"torch._tensor._rebuild_from_type_v2", Maker::typed},
    MakerRow{"torch._tensor._rebuild_from_type", Maker::typed},
    MakerRow{"torch.tensor._rebuild_from_type", Maker::typed},
    MakerRow{"torch._utils._rebuild_parameter", Maker::wrapper},
    MakerRow{"torch._utils._rebuild_parameter_with_state", Maker::wrapper},
    MakerRow{"torch._utils._rebuild_device_tensor_from_numpy", Maker::wrapper},
    MakerRow{"torch._utils._rebuild_device_tensor_from_cpu_tensor", Maker::wrapper},
    MakerRow{"torch._utils._rebuild_xla_tensor", Maker::wrapper},
    MakerRow{"torch.nn.parameter.Parameter", Maker::wrapper},
    MakerRow{"torch.nn.parameter.Buffer", Maker::wrapper},
    MakerRow{"torch.Tensor", Maker::wrapper},
    MakerRow{"torch._utils._rebuild_sparse_tensor", Maker::unread, "is sparse; save x.to_dense()"},
    MakerRow{"torch._utils._rebuild_sparse_csr_tensor", Maker::unread, "is sparse; save x.to_dense()"},
    MakerRow{"torch._utils._rebuild_nested_tensor", Maker::unread, "is nested; save its parts"},
    MakerRow{"nested_tensor._rebuild_njt", Maker::unread, "is nested; save its parts"},
    MakerRow{"torch._utils._rebuild_wrapper_subclass", Maker::unread,
             "is of a class without data; save a plain tensor"},
    MakerRow{"torch._utils._rebuild_meta_tensor_no_storage", Maker::unread, "has no data: it is on device meta"}};

/// What makes the tensor of a call, or nothing for other calls.
const MakerRow* maker_of(const Called& call) {
  const auto found = std::ranges::find_if(makers, [&](const MakerRow& row) { return call.name.ends_with(row.name); });
  if (found == makers.end()) return nullptr;
  return found->maker == Maker::wrapper && !call.has(1) ? nullptr : &*found;
}

std::optional<PickledTensor> made_by(const Pickle& pickle, const Called& call, int depth) {
  const MakerRow* row = maker_of(call);
  if (!row) return std::nullopt;
  switch (row->maker) {
    case Maker::strided: return strided(pickle, call.arguments);
    case Maker::of_bytes: return strided_of_bytes(pickle, call.arguments);
    case Maker::array: return reconstructed_array(pickle, call.state);
    case Maker::buffer: return buffer_array(pickle, call.arguments);
    case Maker::quantised: return quantised(pickle, call.arguments);
    case Maker::typed: {
      const bool fits = depth < deepest_wrapper && call.has(3) && pickle[call.arguments[0]].kind == PickleKind::name;
      if (!fits) return unreadable("has no data");
      const Called inside{pickle.text(call.arguments[0]), pickle.items(call.arguments[2]), 0};
      auto made = made_by(pickle, inside, depth + 1);
      return made ? std::move(made) : unreadable("has no data");
    }
    case Maker::wrapper:
      return depth < deepest_wrapper ? tensor_within(pickle, call.arguments[0], depth + 1) : std::nullopt;
    case Maker::none:
    case Maker::unread: break;
  }
  return unreadable(row->problem);
}

PickledTensor whole_storage(const Pickle& pickle, PickleRef ref) {
  PickledTensor tensor;
  if (!take_storage(pickle, ref, tensor)) return unreadable("has no valid storage");
  const Index count = pickle[pickle.items(pickle.items(ref)[0])[4]].whole;
  tensor.shape = {std::max<Index>(0, count)};
  tensor.strides = {1};
  return tensor;
}

std::optional<PickledTensor> tensor_within(const Pickle& pickle, PickleRef ref, int depth) {
  if (pickle[ref].kind == PickleKind::outside) return whole_storage(pickle, ref);
  const auto call = called(pickle, ref);
  return call ? made_by(pickle, *call, depth) : std::nullopt;
}

}  // namespace

std::optional<std::vector<Index>> numbers_of(const Pickle& pickle, PickleRef ref) {
  const auto call = called(pickle, ref);
  const bool is_size = call && (call->name == "torch.Size" || call->name == "builtins.tuple") && call->has(1);
  const PickleRef list = is_size ? call->arguments[0] : ref;
  if (pickle[list].kind != PickleKind::tuple && pickle[list].kind != PickleKind::list) return std::nullopt;
  if (pickle[list].count > most_tensor_dimensions) return std::nullopt;
  std::vector<Index> numbers;
  for (const PickleRef item : pickle.items(list)) {
    if (pickle[item].kind != PickleKind::whole || pickle[item].whole < 0) return std::nullopt;
    numbers.push_back(pickle[item].whole);
  }
  return numbers;
}

std::optional<PickledTensor> tensor_of(const Pickle& pickle, PickleRef ref) { return tensor_within(pickle, ref, 0); }

bool is_tensor(const Pickle& pickle, PickleRef ref) {
  for (int depth = 0; depth <= deepest_wrapper; ++depth) {
    if (pickle[ref].kind == PickleKind::outside) return true;
    const auto call = called(pickle, ref);
    const MakerRow* row = call ? maker_of(*call) : nullptr;
    if (!row || row->maker != Maker::wrapper) return row != nullptr;
    ref = call->arguments[0];
  }
  return false;
}

}  // namespace vqscope
