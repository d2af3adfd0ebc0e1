// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/table/table_values.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace vqscope {
namespace {

using Rows = std::vector<std::vector<double>>;

/// One head whose q, k and v are random projections of its tokens.
struct Head {
  Index dims;
  std::uint64_t seed;

  std::vector<double> project(const std::vector<double>& x, std::uint64_t which) const;
};

std::vector<double> Head::project(const std::vector<double>& x, std::uint64_t which) const {
  std::vector<double> y;
  const double scale = 1 / std::sqrt(static_cast<double>(dims));
  for (Index row = 0; row < dims; ++row) {
    double sum = 0;
    for (Index col = 0; col < dims; ++col)
      sum += scale * drawn_normal(seed + which, row, col) * x[static_cast<std::size_t>(col)];
    y.push_back(sum);
  }
  return y;
}

/// Where positions enter: in tokens, in q and k, or in scores.
struct PositionKind {
  std::string id;
  std::function<void(std::vector<double>& token, Index position)> embed = {};
  bool is_rotated = false;
  std::function<double(Index q, Index k)> bias = {};  ///< -∞ of a masked key
};

/// One layer of attention.
Rows attend(const Head& head, const Rows& tokens, const PositionKind& kind) {
  const Rotation rotation({.head_dim = head.dims}, PairLayout::half_split);
  Rows q, k, v, out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::vector<double> token = tokens[i];
    const auto position = static_cast<Index>(i);
    if (kind.embed) kind.embed(token, position);
    q.push_back(head.project(token, 1));
    k.push_back(head.project(token, 2));
    v.push_back(head.project(token, 3));
    if (!kind.is_rotated) continue;
    for (auto* rows : {&q, &k}) {
      std::vector<double> turned(rows->back().size());
      rotation.apply(rows->back(), position, turned);
      rows->back() = turned;
    }
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    std::vector<double> weighted(v[i].size());
    double sum = 0;
    for (std::size_t j = 0; j < k.size(); ++j) {
      const double added = kind.bias ? kind.bias(static_cast<Index>(i), static_cast<Index>(j)) : 0;
      const double weight = std::exp(dot(q[i], k[j]) / std::sqrt(static_cast<double>(head.dims)) + added);
      sum += weight;
      for (std::size_t c = 0; c < weighted.size(); ++c) weighted[c] += weight * v[j][c];
    }
    for (double& each : weighted) each /= sum;
    out.push_back(std::move(weighted));
  }
  return out;
}

std::vector<PositionKind> position_kinds(Index dims) {
  const auto rates = turns_of(rope_frequencies({.head_dim = dims}).inv_freq);
  PositionKind sinusoidal{.id = "sinusoidal"};
  sinusoidal.embed = [rates](std::vector<double>& token, Index position) {
    for (std::size_t pair = 0; pair < rates.size(); ++pair) {
      const Turns angle = static_cast<Turns>(position) * rates[pair];
      token[2 * pair] += sine(angle);
      token[2 * pair + 1] += cosine(angle);
    }
  };
  PositionKind alibi{.id = "alibi"};
  alibi.bias = [](Index q, Index k) { return -0.5 * static_cast<double>(std::abs(q - k)); };
  PositionKind causal{.id = "causal_mask"};
  causal.bias = [](Index q, Index k) { return k <= q ? 0 : -std::numeric_limits<double>::infinity(); };
  return {{.id = "no_positions"}, causal, sinusoidal, {.id = "rope", .is_rotated = true}, alibi};
}

/// order[i] is the token that moves to place i (Fisher and Yates).
std::vector<std::size_t> shuffled(Index count, std::uint64_t seed) {
  std::vector<std::size_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::size_t{0});
  SeededRandom random(seed);
  for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.bits() % (i + 1)]);
  return order;
}

Result<std::vector<std::size_t>> order_of(const ParameterValues& values) {
  const auto& given = values.integers("permutation");
  const Index count = values.integer("q_length");
  if (given.empty()) return shuffled(count, static_cast<std::uint64_t>(values.integer("seed")));
  std::vector<std::size_t> order(given.begin(), given.end()), sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size() || i < static_cast<std::size_t>(count); ++i)
    if (sorted.size() != static_cast<std::size_t>(count) || sorted[i] != i)
      return invalid("permutation must name each of the tokens 0 to {} once", count - 1);
  return order;
}

