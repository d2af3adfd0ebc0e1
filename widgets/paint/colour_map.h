// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// 256 colours for numbers. None is a rainbow; all but `twilight` are readable in greyscale.
class ColourMap {
 public:
  using Entries = std::array<QRgb, 256>;

  ColourMap(std::string id, QString title, const Entries& entries)
      : m_id(std::move(id)), m_title(std::move(title)), m_entries(entries) {}

  const std::string& id() const { return m_id; }
  const QString& title() const { return m_title; }
  const Entries& entries() const { return m_entries; }

  /// t in 0..1; values outside take the colour of the end.
  QRgb at(double t) const;

 private:
  std::string m_id;
  QString m_title;
  Entries m_entries;
};

/// All maps, in the order of colour_map_ids().
std::span<const ColourMap> colourMaps();
/// The map of that id, or null.
const ColourMap* findColourMap(std::string_view id);

/// The map `diverging` of that theme: its middle, zero, is the quiet colour of the theme.
const ColourMap& divergingMap(bool dark);

/// A colour for every bucket id: the past from near to far, then the future from near to far. Near
/// is dark in both.
std::vector<QRgb> bucketColours(int pastBuckets, int futureBuckets);

/// Colours of masks, and of values that are not on a scale.
struct MaskColours {
  QRgb visible = 0;        ///< the accent: visible keys
  QRgb masked = 0;         ///< masked, without regard to the term
  QRgb minusInfinity = 0;  ///< masked, in an additive mask
  QRgb plusInfinity = 0;
  QRgb notANumber = 0;
  QRgb outside = 0;  ///< beyond the matrix
  bool dark = false;

  /// The muted colour of a mask term, `index` being its place in the mask. A known name always has
  /// its own colour (causal is slate, documents plum, windows teal, validity brown), other terms
  /// one of six further colours.
  QRgb ofTerm(std::string_view term, std::size_t index) const;
};
MaskColours maskColours(bool dark);

}  // namespace vqscope
