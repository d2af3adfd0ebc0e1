// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope {

/// Kendall's τ_b of two lists of numbers of the same things: 1 where both order them alike, -1 where one is the other
/// backwards; pairs that tie in a list count for neither (Kendall 1945). NaN where a list has no two different numbers.
double kendall_tau(std::span<const double> a, std::span<const double> b);

/// What a paper found of encodings at lengths beyond training: the higher the better, those that it does not part
/// alike.
struct PublishedOrder {
  std::string id;  ///< as in a fact's name
  std::vector<std::pair<std::string, int>> scores;
};
/// Press et al. 2022, ALiBi, figure 1: perplexity on WikiText-103.
const PublishedOrder& press_2022();
/// Kazemnejad et al. 2023, section 4: exact match on ten algorithmic tasks.
const PublishedOrder& kazemnejad_2023();

/// Scores by id, the higher the better.
using Scores = std::vector<std::pair<std::string, double>>;

/// 1 for the highest score; NaN for an id that has none.
double rank_of(const Scores& scores, const std::string& id);

/// τ_b of what both score.
double kendall_tau(const Scores& a, const Scores& b);
double kendall_tau(const PublishedOrder& published, const Scores& measured);

}  // namespace vqscope
