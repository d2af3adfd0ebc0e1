// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/compare/compare.h"

#include "core/base/sentence.h"
#include "core/config/rope/rope_reading.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

constexpr double same_fraction = 1e-6;

bool same_number(double a, double b) { return std::abs(a - b) <= same_fraction * std::max(std::abs(a), std::abs(b)); }

/// The pairs that turn at another speed at one length.
struct PairChange {
  std::size_t first = 0, last = 0, most = 0;
  Index count = 0;
  double ratio = 1;  ///< of pair `most`, b over a
  double turns = 0;  ///< largest distance of the two angles at the end of the length, in turns
};

PairChange change_at(const RopeUse& a, const RopeUse& b, Index length) {
  const auto x = inv_freq_of(a.scaling, length), y = inv_freq_of(b.scaling, length);
  PairChange change;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (same_number(x[i], y[i])) continue;
    if (change.count++ == 0) change.first = i;
    change.last = i;
    const double ratio = y[i] / x[i];
    if (std::abs(std::log(ratio)) > std::abs(std::log(change.ratio))) {
      change.ratio = ratio;
      change.most = i;
    }
    const double turns = std::abs(x[i] - y[i]) * static_cast<double>(length) / (2 * std::numbers::pi);
    change.turns = std::max(change.turns, turns);
  }
  return change;
}

std::string pairs_text(const PairChange& change) {
  if (change.count == 0) return "no pair";
  const bool gap = static_cast<Index>(change.last - change.first + 1) != change.count;
  return change.count == 1 ? fmt::format("pair {}", change.first)
         : gap             ? fmt::format("{} pairs from {} to {}", change.count, change.first, change.last)
                           : fmt::format("pairs {} to {}", change.first, change.last);
}

/// "pairs 20 to 63 turn at another speed in sequences of 4096 tokens, pair 63 4 times as slowly in b.json".
std::string change_text(const PairChange& change, Index length, const std::string& b) {
  if (change.count == 0) return fmt::format("the same angles for sequences of {} tokens", length);
  const bool slower = change.ratio < 1;
  return fmt::format(
      "in sequences of {} tokens {} {} at another speed, most of all pair {}, {} times as {} in {}; at their end "
      "angles are up to {} turns apart",
      length, pairs_text(change), change.count == 1 ? "turns" : "turn", change.most,
      to_text(slower ? 1 / change.ratio : change.ratio, 4), slower ? "slowly" : "fast", b, to_text(change.turns, 4));
}

/// "pair 63 turns once in 217640 tokens".
std::string speed_text(const RopeUse& use, std::size_t pair, Index length) {
  const double tokens = 2 * std::numbers::pi / inv_freq_of(use.scaling, length)[pair];
  return fmt::format("pair {} turns once in {} tokens", pair,
                     std::isfinite(tokens) ? plain_text(std::round(tokens)) : "infinitely many");
}

class RopeComparison {
 public:
  RopeComparison(const RopeUse& a, const RopeUse& b, const ConfigNames& names, std::string layers,
                 std::vector<ConfigDifference>& all)
      : m_a(a), m_b(b), m_names(names), m_layers(std::move(layers)), m_all(all) {}

  void compare();

 private:
  void add(int weight, const std::string& fact, std::string a, std::string b, std::string meaning) {
    m_all.push_back(
        {m_layers.empty() ? fact : fact + " of " + m_layers, std::move(a), std::move(b), std::move(meaning), weight});
  }
  void compare_layout();
  void compare_angles();
  void compare_scaling();
  double slowest_ratio() const;
  void compare_logits();
  std::string type_text(const RopeUse& use) const;

  const RopeUse& m_a;
  const RopeUse& m_b;
  const ConfigNames& m_names;
  std::string m_layers;
  std::vector<ConfigDifference>& m_all;
};

std::string pair_layout_text(const RopeUse& use) {
  return use.interleaved ? "interleaved (2i, 2i + 1)" : fmt::format("half-split (i, i + {})", use.apart);
}

/// Weights that were reordered rotate the same dimensions of Hugging Face's weights.
void RopeComparison::compare_layout() {
  const bool of_a = m_a.interleaved && !m_a.permuted, of_b = m_b.interleaved && !m_b.permuted;
  if (of_a == of_b && (of_a || m_a.permuted || m_b.permuted || m_a.apart == m_b.apart)) return;
  add(85, "pair layout", pair_layout_text(m_a), pair_layout_text(m_b),
      "other dimensions of a head are rotated together: the same weights work with one of the two only");
}

