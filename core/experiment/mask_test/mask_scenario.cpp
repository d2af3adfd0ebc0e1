// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/mask_test/mask_scenario.h"

#include "core/base/sentence.h"
#include "core/mask/preset/presets.h"

namespace vqscope {

std::vector<std::int32_t> MaskScenario::positions() const {
  std::vector<std::int32_t> positions;
  for (Index q = 0; q < layout.q_length(); ++q) positions.push_back(static_cast<std::int32_t>(layout.q_pos(q)));
  return positions;
}

Result<void> check_tested_mask(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  if (!preset.is_cross() && preset.id != imported_mask_id) return {};
  return invalid("mask is {}, which has only one sequence, must be a preset of self-attention or a text", preset.id);
}

Result<MaskScenario> mask_scenario(const ParameterValues& values, const ScenarioSequence& sequence,
                                   const std::stop_token& stop) {
  if (auto checked = check_tested_mask(values); !checked) return checked.error();
  const Index keys = sequence.q_length + sequence.past_len;
  ParameterValues placed = with_sequence(values, {sequence.q_length, keys}, sequence.past_len);
  placed.set("padding_side", std::string("left"));
  placed.set("padding", sequence.left_padding);
  if (!sequence.document_lengths.empty()) placed.set("document_lengths", sequence.document_lengths);
  auto layout = SequenceLayout::make(preset_sequence(placed));
  if (!layout) return layout.error();
  auto mask = make_preset_mask(placed, stop);
  if (!mask) return mask.error();
  return MaskScenario{std::move(*layout), std::move(*mask)};
}

}  // namespace vqscope
