// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/colour_map.h"

#include "widgets/paint/colour_tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

ColourMap::Entries fromTable(const char* hex) {
  const auto digit = [&] {
    const char c = *hex++;
    return static_cast<QRgb>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  ColourMap::Entries entries;
  for (QRgb& entry : entries) {
    entry = 0xff;
    for (int i = 0; i < 6; ++i) entry = entry << 4 | digit();
  }
  return entries;
}

int channel(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  const double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255 * value));
}

/// Oklab, Björn Ottosson 2020: equal steps look equal.
QRgb fromOklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return qRgb(channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
              channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
              channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

/// Blue, neutral, red. Both sides change lightness at the same pace; the two entries in the middle
/// are the same neutral.
ColourMap::Entries diverging(double middle, double end, double mostChroma) {
  ColourMap::Entries entries;
  for (int i = 0; i < 128; ++i) {
    const double far = i / 127.0;
    const double lightness = middle + (end - middle) * far;
    // Chroma rises fast and stays inside sRGB at the ends.
    const double chroma = mostChroma * std::sin(far * 1.95);
    const auto towards = [&](double degrees) {
      const double hue = degrees * std::numbers::pi / 180;
      return fromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
    };
    entries[static_cast<std::size_t>(127 - i)] = towards(255);
    entries[static_cast<std::size_t>(128 + i)] = towards(25);
  }
  return entries;
}

constexpr const char* divergingTitle = "Diverging, blue to red";

struct TermColour {
  std::string_view part;  ///< of the term's name
  double hue;             ///< degrees in Oklab
  double chroma;
};

/// The first entry whose part occurs in the name applies.
constexpr std::array<TermColour, 18> term_colours{{{"causal", 262, 0.018},
                                                   {"doc", 320, 0.060},
                                                   {"segment", 320, 0.060},
                                                   {"window", 195, 0.055},
                                                   {"local", 195, 0.055},
                                                   {"valid", 72, 0.060},
                                                   {"pad", 72, 0.060},
                                                   {"real", 72, 0.060},
                                                   {"prefix", 135, 0.065},
                                                   {"sink", 22, 0.070},
                                                   {"block", 275, 0.075},
                                                   {"dilat", 350, 0.065},
                                                   // hues of other terms, in turn
                                                   {{}, 105, 0.065},
                                                   {{}, 235, 0.060},
                                                   {{}, 45, 0.085},
                                                   {{}, 165, 0.075},
                                                   {{}, 300, 0.090},
                                                   {{}, 0, 0.095}}};
constexpr std::size_t known_terms = 12;

QRgb muted(const TermColour& colour, bool dark) {
  const double hue = colour.hue * std::numbers::pi / 180;
  // Darker than this, yellow hues look like mud.
  const double chroma = (dark ? 1.05 : 0.9) * colour.chroma;
  return fromOklab(dark ? 0.42 : 0.86, chroma * std::cos(hue), chroma * std::sin(hue));
}

}  // namespace

QRgb ColourMap::at(double t) const { return m_entries[static_cast<std::size_t>(std::clamp(t * 256, 0.0, 255.0))]; }

std::span<const ColourMap> colourMaps() {
  static const std::vector<ColourMap> maps{{"viridis", "Viridis", fromTable(viridis_table)},
                                           {"cividis", "Cividis", fromTable(cividis_table)},
                                           {"magma", "Magma", fromTable(magma_table)},
                                           {"diverging", divergingTitle, diverging(0.965, 0.40, 0.155)},
                                           {"twilight", "Twilight, cyclic", fromTable(twilight_table)}};
  return maps;
}

const ColourMap* findColourMap(std::string_view id) {
  const auto maps = colourMaps();
  const auto it = std::ranges::find(maps, id, &ColourMap::id);
  return it == maps.end() ? nullptr : &*it;
}

const ColourMap& divergingMap(bool dark) {
  static const ColourMap onDark("diverging", divergingTitle, diverging(0.27, 0.78, 0.13));
  return dark ? onDark : *findColourMap("diverging");
}

std::vector<QRgb> bucketColours(int pastBuckets, int futureBuckets) {
  std::vector<QRgb> colours;
  const auto ramp = [&](const ColourMap& map, int count, double from, double to) {
    for (int i = 0; i < count; ++i) colours.push_back(map.at(from + (to - from) * i / std::max(count - 1, 1)));
  };
  // The dark ends of the two maps look alike: each starts where its hue shows. A single first
  // colour is nothing but its dark end, so the second ramp stays farther away.
  ramp(*findColourMap("viridis"), pastBuckets, 0.08, 0.97);
  // A single second colour is what to look at, such as mistakes: bright, whatever the first ones are.
  const double from = futureBuckets == 1 ? 0.65 : pastBuckets == 1 ? 0.45 : 0.30;
  ramp(*findColourMap("magma"), futureBuckets, from, 0.97);
  return colours;
}

QRgb MaskColours::ofTerm(std::string_view term, std::size_t index) const {
  for (std::size_t i = 0; i < known_terms; ++i)
    if (term.find(term_colours[i].part) != std::string_view::npos) return muted(term_colours[i], dark);
  return muted(term_colours[known_terms + index % (term_colours.size() - known_terms)], dark);
}

MaskColours maskColours(bool dark) {
  if (dark)
    return {.visible = 0xff4c9ffe,
            .masked = 0xff2b303a,
            .minusInfinity = 0xff0c0e12,
            .plusInfinity = 0xffffffff,
            .notANumber = 0xffd05fd0,
            .outside = 0xff15171c,
            .dark = true};
  return {.visible = 0xff1b6be0,
          .masked = 0xffd3d8e0,
          .minusInfinity = 0xff2b303a,
          .plusInfinity = 0xffffb000,
          .notANumber = 0xffd05fd0,
          .outside = 0xffeceef2,
          .dark = false};
}

}  // namespace vqscope
