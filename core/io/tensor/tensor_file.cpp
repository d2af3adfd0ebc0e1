// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_file.h"

#include "core/base/guard.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/npy/npy_reader.h"
#include "core/io/tensor/safetensors.h"

#include <array>
#include <cctype>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 3> extensions{".npy", ".npz", ".safetensors"};
constexpr std::size_t most_named = 6;
constexpr std::size_t longest_named = 20;
constexpr std::size_t longest_shown_path = 100;
/// Elements read between checks for a stop.
constexpr Index elements_at_once = Index{1} << 22;

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

/// Where the file's name ends: after an extension, before a colon or the end.
std::optional<std::size_t> end_of_file_name(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1))
    for (const auto extension : extensions) {
      const std::size_t end = dot + extension.size();
      if (same_letters(text.substr(dot, extension.size()), extension) && (end == text.size() || text[end] == ':'))
        return end;
    }
  return std::nullopt;
}

/// Takes "[2,-1]" off the end.
Result<std::vector<Index>> take_leading(std::string_view& text) {
  std::vector<Index> leading;
  const auto bracket = text.rfind('[');
  if (!text.ends_with(']') || bracket == std::string_view::npos) return leading;
  for (const auto item : split(text.substr(bracket + 1, text.size() - bracket - 2), ',')) {
    const auto index = parse_index(trimmed(item));
    if (!index)
      return invalid("{}: brackets at the end must hold whole numbers, such as [2] or [2,5], not {}",
                     shortened(text, longest_shown_path), trimmed(item).empty() ? "nothing" : shortened(item, 20));
    leading.push_back(*index);
  }
  text.remove_suffix(text.size() - bracket);
  return leading;
}

std::string list_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_named);
  std::vector<std::string> first;
  for (const auto& name : std::span(names).first(shown)) first.push_back(shortened(name, longest_named));
  std::string text = join(first, ", ");
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

/// The index of the named tensor, or of the only one.
Result<std::size_t> choose(const std::vector<std::string>& names, const std::string& wanted) {
  if (names.empty()) return invalid("it holds no tensor");
  if (wanted.empty() && names.size() == 1) return std::size_t{0};
  if (wanted.empty())
    return invalid("it holds {} tensors, name one of them as FILE:NAME: {}", names.size(), list_of(names));
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return invalid("it holds no tensor {}, only {}{}", shortened(wanted), list_of(names), did_you_mean(wanted, names));
}

Result<void> find_npy(std::shared_ptr<const ByteSource> file, StoredTensor& found) {
  if (!found.name.name.empty())
    return invalid("a .npy file holds one tensor without a name, leave out :" + shortened(found.name.name));
  auto header = read_npy_header(*file);
  if (!header) return header.error();
  found.header = std::move(*header);
  found.bytes = std::move(file);
  return {};
}

Result<void> find_npz(std::shared_ptr<const ByteSource> file, StoredTensor& found) {
  const auto arrays = npz_arrays(*file);
  if (!arrays) return arrays.error();
  std::vector<std::string> names;
  for (const auto& array : *arrays) names.push_back(array.name);
  std::string wanted = found.name.name;
  if (constexpr std::string_view suffix = ".npy"; wanted.ends_with(suffix))
    wanted.resize(wanted.size() - suffix.size());
  const auto chosen = choose(names, wanted);
  if (!chosen) return chosen.error();
  found.name.name = names[*chosen];
  auto bytes = open_zip_member(std::move(file), (*arrays)[*chosen].member);
  if (!bytes) return bytes.error();
  auto header = read_npy_header(**bytes);
  if (!header) return invalid("tensor {}: {}", shortened(found.name.name), header.error().message);
  found.header = std::move(*header);
  found.bytes = std::move(*bytes);
  return {};
}

Result<void> find_safetensors(std::shared_ptr<const ByteSource> file, TensorUse use, StoredTensor& found) {
  const auto entries = read_safetensors_header(*file);
  if (!entries) return entries.error();
  std::vector<std::string> names;
  for (const auto& entry : *entries) names.push_back(entry.name);
  const auto chosen = choose(names, found.name.name);
  if (!chosen) return chosen.error();
  const auto& entry = (*entries)[*chosen];
  found.name.name = entry.name;
  if (!entry.known)
    return invalid("tensor {} has dtype {}, must be {}F16, BF16, F32 or F64", shortened(entry.name),
                   shortened(entry.dtype), use == TensorUse::cells ? "BOOL, whole numbers, " : "");
  found.header = {.dtype = *entry.known, .shape = entry.shape, .data_offset = entry.offset};
  found.bytes = std::move(file);
  return {};
}

std::string title_of(const TensorName& name) {
  return name.name.empty() ? "the tensor" : "tensor " + shortened(name.name);
}

