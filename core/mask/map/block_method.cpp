// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/methods.h"

#include "core/mask/map/block_field.h"
#include "core/mask/preset/presets.h"

namespace vqscope {
namespace {

Result<std::shared_ptr<const Field>> make_blocks(const ParameterValues& values, const Work& work) {
  auto mask = make_preset_mask(values, work.stop);
  if (!mask) return mask.error();
  const Index size = values.integer("block_size");
  return std::shared_ptr<const Field>(std::make_shared<BlockField>(BlockView(std::move(*mask), {size, size})));
}

Categories block_categories(const ParameterValues&) {
  return {.count = 3, .second = 3, .groups = {{0, "empty"}, {1, "partial"}, {2, "full"}}};
}

}  // namespace

Method block_method() {
  const Method visibility = visibility_method();
  auto parameters = visibility.parameters;
  parameters.push_back(make_parameter("block_size", "Blocks",
                                      "Number of queries and of keys in a block: BLOCK_SIZE in FlexAttention.",
                                      {.label = "Block",
                                       .default_value = Index{128},
                                       .minimum = 1,
                                       .maximum = 65536,
                                       .logarithmic = true,
                                       .unit = "tokens"}));
  return {
      .id = "mask_blocks",
      .title = "Blocks",
      .category = "masks",
      .help = "What a block-sparse kernel does with each block: 0 skips it, 1 applies the mask, 2 computes it in full.",
      .citation = {"Dong et al. 2024, Flex Attention, section 3.3", "PyTorch, torch.nn.attention.flex_attention"},
      .parameters = std::move(parameters),
      .free_parameters = visibility.free_parameters,
      .check = visibility.check,
      .recipe = FieldRecipe{.row_title = "query block",
                            .col_title = "key block",
                            .value_title = "block",
                            .scale = ValueScale::categorical,
                            .categories = block_categories,
                            .make = make_blocks,
                            .make_checks = true}};
}

}  // namespace vqscope
