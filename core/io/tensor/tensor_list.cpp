// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_list.h"

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/io/tensor/safetensors.h"

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

Result<std::vector<ListedTensor>> list(const std::shared_ptr<const ByteSource>& file, const std::string& extension,
                                       TensorUse use) {
  if (extension == ".npz") return list_npz(file, use);
  if (extension == ".safetensors") return list_safetensors(*file, use);
  const auto header = read_npy_header(*file);
  if (!header) return header.error();
  return std::vector{listed("", header, use)};
}

}  // namespace

Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use) {
  auto tensors = list(file, tensor_extension(path), use);
  if (!tensors) return within(shortened(path, 100), tensors.error());
  return tensors;
}

}  // namespace vqscope
