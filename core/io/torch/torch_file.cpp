// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_file.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/bytes/part_source.h"
#include "core/io/pickle/pickle_text.h"
#include "core/io/tensor/listed_tensor.h"
#include "core/io/torch/number_list.h"

#include <algorithm>

namespace vqscope {
namespace {

/// A tensor may repeat its elements without end: a small file must not be a long work.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;
constexpr std::uint64_t always_allowed = std::uint64_t{1} << 24;
constexpr std::uint64_t most_repeats = std::uint64_t{1} << 17;
constexpr std::uint64_t longest_array_text = std::uint64_t{1} << 31;

/// A tensor or a list of numbers as the pickle describes it.
PickledTensor tensor_at(const Pickle& pickle, PickleRef ref) {
  if (auto tensor = tensor_of(pickle, ref)) return std::move(*tensor);
  const auto numbers = number_list(pickle, ref);
  if (!numbers || !numbers->bytes) return {.problem = "is a list of lists of unequal length; pad them to one length"};
  return {.dtype = {numbers->header.dtype.name(), numbers->header.dtype}, .shape = numbers->header.shape};
}

/// Dtypes and shapes are read only if a sentence has room for them.
std::vector<ListedTensor> listed(const Pickle& pickle, const std::vector<PickledLeaf>& leaves) {
  constexpr std::size_t most_with_shapes = 12;
  std::vector<ListedTensor> tensors;
  for (const auto& leaf : leaves) {
    const auto tensor = leaves.size() <= most_with_shapes ? tensor_at(pickle, leaf.value) : PickledTensor();
    tensors.push_back({leaf.path, tensor.dtype.name, tensor.shape});
  }
  return tensors;
}

std::string path_text(const std::string& path, const std::vector<Index>& leading) {
  std::string text = path;
  for (const Index index : leading) text += fmt::format("[{}]", index);
  return text;
}

/// The element after the last one that the tensor reaches; nothing if that is beyond 64 bits.
std::optional<std::uint64_t> end_of(const PickledTensor& tensor) {
  std::uint64_t last = 0;
  if (__builtin_add_overflow(tensor.base, tensor.first, &last)) return std::nullopt;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(tensor.shape[i] - 1), tensor.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  return last + 1;
}

/// Leaves the strides out if they are those of C's order. A dimension of size 1 has none.
std::vector<std::uint64_t> needed_strides(const PickledTensor& tensor, const NpyHeader& header) {
  std::vector<std::uint64_t> strides = strides_of(header);
  bool is_plain = true;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (tensor.shape[i] == 1) continue;
    is_plain = is_plain && strides[i] == tensor.strides[i];
    strides[i] = tensor.strides[i];
  }
  return is_plain ? std::vector<std::uint64_t>() : strides;
}

bool is_optimizer_state(const Pickle& pickle, PickleRef ref) {
  if (pickle[ref].kind != PickleKind::dictionary) return false;
  const auto items = pickle.items(ref);
  const auto has = [&](std::string_view key) {
    for (std::size_t i = 0; i < items.size(); i += 2)
      if (pickle.text(items[i]) == key) return true;
    return false;
  };
  return has("state") && has("param_groups");
}

Error in_tensor(const std::string& path, const std::string& what) { return invalid("{} {}", tensor_title(path), what); }

/// The header of a tensor in a storage, once its sizes fit.
Result<NpyHeader> header_of(const std::string& path, const PickledTensor& tensor, const NpyDtype& dtype,
                            const TorchStorage& storage) {
  NpyHeader header{.dtype = dtype, .shape = tensor.shape, .data_offset = storage.offset};
  if (std::ranges::count(tensor.shape, 0) > 0) return header;
  const std::string shape = shortened(header.shape_text());
  const auto bytes = tensor_bytes(dtype, tensor.shape);
  const std::uint64_t present = storage.size / static_cast<std::uint64_t>(dtype.bytes);
  const std::uint64_t most =
      present > most_elements / most_repeats ? most_elements : std::max(always_allowed, present * most_repeats);
  if (!bytes || *bytes / static_cast<std::uint64_t>(dtype.bytes) > most)
    return in_tensor(path, fmt::format("has the shape {} but must have at most {} elements for a storage of {}", shape,
                                       most, present));
  const auto end = end_of(tensor);
  if (!end || *end > present)
    return in_tensor(path, fmt::format("of shape {} and dtype {} reaches element {} of its storage, which has {}",
                                       shape, dtype.name(), end ? std::to_string(*end) : "2^64", present));
  header.data_offset += (tensor.base + tensor.first) * static_cast<std::uint64_t>(dtype.bytes);
  header.strides = needed_strides(tensor, header);
  return header;
}

}  // namespace