/// At least two dimensions must remain.
Result<void> apply_leading(StoredTensor& found) {
  const auto& shape = found.header.shape;
  auto& leading = found.name.leading;
  const std::string title =
      fmt::format("{} has the shape {}", title_of(found.name), shortened(found.header.shape_text()));
  const auto most = shape.size() > 2 ? static_cast<Index>(shape.size()) - 2 : Index{0};
  if (const auto given = static_cast<Index>(leading.size()); given > most)
    return invalid("{}: at most {} leading indices can be picked, {} {}", title, most, given,
                   given == 1 ? "was given" : "were given");
  for (std::size_t i = 0; i < leading.size(); ++i) {
    const Index picked = leading[i];
    if (picked < -shape[i] || picked >= shape[i])
      return invalid("{}: index {} of dimension {} must be {}", title, picked, i,
                     shape[i] == 0 ? "none" : fmt::format("{} to {}", -shape[i], shape[i] - 1));
    if (picked < 0) leading[i] += shape[i];
  }
  found.shape.assign(shape.begin() + static_cast<std::ptrdiff_t>(leading.size()), shape.end());
  return {};
}

Result<void> check_dtype(const StoredTensor& found, TensorUse use) {
  const NpyDtype& dtype = found.header.dtype;
  if (dtype.is_real() || use == TensorUse::cells || (use == TensorUse::flags && dtype.bytes == 1)) return {};
  return invalid("{} has dtype {}, must be {}float16, bfloat16, float32 or float64", title_of(found.name),
                 found.header.dtype.name(), use == TensorUse::flags ? "bool, int8, uint8, " : "");
}

Result<void> find(std::shared_ptr<const ByteSource> file, TensorUse use, StoredTensor& found) {
  const std::string extension = tensor_extension(found.name.file);
  auto done = extension == ".npy"   ? find_npy(std::move(file), found)
              : extension == ".npz" ? find_npz(std::move(file), found)
                                    : find_safetensors(std::move(file), use, found);
  if (done) done = check_dtype(found, use);
  if (done) done = apply_leading(found);
  return done;
}

Error in_file(const TensorName& name, const Error& error) {
  return error.code == Errc::cancelled ? error : within(shortened(name.file, longest_shown_path), error);
}

Index product(std::span<const Index> sizes) {
  Index cells = 1;
  for (const Index size : sizes) cells *= size;
  return cells;
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

std::string tensor_extension(std::string_view path) {
  return lower_case(path.substr(std::min(path.size(), path.rfind('.'))));
}

Result<std::vector<NpzArray>> npz_arrays(const ByteSource& archive) {
  auto members = read_zip_directory(archive);
  if (!members) return members.error();
  constexpr std::string_view suffix = ".npy";
  std::vector<NpzArray> arrays;
  for (auto& member : *members)
    if (member.name.ends_with(suffix))
      arrays.push_back({member.name.substr(0, member.name.size() - suffix.size()), std::move(member)});
  return arrays;
}

Result<TensorName> parse_tensor_name(std::string_view text) {
  TensorName name;
  auto leading = take_leading(text);
  if (!leading) return leading.error();
  const auto end = end_of_file_name(text);
  if (!end)
    return invalid("cannot find a tensor file name in " + shortened(text, longest_shown_path) +
                   ", must end with .npy, .npz or .safetensors, or with :NAME after it");
  name.file = text.substr(0, *end);
  name.leading = std::move(*leading);
  if (*end == text.size()) return name;
  name.name = text.substr(*end + 1);
  if (name.name.empty())
    return invalid(shortened(text, longest_shown_path) + ": the name of a tensor must follow the colon");
  return name;
}

std::string tensor_name_text(const TensorName& name) {
  std::string text = name.file;
  if (!name.name.empty()) text += ":" + name.name;
  if (name.leading.empty()) return text;
  std::vector<std::string> indices;
  for (const Index index : name.leading) indices.push_back(to_text(index));
  return fmt::format("{}[{}]", text, join(indices, ","));
}

Result<StoredTensor> find_tensor(std::shared_ptr<const ByteSource> file, const TensorName& name, TensorUse use) {
  StoredTensor found{.name = name};
  if (auto done = find(std::move(file), use, found); !done) return in_file(name, done.error());
  return found;
}

namespace {

Result<std::vector<float>> read_planes(const StoredTensor& tensor, const std::stop_token& stop) {
  const auto bytes = tensor_bytes({NpyKind::real, 4}, tensor.shape);
  std::vector<float> values(static_cast<std::size_t>(bytes.value_or(0) / 4));
  if (values.empty()) return values;
  const auto& shape = tensor.header.shape;
  const std::size_t before = shape.size() > 2 ? shape.size() - 2 : 0;
  std::vector<Index> leading = tensor.name.leading;
  leading.resize(before);
  const auto cells = static_cast<std::size_t>(product(std::span(shape).subspan(before)));
  for (std::size_t done = 0; done < values.size(); done += cells) {
    if (auto read = read_plane(tensor, leading, std::span(values).subspan(done, cells), stop); !read)
      return in_file(tensor.name, read.error());
    for (std::size_t i = before; i-- > tensor.name.leading.size();) {
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
