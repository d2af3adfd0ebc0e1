// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/fused_tensors.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/capture/store/capture_names.h"
#include "core/capture/store/layer_tensor.h"

#include <string>

namespace vqscope {

std::optional<Index> fused_layer_of(std::string_view whole) {
  const std::string name = module_of_output(whole);
  constexpr std::string_view fused = "qkv_proj", q = "q_proj";
  const auto at = name.rfind(fused);
  if (at == std::string::npos) return std::nullopt;
  const std::string behind = name.substr(at + fused.size());
  if (!behind.empty() && behind != "_outputs" && behind != "[0]") return std::nullopt;
  const auto place = foreign_tensor_of(name.substr(0, at) + std::string(q) + "_outputs");
  return place ? std::optional(place->layer) : std::nullopt;
}

void split_fused(const std::vector<FusedTensor>& fused, Capture& capture) {
  for (const FusedTensor& each : fused) {
    const CaptureSizes sizes = sizes_of(capture, each.layer);
    const Index heads = sizes.heads.value_or(0), groups = sizes.key_heads.value_or(heads);
    const Index columns = each.tensor.shape.empty() ? 0 : each.tensor.shape.back();
    const Index parts = heads + 2 * groups;
    const bool whole = heads > 0 && columns > 0 && columns % parts == 0;
    if (!whole || (sizes.head_dim && columns != parts * *sizes.head_dim)) {
      capture.remarks.push_back(fmt::format("layer {}: {} columns of {} cannot be split into q, k and v: {}",
                                            each.layer, columns, shortened(each.tensor.name),
                                            heads > 0
                                                ? fmt::format("{} heads and {} key heads were told", heads, groups)
                                                : std::string("no config tells the numbers of heads")));
      continue;
    }
    Index first = 0;
    for (const auto& [role, count] :
         {std::pair{TensorRole::q, heads}, std::pair{TensorRole::k, groups}, std::pair{TensorRole::v, groups}}) {
      CapturedTensor part = each.tensor;
      part.shape.back() = count * (columns / parts);
      part.first_column = first;
      part.stored_columns = columns;
      first += part.shape.back();
      capture.layers[each.layer].emplace(role, std::move(part));
    }
  }
}

}  // namespace vqscope
