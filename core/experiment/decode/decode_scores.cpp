// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/experiment/decode/decode_lane.h"
#include "core/experiment/decode/paged_cache.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_score_points = 1000;
constexpr std::array<std::string_view, 5> rope_names{"rope_type", "rope_theta", "head_dim", "factor",
                                                     "original_max_position_embeddings"};

/// Keys that the newest token reads one by one, ascending; a selection if there are many.
std::vector<double> read_positions(const DecodeLane& lane, Index newest) {
  const Index from = lane.kept_from(newest);
  std::vector<double> positions;
  if (lane.sizes.policy == CachePolicy::sinks)
    for (Index sink = 0; sink < std::min(from, std::min(lane.sizes.sinks, most_score_points)); ++sink)
      positions.push_back(static_cast<double>(sink));
  for (const double position : mixed_axis(from, newest, most_score_points)) positions.push_back(position);
  return positions;
}

RopeScaling decode_scaling(const ParameterValues& values) {
  RopeScaling scaling;
  scaling.rope_type = values.choice("rope_type");
  scaling.rope_theta = values.real("rope_theta");
  scaling.head_dim = values.integer("head_dim");
  scaling.factor = values.real("factor");
  scaling.original_max_position_embeddings = values.integer("original_max_position_embeddings");
  return scaling;
}

Result<CurveSet> make_decode_scores(const ParameterValues& values, const Work& work) {
  const DecodeBatch batch = decode_batch(values);
  const Index row = values.integer("lane");
  const DecodeLane& lane = batch.lanes[static_cast<std::size_t>(row)];
  const Index newest = batch.newest(lane);
  const auto paged = batch.is_paged() && !batch.rests(lane) ? std::optional<PagedCache>(batch) : std::nullopt;
  const CachedScores scores(lane, decode_scaling(values), batch.fault, newest);
  CurveSet set{.x_name = "key_position",
               .x_title = "position of the cached key",
               .y_title = "score with the newest token",
               .formula =
                   "Σ cos(p_q f_q - p_k f_k) over the pairs of RoPE, times the attention factors, for identical "
                   "tokens; right: true positions and the frequencies of the current length; as decoded: positions "
                   "as given, the key with the frequencies of the length at which it was written",
               .x = read_positions(lane, newest),
               .curves = {{"right", {}}, {"as decoded", {}}, {"error", {}}}};
  double largest = 0;
  for (const double x : set.x) {
    if (work.stop.stop_requested()) return cancelled();
    const auto position = static_cast<Index>(x);
    const Index read = paged ? paged->held(paged->slot(row, position)).position : position;
    const double right = scores.right(position), decoded = scores.as_decoded(read);
    set.curves[0].y.push_back(right);
    set.curves[1].y.push_back(decoded);
    set.curves[2].y.push_back(decoded - right);
    largest = std::max(largest, std::abs(decoded - right));
  }
  set.exact = static_cast<Index>(set.x.size()) == lane.kept(newest);
  if (static_cast<double>(lane.prompt) > set.x.front() && lane.prompt <= newest)
    set.marks = {{static_cast<double>(lane.prompt), "first new token"}};
  set.facts = {{"largest_error", largest}, {"newest_position", static_cast<double>(newest)}};
  return set;
}

Result<void> check_decode_scores(const ParameterValues& values) {
  if (auto checked = check_decode(values); !checked) return checked;
  const auto lanes = static_cast<Index>(values.integers("lengths").size());
  if (values.integer("lane") >= lanes)
    return invalid("lane is {} but must be 0 to {}, one of the lengths", values.integer("lane"), lanes - 1);
  return decode_scaling(values).check();
}

}  // namespace

CachedScores::CachedScores(const DecodeLane& lane, const RopeScaling& scaling, DecodeFault fault, Index newest)
    : m_lane(lane), m_scaling(scaling), m_fault(fault), m_newest(newest) {
  m_now = at_length(newest + 1);
  m_at_prefill = at_length(std::min(lane.prompt, newest + 1));
}

RopeFrequencies CachedScores::at_length(Index length) const {
  RopeScaling scaling = m_scaling;
  scaling.seq_len = length;
  return rope_frequencies(scaling);
}

double CachedScores::score(Index query, const RopeFrequencies& of_query, Index key,
                           const RopeFrequencies& of_key) const {
  long double sum = 0;
  for (std::size_t i = 0; i < of_query.inv_freq.size(); ++i)
    sum += std::cos(static_cast<long double>(query) * of_query.inv_freq[i] -
                    static_cast<long double>(key) * of_key.inv_freq[i]);
  return static_cast<double>(sum) * of_query.attention_factor * of_key.attention_factor;
}

double CachedScores::as_decoded(Index position) const {
  const Index query = given_position(m_lane, m_fault, m_newest, m_newest);
  const Index key = given_position(m_lane, m_fault, position, m_newest);
  if (position == m_newest) return score(query, m_now, key, m_now);
  return score(query, m_now, key, position < m_lane.prompt ? m_at_prefill : at_length(position + 1));
}

double CachedScores::right(Index position) const { return score(m_newest, m_now, position, m_now); }

Method decode_scores_method() {
  auto specs = decode_parameters();
  add_parameter(specs, "lane", "Batch", "Lane whose scores are shown.",
                {.default_value = Index{0}, .minimum = 0, .maximum = 63});
  for (auto& spec : rope_parameters(rope_names)) specs.push_back(std::move(spec));
  return {.id = "decode_scores",
          .title = "Scores with cached keys",
          .category = "memory",
          .help = "RoPE scores of the newest token with cached keys, as decoded and as they should be.",
          .citation = {"Su et al. 2021, RoFormer, section 3.4.2; Ding et al. 2024, LongRoPE",
                       "Hugging Face transformers, modeling_rope_utils.py"},
          .parameters = std::move(specs),
          .free_parameters = step_parameter,
          .check = check_decode_scores,
          .remark = decode_remark,
          .recipe = CurveRecipe{.make = make_decode_scores}};
}

}  // namespace vqscope
