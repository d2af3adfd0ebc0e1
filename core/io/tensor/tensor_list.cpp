// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_list.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/kind/file_kind.h"
#include "core/io/tensor/csv_table.h"
#include "core/io/tensor/npz.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/torch/torch_file.h"

namespace vqscope {
namespace {

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

Result<std::vector<ListedTensor>> list_torch(const std::shared_ptr<const ByteSource>& file, FileKind kind,
                                             TensorUse use) {
  const auto opened = TorchFile::open(file, kind);
  if (!opened) return opened.error();
  const auto leaves = opened->tensors();
  if (!leaves) return leaves.error();
  std::vector<ListedTensor> tensors;
  for (const PickledLeaf& leaf : *leaves) {
    const auto placed = opened->place(leaf);
    if (placed) {
      tensors.push_back(listed(leaf.path, placed->header, use));
      continue;
    }
    const PickledTensor described = opened->described(leaf);
    tensors.push_back({leaf.path, described.dtype.name, described.shape, placed.error().message});
  }
  return tensors;
}

Result<std::vector<ListedTensor>> list(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                       TensorUse use) {
  const auto known = file_kind(*file, path);
  if (!known) return known.error();
  if (known->kind == FileKind::csv) {
    const auto table = read_csv_array(*file, use);
    return table ? Result(std::vector{listed("", table->header, use)}) : table.error();
  }
  if (!known->has_tensors()) return unexpected_kind(*known, "a NumPy, safetensors or torch file");
  if (known->kind == FileKind::npz) return list_npz(file, use);
  if (known->kind == FileKind::safetensors) return list_safetensors(*file, use);
  if (known->kind != FileKind::npy) return list_torch(file, known->kind, use);
  const auto header = read_npy_header(*file);
  if (!header) return header.error();
  return std::vector{listed("", header, use)};
}

}  // namespace

Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use) {
  auto tensors = list(file, path, use);
  return tensors ? tensors : in_file(path, tensors.error());
}

}  // namespace vqscope
