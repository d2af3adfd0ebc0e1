// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/palette.h"

namespace vqscope {
namespace {

QColor rgb(unsigned hex) { return QColor::fromRgb(0xff000000U | hex); }

}  // namespace

const Palette& palette(Theme theme) {
  static const Palette dark{.window = rgb(0x15171c),
                            .panel = rgb(0x1c1f26),
                            .raised = rgb(0x262a33),
                            .line = rgb(0x31363f),
                            .text = rgb(0xe7e9ee),
                            .secondary = rgb(0x98a1b0),
                            .accent = rgb(0x4c9ffe),
                            .accentText = rgb(0x0b1220),  // white would have 2.7 : 1
                            .warning = rgb(0xf2b84b),
                            .error = rgb(0xf0616d),
                            .good = rgb(0x4fc38a),
                            .violet = rgb(0xb692f6),
                            .teal = rgb(0x4cc3cf),
                            .dark = true};
  static const Palette light{.window = rgb(0xeceef2),
                             .panel = rgb(0xffffff),
                             .raised = rgb(0xf3f5f8),
                             .line = rgb(0xd6dae1),
                             .text = rgb(0x1a1e26),
                             .secondary = rgb(0x5d6675),
                             .accent = rgb(0x1b6be0),
                             .accentText = rgb(0xffffff),
                             .warning = rgb(0xb57400),
                             .error = rgb(0xc93440),
                             .good = rgb(0x1d8a55),
                             .violet = rgb(0x7d45b8),
                             .teal = rgb(0x0b7d8c),
                             .dark = false};
  return theme == Theme::dark ? dark : light;
}

QColor mixed(const QColor& a, const QColor& b, double fraction) {
  const auto blend = [fraction](float x, float y) { return x + static_cast<float>(fraction) * (y - x); };
  return QColor::fromRgbF(blend(a.redF(), b.redF()), blend(a.greenF(), b.greenF()), blend(a.blueF(), b.blueF()));
}

}  // namespace vqscope
