// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/shared_scale.h"

#include <algorithm>

namespace vqscope {
namespace {

bool haveSameRange(const ColourScale& a, const ColourScale& b) {
  return a.kind == b.kind && a.low == b.low && a.high == b.high && a.logarithmic == b.logarithmic &&
         a.centred == b.centred && a.signedTurn == b.signedTurn && a.map == b.map && a.dark == b.dark;
}

bool haveSameLabels(const ColourScale& a, const ColourScale& b) {
  const auto same = [](const CategoryGroup& x, const CategoryGroup& y) {
    return x.first == y.first && x.label == y.label;
  };
  return a.categories == b.categories && std::ranges::equal(a.groups, b.groups, same);
}

/// Adds the terms of `b`. False if a term has another colour there, or the colour of another term.
bool addTerms(ColourScale& a, const ColourScale& b) {
  for (std::size_t i = 0; i < b.reasons.size(); ++i) {
    const auto term = std::ranges::find(a.reasons, b.reasons[i]);
    const auto colour = std::ranges::find(a.reasonColours, b.reasonColours[i]);
    if (term - a.reasons.begin() != colour - a.reasonColours.begin()) return false;
    if (term != a.reasons.end()) continue;
    a.reasons.push_back(b.reasons[i]);
    a.reasonColours.push_back(b.reasonColours[i]);
  }
  return true;
}

}  // namespace

std::optional<ColourScale> sharedScale(const ColourScale& a, const ColourScale& b) {
  if (!haveSameRange(a, b) || !haveSameLabels(a, b)) return std::nullopt;
  ColourScale both = a;
  if (!addTerms(both, b)) return std::nullopt;
  if (!both.decoderPast) both.decoderPast = b.decoderPast;
  both.clipsLow |= b.clipsLow;
  both.clipsHigh |= b.clipsHigh;
  both.lowest = std::min(a.lowest, b.lowest);
  both.highest = std::max(a.highest, b.highest);
  both.hasZero |= b.hasZero;
  both.mixes |= b.mixes;
  both.mostFrequent |= b.mostFrequent;
  return both;
}

}  // namespace vqscope
