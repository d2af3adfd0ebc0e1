// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/blocks/block_mask_method.h"

#include "core/cells/count_budget.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/run_result.h"

#include <algorithm>
#include <thread>

namespace vqscope {
namespace {

Method make_method() {
  Method method = block_method();
  method.id = "block_mask";
  method.title = "Block lists";
  method.help =
      "The blocks that a block-sparse kernel visits, as FlexAttention's BlockMask has them: for each block of queries "
      "the partial and the full blocks of keys, and the other way round. Blocks cut by a length are partial.";
  for (ParameterSpec& spec : block_mask_parameters()) method.parameters.push_back(std::move(spec));
  const std::string arrays =
      "int32 kv_num_blocks [B, H, R], kv_indices [B, H, R, C], full_kv_num_blocks, full_kv_indices, and the same of q; "
      "block_size and lengths of queries and keys";
  method.recipe = RunRecipe{.inputs = {},
                            .outputs = {{"npz", arrays}, {"safetensors", "the same arrays"}},
                            .implied = {},
                            .make = [](RunRequest, const ParameterValues&, const Work&) -> Result<RunResult> {
                              return invalid("the lists of block_mask are written by vqscope export block_mask");
                            }};
  return method;
}

}  // namespace

const Method& block_mask_method() {
  static const Method method = make_method();
  return method;
}

Result<BlockLists> block_lists_of(const ParameterValues& values, Index kv_block_size, const Work& work) {
  auto mask = make_preset_mask(values, work.stop);
  if (!mask) return mask.error();
  const Index size = values.integer("block_size");
  return make_block_lists(BlockView(std::move(*mask), {size, kv_block_size > 0 ? kv_block_size : size}),
                          {.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency())),
                           .progress = work.progress,
                           .stop = work.stop,
                           .most_steps = most_steps_of_a_file});
}

std::vector<ParameterSpec> block_mask_parameters() {
  return {make_parameter(
              std::string(kv_block_size_name), "Blocks", "Number of keys in a block.",
              {.default_value = Index{0}, .minimum = 0, .maximum = 65536, .unit = "tokens", .automatic = "block_size"}),
          make_parameter(std::string(trim_name), "Blocks",
                         "Whether an array of indices is as wide as its largest count; else as wide as all blocks, "
                         "which torch takes for their number.",
                         {.default_value = true})};
}

}  // namespace vqscope