Result<TorchFile> TorchFile::open(const std::shared_ptr<const ByteSource>& file, FileKind kind) {
  auto contents = guarded([&] { return kind == FileKind::torch ? read_torch_archive(file) : read_pickle_file(file); });
  if (!contents) return contents.error();
  return TorchFile(std::move(*contents));
}

Result<TorchStorage> TorchFile::storage_of(const PickledTensor& tensor, TorchDtype& dtype) const {
  if (!tensor.is_file) {
    const auto found = m_contents.storages.find(tensor.storage);
    if (found != m_contents.storages.end()) return found->second;
    return invalid("has no data: storage {} is missing", shortened(tensor.storage, 20));
  }
  // A pickle that is no torch file holds each storage as one.
  const PickleValue& value = m_contents.pickle[tensor.bytes];
  std::shared_ptr<const ByteSource> bytes;
  if (value.kind == PickleKind::bytes && value.whole >= 0) {
    bytes = std::make_shared<PartSource>(m_contents.pickle_bytes, value.offset(), value.size());
  } else {
    auto decoded = bytes_of(tensor.bytes);
    if (!decoded) return decoded.error();
    bytes = std::make_shared<OwnedSource>(std::move(*decoded));
  }
  const auto inside = read_pickle_file(bytes);
  const auto stored = inside ? tensor_of(inside->pickle, inside->pickle.root) : std::nullopt;
  const auto found = stored ? inside->storages.find(stored->storage) : decltype(inside->storages.end())();
  if (!stored || found == inside->storages.end()) return invalid("has no data: its storage is no torch file");
  dtype = stored->dtype;
  return found->second;
}

Result<std::string> TorchFile::bytes_of(PickleRef ref) const {
  const Pickle& pickle = m_contents.pickle;
  const bool is_object = pickle[ref].kind == PickleKind::object;
  const auto object = is_object ? pickle.items(ref) : std::span<const PickleRef>();
  const auto arguments = is_object ? pickle.items(object[object_arguments]) : std::span<const PickleRef>();
  const PickleRef inner = arguments.empty() ? ref : arguments[0];
  const PickleValue& held = pickle[inner];
  const bool is_text = held.kind == PickleKind::text;
  if (!is_text && held.kind != PickleKind::bytes) return invalid("has no data");
  if (held.size() > longest_array_text) return invalid("has more than 2 GiB of data in one text");
  std::optional<std::string> bytes(pickle.text(inner));
  if (!held.is_kept) {
    bytes->resize(static_cast<std::size_t>(held.size()));
    if (auto read = m_contents.pickle_bytes->read(held.offset(), *bytes); !read) return read.error();
    bytes = decoded(held.form, *bytes);
  }
  const bool is_unicode = held.form == PickledForm::utf8 || held.form == PickledForm::escaped;
  if (bytes && is_text && is_unicode) bytes = is_object ? latin1_bytes(*bytes) : std::nullopt;
  if (!bytes) return invalid("has no data: a text is in its place");
  return std::move(*bytes);
}

