// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/decode_lane.h"
#include "core/experiment/decode/paged_cache.h"

#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/field/field.h"

namespace vqscope {
namespace {

/// Category after the states: a token that is read at a wrong distance, or a slot that must not be
/// read.
constexpr int wrong = token_states;

/// Of slots that other lanes have, in the place of padding, which a paged cache does not keep.
constexpr const char* of_another = "another lane's";

/// [lanes, tokens] or [lanes, slots]: states.
class DecodeTraceField : public Field {
 public:
  DecodeTraceField(DecodeBatch batch, bool slots) : m_batch(std::move(batch)), m_slots(slots) {
    if (m_batch.is_paged()) m_paged.emplace(m_batch);
  }

  Extent extent() const override {
    const DecodeLane& any = m_batch.lanes.front();
    return {static_cast<Index>(m_batch.lanes.size()), m_slots ? slot_count() : any.padded + any.steps};
  }
  CellType cell_type() const override { return CellType::int32; }
  std::pair<double, double> value_range() const override { return {0, wrong}; }

  double at(Index row, Index col) const override {
    if (const auto position = position_of(row, col)) return state_of(row, *position);
    const bool read = m_batch.fault == DecodeFault::empty_visible && !m_paged && !rests(row);
    if (read) return wrong;
    return static_cast<int>(owner_of(row, col) ? TokenState::padding : TokenState::to_come);
  }

  CellReport report(Index row, Index col) const override;
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override;

 private:
  const DecodeLane& lane_of(Index row) const { return m_batch.lanes[static_cast<std::size_t>(row)]; }
  Index slot_count() const { return m_paged ? m_paged->slot_count() : m_batch.lanes.front().slot_count(); }
  bool rests(Index row) const { return m_batch.rests(lane_of(row)); }

  /// Position in a column; empty: an empty slot, or one of another lane.
  std::optional<Index> position_of(Index row, Index col) const {
    if (!m_slots) return col - lane_of(row).padding();
    return m_paged ? m_paged->position_in(row, col) : lane_of(row).in_slot(col, m_batch.newest(lane_of(row)));
  }

  /// The other lane that has the slot; empty: none, or slots are not shared.
  std::optional<Index> owner_of(Index row, Index slot) const {
    if (!m_paged) return std::nullopt;
    const Index owner = m_paged->owner(slot / lane_of(row).sizes.block_size);
    return owner < 0 || owner == row ? std::nullopt : std::optional(owner);
  }

  /// Whether the slot of a token that was written holds another one.
  bool is_overwritten(Index row, Index position) const {
    const bool written = position >= 0 && position <= m_batch.newest(lane_of(row)) && !rests(row);
    return m_paged && written && !m_paged->holds(row, position);
  }

  bool is_wrong(Index row, Index position) const {
    const DecodeLane& lane = lane_of(row);
    const Index newest = m_batch.newest(lane);
    if (rests(row)) return false;
    if ((position > lane.newest(m_batch.step) && position <= newest) || is_overwritten(row, position)) return true;
    return reads_wrong_distance(lane, m_batch.fault, position, newest);
  }

  /// Nothing is left of a lane that has ended.
  TokenState right_state(Index row, Index position) const {
    const Index newest = m_batch.newest(lane_of(row));
    if (!rests(row)) return lane_of(row).state(position, newest);
    return position < 0 || position > newest ? TokenState::padding : TokenState::evicted;
  }

  int state_of(Index row, Index position) const {
    return is_wrong(row, position) ? wrong : static_cast<int>(right_state(row, position));
  }

  void add_place(Index row, Index position, CellReport& report) const;

