// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/mask_test/mask_test_model.h"

#include "core/base/sentence.h"
#include "core/mask/import/imported_mask.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

std::vector<std::int32_t> MaskScenario::positions() const {
  std::vector<std::int32_t> positions;
  for (Index q = 0; q < layout.q_length(); ++q) positions.push_back(static_cast<std::int32_t>(layout.q_pos(q)));
  return positions;
}

Result<void> check_tested_mask(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  if (!preset.is_cross()) return {};
  return invalid("mask is {}, whose queries and keys are two sequences but must be a mask of self-attention",
                 preset.id);
}

namespace {

/// `visibility`'s values over the sequence.
ParameterValues placed(const ParameterValues& values, const ScenarioSequence& sequence) {
  const Index keys = sequence.q_length + sequence.past_len;
  ParameterValues all = with_sequence(values, {sequence.q_length, keys}, sequence.past_len);
  all.set("padding_side", std::string("left"));
  all.set("padding", sequence.left_padding);
  if (!sequence.document_lengths.empty()) all.set("document_lengths", sequence.document_lengths);
  return all;
}

/// Rows of a mask from `first` on, cut to the extent.
std::shared_ptr<const Mask> part_of(const Mask& whole, Index first, const Extent& extent) {
  ImportedRuns runs;
  std::vector<Range> row;
  std::vector<KeyInterval> intervals;
  for (Index q = 0; q < extent.rows; ++q) {
    whole.row(first + q, row);
    intervals.clear();
    for (const Range& keys : row)
      if (keys.begin < extent.cols)
        intervals.push_back(
            {static_cast<std::uint32_t>(keys.begin), static_cast<std::uint32_t>(std::min(keys.end, extent.cols))});
    runs.append(intervals);
  }
  return std::make_shared<ImportedMask>(extent, std::move(runs));
}

}  // namespace

Result<MaskScenario> mask_scenario(const ParameterValues& values, const ScenarioSequence& sequence,
                                   const std::stop_token& stop) {
  if (auto checked = check_tested_mask(values); !checked) return checked.error();
  const ParameterValues all = placed(values, sequence);
  auto layout = SequenceLayout::make(preset_sequence(all));
  if (!layout) return layout.error();
  auto mask = make_preset_mask(all, stop);
  if (!mask) return mask.error();
  return MaskScenario{std::move(*layout), std::move(*mask)};
}

Result<std::shared_ptr<const Mask>> whole_imported_mask(const ParameterValues& values, const std::stop_token& stop) {
  const Index rows = imported_row_count(values);
  auto mask = make_imported_mask(values, {rows, rows}, stop);
  if (mask || mask.error().code == Errc::cancelled) return mask;
  return invalid("the imported mask has {} rows but must be a square of queries and keys: {}", rows,
                 mask.error().message);
}

Result<MaskScenario> imported_scenario(const ParameterValues& values, const Mask& whole,
                                       const ScenarioSequence& sequence) {
  assert(sequence.left_padding == 0);
  auto layout = SequenceLayout::make(preset_sequence(placed(values, sequence)));
  if (!layout) return layout.error();
  const Index keys = sequence.q_length + sequence.past_len;
  return MaskScenario{std::move(*layout), part_of(whole, sequence.past_len, {sequence.q_length, keys})};
}

}  // namespace vqscope
