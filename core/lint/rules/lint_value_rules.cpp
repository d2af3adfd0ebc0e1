// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Whether the most negative number of the fill's dtype is -inf in `dtype`.
bool becomes_infinite(const std::string& backend, const std::string& dtype) {
  if (backend == "additive_f32") return dtype != "float32";
  return backend == "additive_bf16" && dtype == "float16";
}

/// Cells that the causal mask and the padding mask both mask, if they are separate tensors.
CellTally in_both_planes(const LintCase& given) {
  const SequenceLayout& layout = given.layout;
  const Extent extent{layout.q_length(), layout.kv_length()};
  const CellSet future = columns_beyond(extent, layout.query_source() == QuerySource::keys ? layout.past_len() : 0);
  CellSet padding;
  for (const TokenRun& run : layout.kv_runs())
    if (!run.valid) padding.append(Band::whole({0, extent.rows}, run.tokens));
  CellTally tally;
  CountBudget unlimited;
  tally.wrong = common_cells(padding, future, {0, extent.rows}, unlimited);
  if (tally.wrong == 0) return tally;
  // Later rows have fewer keys ahead, so if any row has such a cell, the first one does.
  const Index ahead = future.columns().begin;
  tally.row = 0;
  tally.key = std::max(ahead, padding.columns().begin);
  return tally;
}

void summed_planes(const LintCase& given, std::vector<Finding>& out) {
  const CellTally tally = in_both_planes(given);
  if (tally.wrong == 0) return;
  const bool half = given.dtype == "float16";
  out.push_back(cell_finding(Severity::warning, tally,
                             fmt::format("row {}, key {} is masked by causal and by padding: two times finfo({}).min "
                                         "is {} and overflows to -inf; a row of only -inf gives NaN",
                                         tally.row, tally.key, given.dtype, half ? "-131008" : "beyond the dtype")));
}

RulePlan additive_overflow(const LintCase& given) {
  const Backend* backend = find_backend(given.backend);
  const bool added = backend && backend->polarity == MaskPolarity::added;
  if (!given.summed && !added) return skipped("no additive mask is set");
  RulePlan plan;
  plan.conclude = [&given, added](const Tallies& tallies, std::vector<Finding>& out) {
    if (given.summed && looks_back(given.objective)) summed_planes(given, out);
    if (!added || !becomes_infinite(given.backend, given.dtype)) return;
    const bool empty = tallies.rows.real + tallies.rows.padding > 0;
    const std::uint64_t rows = tallies.rows.real + tallies.rows.padding;
    out.push_back(
        finding(empty ? Severity::error : Severity::warning, {}, {},
                fmt::format("{} is -inf in {}{}", find_backend(given.backend)->fill, given.dtype,
                            empty ? fmt::format(", so {} without a visible key are NaN", counted(rows, "row")) : "")));
  };
  return plan;
}

/// A masked key with a larger value keeps a weight that matters.
constexpr double too_little = -50;
/// With more different numbers than this, the mask holds biases.
constexpr std::size_t few_numbers = 2;

/// Fault of one number of an additive mask; empty: none.
std::string number_sentence(double number, const std::string& dtype, bool only_one) {
  const std::string text = to_text(number);
  if (number > 0)
    return fmt::format(
        "the additive mask also holds {}: where a block of 0 and 1 is added, its 0 masks nothing; it must be 0 and "
        "{}",
        text, dtype == "float16" ? "-65504" : "-inf");
  if (number > too_little && only_one)
    return fmt::format("{} is added where a key is masked: it keeps a factor of e^{} and stays visible", text, text);
  if (!std::isinf(number) && std::isinf(number_type(dtype).rounded(number)))
    return fmt::format("{} is -inf in {}: torch cannot fill a tensor with this value, and a fully masked row is NaN",
                       text, dtype);
  return {};
}

