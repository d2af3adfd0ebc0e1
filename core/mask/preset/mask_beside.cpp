// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_beside.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/import/imported_mask.h"
#include "core/mask/preset/mask_import.h"
#include "core/method/qkv/qkv_names.h"

namespace vqscope {
namespace {

/// The name of the mask in the file of `tensor`, of the same sample.
std::optional<TensorName> mask_in_file_of(const TensorName& tensor) {
  const auto file = open_file(tensor.file);
  if (!file) return std::nullopt;
  auto listed = list_tensors(*file, tensor.file, TensorUse::flags);
  if (!listed) return std::nullopt;
  std::vector<FileTensor> all;
  for (auto& each : *listed) all.push_back({tensor.file, std::move(each)});
  const auto mask = mask_among(all);
  return mask ? std::optional(TensorName{tensor.file, mask->tensor.name, {}}) : std::nullopt;
}

struct Differences {
  bool hides = false;  ///< a key that causal attention sees
  bool shows = false;  ///< a later key
};

/// From the causal mask, whose last query is that of the last key.
Differences differences_of(const Mask& mask, const Work& work) {
  Differences found;
  const Extent extent = mask.extent();
  std::vector<Range> row;
  for (Index q = 0; q < extent.rows && !work.stop.stop_requested() && !(found.hides && found.shows); ++q) {
    row.clear();
    mask.row(q, row);
    const Index end = q + extent.cols - extent.rows + 1;
    Index seen = 0;
    for (const Range& keys : row) {
      seen += std::max<Index>(std::min(keys.end, end) - keys.begin, 0);
      found.shows = found.shows || keys.end > end;
    }
    found.hides = found.hides || seen < end;
  }
  return found;
}

}  // namespace

std::string unapplied_mask(const std::string& tensor, const Work& work) {
  const auto name = parse_tensor_name(tensor);
  if (!name || name->file == "-") return {};
  const auto mask = mask_in_file_of(*name);
  if (!mask) return {};
  ImportOptions options{.stop = work.stop};
  if (!name->leading.empty()) options.batch = name->leading.front();
  auto import = import_mask(tensor_name_text(*mask), options);
  if (!import) import = import_mask(tensor_name_text(*mask), {.stop = work.stop});  // one sample for all
  if (!import || import->is_text()) return {};
  const auto& cells = std::get<std::shared_ptr<const ImportedMask>>(import->mask);
  const Differences differences = differences_of(*cells, work);
  if (!differences.hides && !differences.shows) return {};
  return fmt::format("the mask {}:{} is not applied; it {}", shown_path(file_name(mask->file)),
                     shortened(mask->name, 40),
                     !differences.shows   ? "hides keys that causal attention sees"
                     : !differences.hides ? "shows keys that causal attention hides"
                                          : "hides and shows other keys than causal attention");
}

}  // namespace vqscope