  DecodeBatch m_batch;
  std::optional<PagedCache> m_paged;
  bool m_slots;
};

std::string why_of(const DecodeLane& lane, Index position, Index newest) {
  const Index from = lane.kept_from(newest);
  switch (lane.state(position, newest)) {
    case TokenState::padding: return fmt::format("the lane has {} padding tokens before its prompt", lane.padding());
    case TokenState::to_come: return fmt::format("position {} comes after the newest, {}", position, newest);
    case TokenState::newest: return "the token that reads";
    case TokenState::evicted: return fmt::format("position {} is before {}, where the cache begins", position, from);
    case TokenState::compressed:
      return lane.sizes.policy == CachePolicy::vq
                 ? fmt::format("position {} is before {}: it is counted by its codeword", position, from)
                 : fmt::format("position {} is before {}: it is in the memory's matrix", position, from);
    case TokenState::searched:
      return fmt::format("position {} is in the memory, from which the best keys are read", position);
    case TokenState::cached: break;
  }
  if (position < from) return fmt::format("position {} is one of the {} sinks", position, lane.sizes.sinks);
  return fmt::format("position {} is in the cache, which begins at {}", position, from);
}

/// Where the token is kept.
void DecodeTraceField::add_place(Index row, Index position, CellReport& report) const {
  const DecodeLane& lane = lane_of(row);
  const Index newest = m_batch.newest(lane);
  if (m_paged) {
    if (position > newest) return;
    const Index slot = m_paged->slot(row, position), size = lane.sizes.block_size;
    report.facts.emplace_back("block", to_text(slot / size));
    if (!m_slots) report.facts.emplace_back("slot", to_text(slot));
    report.facts.emplace_back("block table", m_paged->table_text(row));
    if (const LaneToken held = m_paged->held(slot); held != LaneToken{row, position})
      report.why = fmt::format("slot {} holds position {} of lane {}", slot, held.position, held.lane);
  } else if (const auto slot = lane.slot_of(position, newest); slot && !m_slots) {
    report.facts.emplace_back("slot", to_text(*slot));
  }
}

CellReport DecodeTraceField::report(Index row, Index col) const {
  const DecodeLane& lane = lane_of(row);
  const Index newest = m_batch.newest(lane);
  const auto position = position_of(row, col);
  CellReport report;
  report.facts = {{"lane", to_text(row)}, {m_slots ? "slot" : "column", to_text(col)}};
  if (!position) {
    const auto owner = owner_of(row, col);
    report.facts.emplace_back("state", owner ? of_another : "empty");
    report.why = owner                   ? fmt::format("the block belongs to lane {}", *owner)
                 : at(row, col) == wrong ? "the slot is empty and must not be read"
                                         : "the slot has not been written";
    return report;
  }
  const bool real = *position >= 0;
  report.facts.emplace_back("state",
                            is_overwritten(row, *position) ? "overwritten" : name_of(right_state(row, *position)));
  if (real) report.facts.emplace_back("position", to_text(*position));
  if (rests(row)) {
    report.why = fmt::format("{}: it neither reads nor writes", end_of(lane));
    return report;
  }
  report.why = why_of(lane, *position, newest);
  if (real) add_place(row, *position, report);
  if (*position > lane.newest(m_batch.step) && *position <= newest)
    report.why = fmt::format("{} and must not write", end_of(lane));
  if (const auto left = lane.left_at(*position, newest)) {
    const Index step = *left - lane.prompt + 1;
    report.facts.emplace_back("left at", step > 0 ? "step " + to_text(step) : "prefill");
  }
  if (!real || *position > newest) return report;
  const Index given = given_position(lane, m_batch.fault, *position, newest);
  const Index query = given_position(lane, m_batch.fault, newest, newest);
  report.facts.emplace_back("position_id", to_text(given));
  report.facts.emplace_back("query position_id", to_text(query));
  report.facts.emplace_back("distance", to_text(query - given));
  if (query - given != newest - *position)
    report.why += fmt::format("; the distance is {}, expected {}", query - given, newest - *position);
  return report;
}

/// Numbers of the first lane's cache.
std::vector<std::pair<std::string, double>> DecodeTraceField::facts(const std::stop_token&) const {
  const DecodeLane& lane = m_batch.lanes.front();
  const Index newest = m_batch.newest(lane);
  return {{"step", static_cast<double>(m_batch.step)},
          {"newest_position", static_cast<double>(newest)},
          {"kept", static_cast<double>(lane.kept(newest))},
          {"slots", static_cast<double>(slot_count())}};
}

Categories trace_categories(const ParameterValues& values) {
  Categories categories{.count = token_states, .second = token_states};
  for (int state = 0; state < token_states; ++state)
    categories.groups.push_back({state, name_of(static_cast<TokenState>(state))});
  if (values.choice("policy") == "paged" && values.choice("columns") == "slots") {
    categories.groups[0].label = of_another;
    categories.groups[1].label = "empty";
  }
  if (values.choice("fault") == "none") return categories;
  categories.count = wrong + 1;  // the second ramp uses another colour
  categories.groups.push_back({wrong, "wrong"});
  return categories;
}

Result<std::shared_ptr<const Field>> make_decode_trace(const ParameterValues& values, const Work&) {
  return std::shared_ptr<const Field>(
      std::make_shared<DecodeTraceField>(decode_batch(values), values.choice("columns") == "slots"));
}

}  // namespace

Method decode_trace_method() {
  auto specs = decode_parameters();
  add_parameter(
      specs, "columns", "View", "Meaning of the columns.",
      {.default_value = std::string("tokens"),
       .choices = {{"tokens", "the tokens of the padded batch, in order"}, {"slots", "the slots of the cache"}}});
  return {
      .id = "decode_trace",
      .title = "Decoding, step by step",
      .category = "memory",
      .help = "What the cache of each lane of a batch holds when the newest token reads it, for eight kinds of cache.",
      .citation = {"Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks, section 3.2",
                   "Kwon et al. 2023, PagedAttention, section 4.3; Hugging Face transformers, cache_utils.py"},
      .parameters = std::move(specs),
      .free_parameters = step_parameter,
      .check = check_decode,
      .remark = decode_remark,
      .recipe = FieldRecipe{.row_title = "lane",
                            .col_title = "token or slot",
                            .value_title = "state",
                            .scale = ValueScale::categorical,
                            .row_name = "lane",
                            .col_name = [](const ParameterValues& values) { return values.choice("columns"); },
                            .related = {"decode_scores"},
                            .categories = trace_categories,
                            .make = make_decode_trace}};
}

}  // namespace vqscope
