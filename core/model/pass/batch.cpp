// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/batch.h"

#include "core/base/sentence.h"
#include "core/model/layer/layers.h"
#include "core/model/tensors/parameter_layout.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

using Numbers = std::span<const std::int32_t>;

std::string place_of(const Batch& batch, Index at) {
  return fmt::format("row {}, position {}", at / batch.length, at % batch.length);
}

Result<void> check_sizes(const Batch& batch) {
  if (batch.rows < 1 || batch.length < 1 || batch.rows > (Index{1} << 40) / batch.length)
    return invalid("the batch has the shape {} but must have at least one row and one token",
                   shape_text({batch.rows, batch.length}));
  const std::array<std::pair<const char*, Numbers>, 5> all{{{"tokens", batch.tokens},
                                                            {"labels", batch.labels},
                                                            {"position_ids", batch.position_ids},
                                                            {"doc_ids", batch.doc_ids},
                                                            {"pad_mask", batch.pad_mask}}};
  for (const auto& [name, numbers] : all) {
    const auto size = static_cast<Index>(numbers.size());
    if (size == batch.tokens_count() || (size == 0 && numbers.data() != batch.tokens.data())) continue;
    return invalid("{} has {} numbers but must have {}", name, size, batch.tokens_count());
  }
  return {};
}

/// `also` is valid besides 0 to end - 1.
Result<void> check_below(const Batch& batch, const char* name, Numbers numbers, Index end, std::int32_t also) {
  const auto beyond = std::ranges::find_if(numbers, [&](std::int32_t n) { return (n < 0 || n >= end) && n != also; });
  if (beyond == numbers.end()) return {};
  return invalid("{} has {} at {} but must be from 0 to {}{}", name, *beyond, place_of(batch, beyond - numbers.begin()),
                 end - 1, also < 0 ? fmt::format(" or {}", also) : "");
}

/// FIRE's table has an entry for every position and distance.
Result<void> check_fire(const TransformerConfig& config, const Batch& batch) {
  if (config.score_bias() != PositionKind::fire) return {};
  constexpr Index most = Index{1} << 28;
  const Index distances = std::max<Index>(1, config.distances(batch.length));
  if (batch.length > most / config.n_heads / distances)
    return invalid("the sequences have {} tokens, FIRE's bias of {} heads must have at most {} numbers, {} per head",
                   batch.length, config.n_heads, most, config.quantises() ? "tokens · (block_len + 2)" : "tokens²");
  return check_below(batch, "position_ids", batch.position_ids, batch.length, 0);
}

}  // namespace

Result<void> check_batch(const TransformerConfig& config, const Batch& batch) {
  if (auto checked = check_sizes(batch); !checked) return checked;
  if (auto checked = check_below(batch, "tokens", batch.tokens, config.vocab, 0); !checked) return checked;
  if (auto checked = check_below(batch, "labels", batch.labels, config.vocab, uncounted_label); !checked)
    return checked;
  if (auto checked = check_fire(config, batch); !checked) return checked;
  const bool table = config.pos == PositionKind::learned;
  if (table && batch.position_ids.empty() && batch.first + batch.length > config.max_pos)
    return invalid("the sequences have {} tokens, the table of learned positions has {}", batch.first + batch.length,
                   config.max_pos);
  return check_below(batch, "position_ids", batch.position_ids, table ? config.max_pos : Index{1} << 31, 0);
}

std::vector<std::int32_t> columns_of(std::span<const std::int32_t> all, Index length, Range some) {
  std::vector<std::int32_t> columns;
  for (Index row = 0; row < std::ssize(all) / length; ++row) {
    const auto begin = all.begin() + row * length;
    columns.insert(columns.end(), begin + some.begin, begin + some.end);
  }
  return columns;
}

Index counted_labels(const Batch& batch) {
  return std::ranges::count_if(batch.labels, [](std::int32_t label) { return label != uncounted_label; });
}

}  // namespace vqscope
