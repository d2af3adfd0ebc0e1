// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/lit_scale.h"

#include "core/base/text.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr double faded = 0.82;  // share of the background

QRgb fade(QRgb colour, QRgb background) {
  const auto mixed = [](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * faded)); };
  return qRgb(mixed(qRed(colour), qRed(background)), mixed(qGreen(colour), qGreen(background)),
              mixed(qBlue(colour), qBlue(background)));
}

}  // namespace

std::vector<ScalePart> partsOf(const ColourScale& scale) {
  using Kind = ScalePart::Kind;
  std::vector<ScalePart> parts;
  if (scale.kind == ValueScale::visibility) {
    parts.push_back({Kind::visible});
    for (int i = 0; i < static_cast<int>(scale.reasons.size()); ++i) parts.push_back({Kind::term, i, i});
  } else if (!scale.categories.empty()) {
    for (std::size_t i = 0; i < scale.groups.size(); ++i) {
      const auto end = i + 1 < scale.groups.size() ? static_cast<int>(scale.groups[i + 1].first)
                                                   : static_cast<int>(scale.categories.size());
      parts.push_back({Kind::labels, static_cast<int>(scale.groups[i].first), end - 1});
    }
  }
  return parts;
}

bool namesEachLabel(const ColourScale& scale) {
  return !scale.categories.empty() && scale.groups.size() == scale.categories.size();
}

std::string nameOf(const ColourScale& scale, const ScalePart& part) {
  if (part.kind == ScalePart::Kind::visible) return "visible";
  if (part.kind == ScalePart::Kind::term) return scale.reasons[static_cast<std::size_t>(part.first)];
  for (const CategoryGroup& group : scale.groups)
    if (static_cast<int>(group.first) == part.first && (part.last > part.first || namesEachLabel(scale)))
      return group.label;
  return to_text(static_cast<std::int64_t>(part.first));
}

bool hasPart(const ColourScale& scale, const ScalePart& part) {
  switch (part.kind) {
    case ScalePart::Kind::visible: return scale.kind == ValueScale::visibility;
    case ScalePart::Kind::term: return part.first < static_cast<int>(scale.reasonColours.size());
    case ScalePart::Kind::labels: break;
  }
  return part.last < static_cast<int>(scale.categories.size());
}

ColourScale litScale(ColourScale scale, const ScalePart& part, QRgb background) {
  using Kind = ScalePart::Kind;
  const auto isLit = [&](Kind kind, std::size_t i) {
    return part.kind == kind && part.first <= static_cast<int>(i) && static_cast<int>(i) <= part.last;
  };
  for (std::size_t i = 0; i < scale.reasonColours.size(); ++i)
    if (!isLit(Kind::term, i)) scale.reasonColours[i] = fade(scale.reasonColours[i], background);
  for (std::size_t i = 0; i < scale.categories.size(); ++i)
    if (!isLit(Kind::labels, i)) scale.categories[i] = fade(scale.categories[i], background);
  if (part.kind != Kind::visible) scale.visible = fade(scale.visible, background);
  scale.masked = fade(scale.masked, background);
  return scale;
}

}  // namespace vqscope
