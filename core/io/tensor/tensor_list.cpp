// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_list.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/kind/file_kind.h"
#include "core/io/tensor/npz.h"
#include "core/io/tensor/safetensors.h"

namespace vqscope {
namespace {

/// Of the names in a sentence, in characters.
constexpr std::size_t longest_list = 200;
constexpr std::size_t longest_listed_name = 60;
constexpr std::size_t most_with_shapes = 12;

ListedTensor listed(const std::string& name, const Result<NpyHeader>& header, TensorUse use) {
  if (!header) return {name, "", {}, header.error().message};
  ListedTensor tensor{name, header->dtype.name(), header->shape};
  if (!header->dtype.is_real() && use != TensorUse::cells)
    tensor.problem = "the dtype must be float16, bfloat16, float32 or float64";
  return tensor;
}

Result<std::vector<ListedTensor>> list_npz(const std::shared_ptr<const ByteSource>& file, TensorUse use) {
  const auto arrays = npz_arrays(*file);
  if (!arrays) return arrays.error();
  std::vector<ListedTensor> tensors;
  for (const auto& array : *arrays) {
    const auto bytes = open_zip_member(file, array.member);
    tensors.push_back(listed(array.name, bytes ? read_npy_header(**bytes) : bytes.error(), use));
  }
  return tensors;
}

Result<std::vector<ListedTensor>> list_safetensors(const ByteSource& file, TensorUse use) {
  const auto entries = read_safetensors_header(file);
  if (!entries) return entries.error();
  std::vector<ListedTensor> tensors;
  for (const auto& entry : *entries) {
    // A dtype that NumPy has no name for is not a real one either.
    tensors.push_back(
        listed(entry.name, NpyHeader{.dtype = entry.known.value_or(NpyDtype{}), .shape = entry.shape}, use));
    if (entry.known) continue;
    tensors.back().dtype = entry.dtype;
    if (use == TensorUse::cells) tensors.back().problem = "the dtype must be bool, whole or real numbers";
  }
  return tensors;
}

Result<std::vector<ListedTensor>> list(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                       TensorUse use) {
  const auto known = file_kind(*file, path);
  if (!known) return known.error();
  if (!known->has_tensors()) return unexpected_kind(*known, "a NumPy, safetensors or torch file");
  if (known->kind == FileKind::npz) return list_npz(file, use);
  if (known->kind == FileKind::safetensors) return list_safetensors(*file, use);
  const auto header = read_npy_header(*file);
  if (!header) return header.error();
  return std::vector{listed("", header, use)};
}

/// As many texts as fit into `most` characters, or as the words of a sentence have room for.
std::string first_of(const std::vector<std::string>& texts, std::size_t most) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + texts[i];
    if (i > 0 && all.size() + next.size() > most) return fmt::format("{} and {} more", all, texts.size() - i);
    all += next;
  }
  return all;
}

}  // namespace

Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use) {
  auto tensors = list(file, path, use);
  return tensors ? tensors : in_file(path, tensors.error());
}

std::string names_of_tensors(const std::shared_ptr<const ByteSource>& file, const std::vector<std::string>& names,
                             const std::string& path, TensorUse use) {
  std::vector<std::string> shown;
  for (const auto& name : names) shown.push_back(shortened(name, longest_listed_name));
  const auto tensors =
      names.size() <= most_with_shapes ? list(file, path, use) : Result<std::vector<ListedTensor>>(invalid("many"));
  if (!tensors || tensors->size() != names.size()) return first_of(shown, longest_list);
  std::vector<std::string> with_shapes;
  std::size_t size = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& [name, dtype, shape, problem] = (*tensors)[i];
    with_shapes.push_back(
        fmt::format("{} {} {}", shown[i], shortened(dtype, 20), NpyHeader{.shape = shape}.shape_text()));
    size += with_shapes.back().size() + 2;
  }
  return size <= longest_list ? join(with_shapes, ", ") : first_of(shown, longest_list);
}

}  // namespace vqscope