RulePlan masked_value(const LintCase& given) {
  if (given.mask_numbers.empty()) return skipped("masked_value is not set");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto& numbers = given.mask_numbers;
    const bool biases = numbers.size() > few_numbers;
    for (const double number : numbers) {
      if (biases && number > too_little) continue;
      if (const auto sentence = number_sentence(number, given.dtype, numbers.size() == 1); !sentence.empty())
        out.push_back(finding(Severity::error, {}, {}, sentence));
    }
  };
  return plan;
}

/// A key that a query sees, with its bias.
struct BiasedKey {
  Index key = 0;
  Index position = 0;
  double bias = 0;
};

std::vector<BiasedKey> biased_keys(const LintCase& given, Index q) {
  CountBudget budget{.left = most_steps_of_an_answer};
  std::vector<Range> row;
  std::vector<BiasedKey> keys;
  if (!read_row(*given.mask, q, budget, row)) return keys;
  for (const Range& range : row)
    for (Index key = range.begin; key < range.end; ++key)
      if (given.layout.key_valid(key))
        keys.push_back({key, given.layout.kv_pos(key),
                        given.alibi_bias[given.alibi_bias.size() == 1 ? 0 : static_cast<std::size_t>(key)]});
  std::ranges::sort(keys, {}, &BiasedKey::position);
  return keys;
}

/// Fault of a bias that must increase linearly with key position; `at`: the key with the fault.
std::string bias_sentence(const std::vector<BiasedKey>& keys, Index& at) {
  const auto slope = [&](std::size_t i) {
    return (keys[i].bias - keys[i - 1].bias) / static_cast<double>(keys[i].position - keys[i - 1].position);
  };
  at = keys.back().key;
  if (std::ranges::all_of(keys, [&](const BiasedKey& each) { return each.bias == keys.front().bias; }))
    return fmt::format("has the same bias, {}, at each of its {} keys: ALiBi has no effect", to_text(keys.front().bias),
                       keys.size());
  const double first = slope(1);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    at = keys[i].key;
    if (slope(i) <= 0) return fmt::format("has a bias that does not grow towards the query at key {}", at);
    if (std::abs(slope(i) - first) > 0.02 * first)
      return fmt::format(
          "has a bias that grows by {} per token at key {} and by {} before: ALiBi has one slope per head",
          to_text(slope(i), 4), at, to_text(first, 4));
  }
  if (first < 1) return {};
  at = keys[keys.size() - 2].key;
  return fmt::format(
      "has a bias that grows by {} per token: ALiBi's slopes, 2^(-8 (head + 1) / num_heads) with heads from 0, are "
      "below 1",
      to_text(first, 4));
}

RulePlan alibi_bias(const LintCase& given) {
  if (given.alibi_bias.empty()) return skipped("alibi_bias is not given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    Index q = given.layout.q_length() - 1;
    while (q > 0 && !given.layout.q_valid(q)) --q;
    const auto keys = biased_keys(given, q);
    if (keys.size() < 2) return;
    Index at = -1;
    const std::string sentence = bias_sentence(keys, at);
    if (sentence.empty()) return;
    out.push_back(finding(Severity::error, q, at, fmt::format("query {} {}", q, sentence)));
    out.back().rows = {{q, q + 1}};
  };
  return plan;
}

}  // namespace

std::vector<LintRule> value_rules() {
  return {
      {{"masked_value", "Masked value",
        "The value added for a masked key is low enough to mask it and finite in the dtype.",
        "pytorch, finfo(dtype).min; vllm speculators#897"},
       masked_value},
      {{"additive_overflow", "Additive values overflow",
        "Sums and casts of the masked value stay finite in the dtype of the scores.", "NeMo#2658"},
       additive_overflow},
      {{"alibi_bias", "ALiBi bias off",
        "The bias of the last query increases linearly with key position, by less than 1 per token.",
        "Press et al. 2022; keras-hub#2977"},
       alibi_bias},
  };
}

}  // namespace vqscope