std::vector<ParameterSpec> permutation_parameters() {
  const std::string group = "Permutation";
  return {
      make_parameter(
          "q_length", "Sequence", "Number of tokens.",
          {.role = ParameterRole::shape, .default_value = Index{8}, .minimum = 2, .maximum = 256, .unit = "tokens"}),
      make_parameter("permutation", group, "Token that moves to each place.",
                     {.default_value = std::vector<Index>{},
                      .minimum = 0,
                      .maximum = 255,
                      .automatic = "shuffled by seed",
                      .most_items = 256}),
      make_parameter("head_dim", group, "Number of dimensions of a token and of the head. Must be even.",
                     {.default_value = Index{16}, .minimum = 2, .maximum = 128}),
      seed_parameter(group, "Random seed of tokens, projections and permutation.")};
}

Result<void> check_permutation(const ParameterValues& values) {
  if (values.integer("head_dim") % 2 != 0)
    return invalid("head_dim is {} but must be even", values.integer("head_dim"));
  const auto order = order_of(values);
  return order ? Result<void>() : order.error();
}

Result<CurveSet> make_permutation(const ParameterValues& values, const Work& work) {
  const auto order = order_of(values);
  if (!order) return order.error();
  const Head head{values.integer("head_dim"), 4 * static_cast<std::uint64_t>(values.integer("seed"))};
  Rows tokens, permuted;
  for (Index i = 0; i < values.integer("q_length"); ++i) {
    tokens.emplace_back();
    for (Index c = 0; c < head.dims; ++c) tokens.back().push_back(drawn_normal(head.seed, i, c));
  }
  for (const std::size_t from : *order) permuted.push_back(tokens[from]);
  CurveSet set{.x_name = "token",
               .x_title = "place after the permutation",
               .y_title = "largest difference of the output",
               .formula =
                   "max over dimensions of |attention(P x) − P attention(x)|, P the permutation of the tokens x: 0 "
                   "where the order of tokens cannot be seen"};
  for (std::size_t i = 0; i < order->size(); ++i) set.x.push_back(static_cast<double>(i));
  for (const PositionKind& kind : position_kinds(head.dims)) {
    if (work.stop.stop_requested()) return cancelled();
    const Rows plain = attend(head, tokens, kind), after = attend(head, permuted, kind);
    Curve curve{kind.id, {}};
    for (std::size_t i = 0; i < order->size(); ++i) {
      double largest = 0;
      for (std::size_t c = 0; c < after[i].size(); ++c)
        largest = std::max(largest, std::abs(after[i][c] - plain[(*order)[i]][c]));
      curve.y.push_back(largest);
    }
    set.facts.emplace_back("largest_" + kind.id, *std::ranges::max_element(curve.y));
    set.curves.push_back(std::move(curve));
  }
  return set;
}

std::string remark_permutation(const ParameterValues& values, const Work& work) {
  const auto set = make_permutation(values, work);
  if (!set) return {};
  return fmt::format(
      "Without positions the outputs are permuted as the tokens are, to {}. A causal mask breaks this ({}), and so do "
      "sinusoids ({}), RoPE ({}) and ALiBi ({}).",
      to_text(set->facts[0].second, 2), to_text(set->facts[1].second, 2), to_text(set->facts[2].second, 2),
      to_text(set->facts[3].second, 2), to_text(set->facts[4].second, 2));
}

}  // namespace

Method permutation_equivariance_method() {
  return {
      .id = "permutation_equivariance",
      .title = "Permuted tokens",
      .category = "curves",
      .help = "Whether attention sees the order of its tokens: output of permuted tokens against permuted output.",
      .citation = {"Haviv et al. 2022, Transformer Language Models without Positional Encodings, section 1; Vaswani et "
                   "al. 2017, section 3.5",
                   "none compared: the definition"},
      .parameters = permutation_parameters(),
      .check = check_permutation,
      .remark = remark_permutation,
      .recipe = CurveRecipe{.make = make_permutation}};
}

}  // namespace vqscope
