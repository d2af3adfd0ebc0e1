// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// Kendall's τ_b of two lists of scores of the same items: 1 if both rank them alike, -1 if one is
/// the reverse of the other; pairs that tie in a list count for neither (Kendall 1945). NaN if all
/// numbers of a list are equal.
double kendall_tau(std::span<const double> a, std::span<const double> b);

/// A paper's ranking of encodings at lengths beyond training: higher is better; encodings that it
/// does not distinguish tie.
struct PublishedOrder {
  std::string id;  ///< as in the name of a fact
  std::vector<std::pair<std::string, int>> scores;
};
/// Press et al. 2022, ALiBi, figure 1: perplexity on WikiText-103.
const PublishedOrder& press_2022();
/// Kazemnejad et al. 2023, section 4: exact match on ten algorithmic tasks.
const PublishedOrder& kazemnejad_2023();

/// Scores by id; higher is better.
using Scores = std::vector<std::pair<std::string, double>>;

/// 1 for the highest score; NaN for an id that has none.
double rank_of(const Scores& scores, const std::string& id);

/// τ_b over the ids that both have.
double kendall_tau(const Scores& a, const Scores& b);
double kendall_tau(const PublishedOrder& published, const Scores& measured);

}  // namespace vqscope
