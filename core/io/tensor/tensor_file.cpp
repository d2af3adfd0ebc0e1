// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_file.h"

#include "core/base/guard.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/kind/file_kind.h"
#include "core/io/npy/npy_reader.h"
#include "core/io/tensor/csv_table.h"
#include "core/io/tensor/npz.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_list.h"
#include "core/io/torch/torch_file.h"

namespace vqscope {
namespace {

/// Elements read between checks for a stop.
constexpr Index elements_at_once = Index{1} << 22;

/// Place of a name in a list, and how many of the indices after it belong to it.
struct Chosen {
  std::size_t place = 0;
  std::size_t indices = 0;
};

/// The longest name counts: "x[0]" is a name before it is the first of "x". Without a name, the only
/// one of the file.
std::optional<Chosen> choose(const std::vector<std::string>& names, const TensorName& wanted) {
  for (std::size_t indices = wanted.leading.size() + 1; indices-- > 0;) {
    std::string text = wanted.name;
    for (const Index index : std::span(wanted.leading).first(indices)) text += fmt::format("[{}]", index);
    const auto found = std::ranges::find(names, text);
    if (found != names.end()) return Chosen{static_cast<std::size_t>(found - names.begin()), indices};
  }
  if (wanted.name.empty() && names.size() == 1) return Chosen{};
  return std::nullopt;
}

/// Dtypes and shapes are read only if a sentence has room for them.
Error not_found(const std::shared_ptr<const ByteSource>& file, const std::vector<std::string>& names,
                const TensorName& wanted, TensorUse use) {
  constexpr std::size_t most_with_shapes = 12;
  if (names.size() <= most_with_shapes)
    if (const auto listed = list_tensors(file, wanted.file, use)) return no_such_tensor(wanted.name, *listed);
  std::vector<ListedTensor> tensors;
  for (const auto& name : names) tensors.push_back({name, {}, {}});
  return no_such_tensor(wanted.name, tensors);
}

Result<Chosen> require(const std::shared_ptr<const ByteSource>& file, const std::vector<std::string>& names,
                       const TensorName& wanted, TensorUse use) {
  if (const auto chosen = choose(names, wanted)) return *chosen;
  return not_found(file, names, wanted, use);
}

void take_name(const std::string& name, const Chosen& chosen, TensorName& found) {
  found.name = name;
  found.leading.erase(found.leading.begin(), found.leading.begin() + static_cast<std::ptrdiff_t>(chosen.indices));
}

Result<void> find_npy(std::shared_ptr<const ByteSource> file, StoredTensor& found) {
  if (!found.name.name.empty())
    return invalid("a NumPy array is one tensor without a name, leave out :" + shortened(found.name.name));
  auto header = read_npy_header(*file);
  if (!header) return header.error();
  found.header = std::move(*header);
  found.bytes = std::move(file);
  return {};
}

Result<void> find_npz(const std::shared_ptr<const ByteSource>& file, TensorUse use, StoredTensor& found) {
  const auto arrays = npz_arrays(*file);
  if (!arrays) return arrays.error();
  std::vector<std::string> names;
  for (const auto& array : *arrays) names.push_back(array.name);
  if (constexpr std::string_view suffix = ".npy"; found.name.name.ends_with(suffix))
    found.name.name.resize(found.name.name.size() - suffix.size());
  const auto chosen = require(file, names, found.name, use);
  if (!chosen) return chosen.error();
  take_name(names[chosen->place], *chosen, found.name);
  auto bytes = open_zip_member(file, (*arrays)[chosen->place].member);
  if (!bytes) return bytes.error();
  auto header = read_npy_header(**bytes);
  if (!header) return invalid("tensor {}: {}", shortened(found.name.name), header.error().message);
  found.header = std::move(*header);
  found.bytes = std::move(*bytes);
  return {};
}

Result<void> find_safetensors(const std::shared_ptr<const ByteSource>& file, TensorUse use, StoredTensor& found) {
  const auto entries = read_safetensors_header(*file);
  if (!entries) return entries.error();
  std::vector<std::string> names;
  for (const auto& entry : *entries) names.push_back(entry.name);
  const auto chosen = require(file, names, found.name, use);
  if (!chosen) return chosen.error();
  const auto& entry = (*entries)[chosen->place];
  take_name(entry.name, *chosen, found.name);
  if (!entry.known)
    return invalid("tensor {} has dtype {}{} but must be {}F16, BF16, F32 or F64", shortened(entry.name),
                   shortened(entry.dtype), entry.dtype == "C64" ? " (complex64)" : "",
                   use == TensorUse::cells ? "BOOL, whole numbers, " : "");
  found.header = {.dtype = *entry.known, .shape = entry.shape, .data_offset = entry.offset};
  found.bytes = file;
  return {};
}

Result<void> find_torch(const std::shared_ptr<const ByteSource>& file, FileKind kind, StoredTensor& found) {
  const auto opened = TorchFile::open(file, kind);
  if (!opened) return opened.error();
  auto tensor = opened->find(found.name.name, found.name.leading);
  if (!tensor) return tensor.error();
  found.bytes = std::move(tensor->bytes);
  found.header = std::move(tensor->header);
  return {};
}

Result<void> apply_leading(StoredTensor& found) {
  const auto& shape = found.header.shape;
  auto& leading = found.name.leading;
  const std::string title =
      fmt::format("{} has the shape {}", tensor_title(found.name.name), shortened(found.header.shape_text()));
  if (leading.size() > shape.size())
    return invalid("{}: at most {} leading indices can be picked, {} {}", title, shape.size(), leading.size(),
                   leading.size() == 1 ? "was given" : "were given");
  for (std::size_t i = 0; i < leading.size(); ++i) {
    const Index picked = leading[i];
    if (picked < -shape[i] || picked >= shape[i])
      return invalid("{}: index {} of dimension {} must be {}", title, picked, i,
                     shape[i] == 0 ? "none" : fmt::format("{} to {}", -shape[i], shape[i] - 1));
    if (picked < 0) leading[i] += shape[i];
  }
  found.header = npy_slice(found.header, leading);
  found.shape = found.header.shape;
  return {};
}

Result<void> check_dtype(const StoredTensor& found, TensorUse use) {
  const NpyDtype& dtype = found.header.dtype;
  if (dtype.is_real() || use == TensorUse::cells || (use == TensorUse::flags && dtype.bytes == 1)) return {};
  return invalid("{} has dtype {} but must be {}float16, bfloat16, float32 or float64", tensor_title(found.name.name),
                 found.header.dtype.name(), use == TensorUse::flags ? "bool, int8, uint8, " : "");
}

Result<void> find_csv(const ByteSource& file, TensorUse use, StoredTensor& found) {
  if (!found.name.name.empty())
    return invalid("a table of numbers is one tensor without a name, leave out :" + shortened(found.name.name));
  auto table = read_csv_array(file, use);
  if (!table) return table.error();
  found.bytes = std::move(table->bytes);
  found.header = std::move(table->header);
  return apply_leading(found);
}

Result<void> find(const std::shared_ptr<const ByteSource>& file, TensorUse use, StoredTensor& found) {
  const auto known = file_kind(*file, found.name.file);
  if (!known) return known.error();
  if (known->kind == FileKind::csv) return find_csv(*file, use, found);
  if (!known->has_tensors()) return unexpected_kind(*known, "a NumPy, safetensors or torch file");
  auto done = known->kind == FileKind::npy           ? find_npy(file, found)
              : known->kind == FileKind::npz         ? find_npz(file, use, found)
              : known->kind == FileKind::safetensors ? find_safetensors(file, use, found)
                                                     : find_torch(file, known->kind, found);
  if (done) done = check_dtype(found, use);
  if (done) done = apply_leading(found);
  return done;
}

/// Reads the last two dimensions at `leading`, many rows at a time where the elements of a row are
/// adjacent.
Result<void> read_plane(const StoredTensor& tensor, std::span<const Index> leading, std::span<float> out,
                        const std::stop_token& stop) {
  const NpyPlane plane = npy_plane(tensor.header, leading);
  const Index most = plane.col_stride == 1 ? std::max<Index>(1, elements_at_once / plane.cols) : plane.rows;
  for (Index row = 0; row < plane.rows; row += most) {
    if (stop.stop_requested()) return cancelled();
    const Range rows{row, std::min(plane.rows, row + most)};
    const auto cells =
        out.subspan(static_cast<std::size_t>(row * plane.cols), static_cast<std::size_t>(rows.size() * plane.cols));
    if (auto read = read_npy_rows(*tensor.bytes, tensor.header, plane, rows, cells); !read) return read;
  }
  return {};
}

}  // namespace

Result<StoredTensor> find_tensor(const std::shared_ptr<const ByteSource>& file, const TensorName& name, TensorUse use) {
  StoredTensor found{.name = name};
  if (auto done = find(file, use, found); !done) return in_file(name.file, done.error());
  return found;
}

Result<StoredTensor> open_tensor(std::string_view text, TensorUse use) {
  const auto name = parse_tensor_name(text);
  if (!name) return name.error();
  const auto file = open_file(name->file);
  return file ? find_tensor(*file, *name, use) : file.error();
}

template <class T>
Result<std::vector<T>> read_values(const StoredTensor& tensor, std::uint64_t limit) {
  auto values = guarded([&] { return read_npy<T>(*tensor.bytes, tensor.header, limit); });
  if (!values) return in_file(tensor.name.file, values.error());
  return values;
}

template Result<std::vector<Index>> read_values(const StoredTensor&, std::uint64_t);
template Result<std::vector<float>> read_values(const StoredTensor&, std::uint64_t);
template Result<std::vector<double>> read_values(const StoredTensor&, std::uint64_t);

namespace {

Result<std::vector<float>> read_planes(const StoredTensor& tensor, const std::stop_token& stop) {
  const auto bytes = tensor_bytes({NpyKind::real, 4}, tensor.shape);
  std::vector<float> values(static_cast<std::size_t>(bytes.value_or(0) / 4));
  if (values.empty()) return values;
  const auto& shape = tensor.shape;
  const std::size_t before = shape.size() > 2 ? shape.size() - 2 : 0;
  std::vector<Index> leading(before);
  const NpyPlane first = npy_plane(tensor.header, leading);
  const auto cells = static_cast<std::size_t>(first.rows * first.cols);
  for (std::size_t done = 0; done < values.size(); done += cells) {
    if (auto read = read_plane(tensor, leading, std::span(values).subspan(done, cells), stop); !read)
      return in_file(tensor.name.file, read.error());
    for (std::size_t i = before; i-- > 0;) {
      if (++leading[i] < shape[i]) break;
      leading[i] = 0;
    }
  }
  return values;
}

}  // namespace

Result<std::vector<float>> read_tensor(const StoredTensor& tensor, const std::stop_token& stop) {
  return guarded([&] { return read_planes(tensor, stop); });
}

}  // namespace vqscope