std::string RopeComparison::type_text(const RopeUse& use) const {
  const bool factor = rope_type(use.scaling.rope_type).reads("factor");
  return factor && use.scaling.factor != 1 ? fmt::format("{}, factor {}", use.rope_type, plain_text(use.scaling.factor))
                                           : use.rope_type;
}

/// Ratio of the larger to the smaller inverse frequency that theta gives the last pair.
double RopeComparison::slowest_ratio() const {
  const double a = m_a.pairs.back().plain_inv_freq, b = m_b.pairs.back().plain_inv_freq;
  return std::max(a, b) / std::min(a, b);
}

void RopeComparison::compare_scaling() {
  if (!same_number(m_a.rope_theta, m_b.rope_theta))
    add(90, "rope_theta", plain_text(m_a.rope_theta), plain_text(m_b.rope_theta),
        fmt::format("before any scaling the slowest pair turns {} times as {} in {}; weights of one do not fit the "
                    "other without further training",
                    to_text(slowest_ratio(), 4), m_b.rope_theta > m_a.rope_theta ? "slowly" : "fast", m_names.b));
  if (type_text(m_a) != type_text(m_b))
    add(80, "scaling", type_text(m_a), type_text(m_b),
        fmt::format("{} reaches {} tokens, {} {}; scores at the same distance differ", m_names.a, m_a.seq_len,
                    m_names.b, m_b.seq_len));
  if (m_a.scaling.original_max_position_embeddings != m_b.scaling.original_max_position_embeddings)
    add(60, "training length", to_text(m_a.scaling.original_max_position_embeddings),
        to_text(m_b.scaling.original_max_position_embeddings),
        m_a.rope_type == "default" || m_b.rope_type == "default"
            ? "positions beyond it are new to the model, from another position on"
            : "the scaling starts from another length, so other pairs are kept and scaled");
}

void RopeComparison::compare_angles() {
  if (m_a.scaling.rotated() != m_b.scaling.rotated() || m_a.scaling.head_dim != m_b.scaling.head_dim)
    return add(95, "rotated dimensions", fmt::format("{} of {}", m_a.scaling.rotated(), m_a.scaling.head_dim),
               fmt::format("{} of {}", m_b.scaling.rotated(), m_b.scaling.head_dim),
               "heads have other sizes or other parts of them rotate: weights of one do not fit the other");
  const Index trained =
      std::min(m_a.scaling.original_max_position_embeddings, m_b.scaling.original_max_position_embeddings);
  const Index served = std::min(m_a.seq_len, m_b.seq_len);
  const PairChange at_trained = change_at(m_a, m_b, trained), at_served = change_at(m_a, m_b, served);
  if (at_trained.count == 0 && at_served.count == 0) return;
  compare_scaling();
  const bool already = at_trained.count > 0;
  const Index length = already ? trained : served;
  const std::size_t pair = (already ? at_trained : at_served).most;
  add(75, "angles", speed_text(m_a, pair, length), speed_text(m_b, pair, length),
      served == trained
          ? change_text(at_trained, trained, m_names.b)
          : change_text(at_trained, trained, m_names.b) + "; " + change_text(at_served, served, m_names.b));
}

void RopeComparison::compare_logits() {
  if (same_number(m_a.logit_factor(), m_b.logit_factor())) return;
  const double ratio = m_b.logit_factor() / m_a.logit_factor();
  add(70, "attention logits", "× " + to_text(m_a.logit_factor(), 6), "× " + to_text(m_b.logit_factor(), 6),
      fmt::format("logits of {} are {} times those of {}, so its attention is {}", m_names.b, to_text(ratio, 4),
                  m_names.a, ratio > 1 ? "sharper" : "flatter"));
}

void RopeComparison::compare() {
  compare_angles();
  compare_layout();
  compare_logits();
  if (m_a.mrope_section != m_b.mrope_section || m_a.mrope_interleaved != m_b.mrope_interleaved) {
    const auto shown = [](const RopeUse& use) {
      std::vector<std::string> parts;
      for (const double each : use.mrope_section) parts.push_back(plain_text(each));
      return parts.empty() ? std::string("one axis") : join(parts, ", ") + (use.mrope_interleaved ? " in turns" : "");
    };
    add(65, "axes of the pairs", shown(m_a), shown(m_b),
        "pairs follow other axes of an image's positions; text alone is not affected");
  }
}

}  // namespace

void add_rope_differences(const RopeUse& a, const RopeUse& b, const ConfigNames& names, const std::string& layers,
                          std::vector<ConfigDifference>& all) {
  RopeComparison(a, b, names, layers, all).compare();
}

}  // namespace vqscope
