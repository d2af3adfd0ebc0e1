// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <cmath>
#include <set>

namespace vqscope {
namespace {

void try_plain(CauseSearch& search, const char* id) {
  ToldRope plain = *search.told().rope;
  const double factor = plain.scaling.factor;
  plain.scaling.rope_type = "default";
  const JsonObject parameters{{"factor", factor}};
  Recipe changed = search.recipe();
  const double attention = changed.rope.attention_factor;
  changed.rope = plain.law();
  search.add(id, parameters, changed, 1);
  // The frequencies alone are plain.
  changed.rope.attention_factor = attention;
  search.add(id, parameters, changed, 2);
}

void try_lengths(CauseSearch& search) {
  const ToldRope& told = *search.told().rope;
  const Index own = std::max(told.scaling.seq_len, told.scaling.original_max_position_embeddings);
  const Index trained = told.scaling.original_max_position_embeddings,
              total = search.sample().past + search.sample().queries;
  std::set<Index> lengths{trained, total, total + 1, search.sample().queries, search.sample().past};
  for (Index length = trained; length <= 8 * trained + 64; length += std::max<Index>(1, trained / 64))
    lengths.insert(length);
  for (Index length = trained; length <= trained + 128; ++length) lengths.insert(length);
  for (const Index length : lengths) {
    if (length < trained || length == own) continue;
    ToldRope other = told;
    other.scaling.seq_len = length;
    Recipe changed = search.recipe();
    changed.rope = other.law();
    search.add("ntk_length", {{"a", own}, {"b", length}}, changed, length == trained || length == total ? 1 : 2);
  }
}

/// Logits alone carry the square of the told factor.
void try_factors_of_logits(CauseSearch& search) {
  const double factor = search.told().rope ? search.told().rope->law().attention_factor : 1;
  if (factor == 1 || search.inputs().logits.values.empty()) return;
  Recipe changed = search.recipe();
  changed.scale = search.recipe().scale / (factor * factor);
  search.add("attention_factor_missing", {{"a", factor}, {"b", 1.0}}, changed, 1);
  changed.scale = search.recipe().scale * factor * factor;
  search.add("attention_factor_squared", {{"a", factor}, {"b", factor * factor}}, changed, 1);
}

}  // namespace

void try_scaling_causes(CauseSearch& search) {
  const Recipe& own = search.recipe();
  if (!search.inputs().has_vectors()) try_factors_of_logits(search);
  if (!search.inputs().has_vectors() || !own.rope.rotates) return;
  if (own.rope.attention_factor != 1) {
    const double factor = own.rope.attention_factor;
    Recipe changed = own;
    changed.rope.attention_factor = 1;
    search.add("attention_factor_missing", {{"a", factor}, {"b", 1.0}}, changed, 1);
    changed.rope.attention_factor = factor * factor;
    search.add("attention_factor_squared", {{"a", factor}, {"b", factor * factor}}, changed, 1);
  }
  if (!search.told().rope) return;
  const std::string& type = search.told().rope->scaling.rope_type;
  if (type == "linear") try_plain(search, "rope_factor_missing");
  if (type == "yarn") try_plain(search, "yarn_factor_missing");
  if (type == "llama3") try_plain(search, "llama3_missing");
  if (type == "dynamic") try_lengths(search);
}

}  // namespace vqscope