Result<TorchTensor> TorchFile::array(const std::string& path, const PickledTensor& tensor) const {
  NpyHeader header{.dtype = *tensor.dtype.known, .fortran = tensor.fortran, .shape = tensor.shape};
  const PickleValue& value = m_contents.pickle[tensor.bytes];
  std::shared_ptr<const ByteSource> bytes = m_contents.pickle_bytes;
  std::uint64_t present = value.size();
  if (value.kind == PickleKind::bytes && value.whole >= 0) {
    header.data_offset = value.offset();
  } else {
    auto decoded = bytes_of(tensor.bytes);
    if (!decoded) return in_tensor(path, decoded.error().message);
    present = decoded->size();
    bytes = std::make_shared<OwnedSource>(std::move(*decoded));
  }
  const auto needed = tensor_bytes(header.dtype, header.shape);
  if (needed && *needed <= present) return TorchTensor{std::move(bytes), std::move(header)};
  return in_tensor(
      path, fmt::format("of shape {} and dtype {} needs {} bytes, the file has {}", shortened(header.shape_text()),
                        header.dtype.name(), needed ? std::to_string(*needed) : "more than 2^64", present));
}

PickledTensor TorchFile::described(const PickledLeaf& leaf) const { return tensor_at(m_contents.pickle, leaf.value); }

Result<TorchTensor> TorchFile::place(const PickledLeaf& leaf) const {
  if (auto numbers = number_list(m_contents.pickle, leaf.value); numbers && numbers->bytes)
    return TorchTensor{std::move(numbers->bytes), std::move(numbers->header)};
  const PickledTensor tensor = described(leaf);
  if (!tensor.problem.empty()) return in_tensor(leaf.path, tensor.problem);
  const bool is_array = tensor.storage.empty() && !tensor.is_file;
  if (is_array && tensor.dtype.known) return array(leaf.path, tensor);
  if (is_array) return unread_dtype(tensor_title(leaf.path), tensor.dtype.name);
  TorchDtype dtype = tensor.dtype;
  const auto storage = storage_of(tensor, dtype);
  if (!storage) return in_tensor(leaf.path, storage.error().message);
  if (!dtype.known) return unread_dtype(tensor_title(leaf.path), dtype.name);
  if (tensor.storage_bytes && *tensor.storage_bytes != storage->size)
    return in_tensor(leaf.path, fmt::format("should have a storage of {} bytes, storage {} of the file has {}",
                                            *tensor.storage_bytes, shortened(tensor.storage, 20), storage->size));
  dtype.known->big_endian = m_contents.big_endian && dtype.known->bytes > 1;
  auto header = header_of(leaf.path, tensor, *dtype.known, *storage);
  if (!header) return header.error();
  return TorchTensor{storage->bytes, std::move(*header)};
}

bool TorchFile::is_optimizer_state() const {
  return vqscope::is_optimizer_state(m_contents.pickle, m_contents.pickle.root);
}

Result<TorchTensor> TorchFile::find(std::string& path, std::vector<Index>& leading) const {
  const Pickle& pickle = m_contents.pickle;
  const std::string wanted = path_text(path, leading);
  auto found = find_path(pickle, wanted);
  if (!found && path.empty()) found = PickledPlace{pickle.root, {}, leading};  // of the only tensor
  if (!found) {
    const auto all = tensors();
    return all ? no_such_tensor(wanted, listed(pickle, *all)) : all.error();
  }
  auto leaves = tensors_in(pickle, found->value, found->path);
  if (!leaves) return leaves.error();
  path = found->path;
  leading = found->leading;
  std::size_t budget = most_listed_numbers;
  if (leaves->empty() && holds_numbers(pickle, found->value, budget)) leaves->push_back({found->path, found->value});
  if (leaves->size() != 1) leaves = tensors_in(pickle, found->value, found->path, true);
  if (!leaves) return leaves.error();
  if (leaves->empty() && !wanted.empty()) {
    const auto all = tensors();
    if (all && !all->empty()) return no_tensor(wanted, kind_words(pickle[found->value]), listed(pickle, *all));
  }
  if (leaves->size() != 1)
    return no_such_tensor(
        {}, listed(pickle, *leaves),
        vqscope::is_optimizer_state(pickle, found->value) ? "a torch file of an optimizer state" : "");
  path = leaves->front().path;
  return place(leaves->front());
}

}  // namespace vqscope
