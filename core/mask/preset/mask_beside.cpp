// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_beside.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/import/imported_mask.h"
#include "core/mask/preset/mask_import.h"
#include "core/method/qkv/qkv_names.h"

#include <algorithm>

namespace vqscope {
namespace {

std::optional<FileTensor> mask_in_file_of(const TensorName& tensor) {
  const auto file = open_file(tensor.file);
  if (!file) return std::nullopt;
  auto listed = list_tensors(*file, tensor.file, TensorUse::flags);
  if (!listed) return std::nullopt;
  std::vector<FileTensor> all;
  for (auto& each : *listed) all.push_back({tensor.file, std::move(each)});
  return mask_among(all);
}

/// Whether the last query is that of the last key, and each sees the keys up to its own.
bool is_causal(const Mask& mask, const Work& work) {
  const Extent extent = mask.extent();
  std::vector<Range> row;
  for (Index q = 0; q < extent.rows && !work.stop.stop_requested(); ++q) {
    row.clear();
    mask.row(q, row);
    const Index end = q + extent.cols - extent.rows + 1;
    if (end <= 0 ? !row.empty() : row != std::vector<Range>{{0, end}}) return false;
  }
  return true;
}

}  // namespace

std::optional<MaskBeside> mask_beside(const std::string& tensor, std::optional<Index> sample, const Work& work) {
  const auto name = parse_tensor_name(tensor);
  if (!name || name->file == "-") return std::nullopt;
  const auto mask = mask_in_file_of(*name);
  if (!mask) return std::nullopt;
  if (!sample && !name->leading.empty()) sample = name->leading.front();
  const Index samples = mask->tensor.shape.size() == 4 ? mask->tensor.shape.front() : 1;
  TensorName path{name->file, mask->tensor.name, {}};
  if (samples > 1) path.leading.push_back(sample.value_or(0));
  const auto import = import_mask(tensor_name_text(path), {.stop = work.stop});
  if (!import || import->is_text()) return std::nullopt;
  const auto& cells = std::get<std::shared_ptr<const ImportedMask>>(import->mask);
  const bool same = std::ranges::all_of(import->leading, [](Index size) { return size == 1; });
  if (same && is_causal(*cells, work)) return std::nullopt;
  return MaskBeside{tensor_name_text(path),
                    fmt::format("{}:{}", shown_path(file_name(path.file)), shortened(path.name, 40)), cells->extent(),
                    same};
}

}  // namespace vqscope
