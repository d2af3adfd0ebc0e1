// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/parity/svg_drawing.h"
#include "core/base/sentence.h"
#include "core/capture/parity/capture_comparison.h"
#include "core/report/document/document.h"

namespace vqscope {

inline constexpr double pictureWidth = 840;
inline constexpr double marginLeft = 72, marginTop = 14, marginRight = 20, marginBottom = 44;

template <class Draw>
ReportPicture pictureOf(std::string alt, std::string caption, double height, const Draw& draw) {
  ReportPicture picture{std::move(alt), std::move(caption), "image/svg+xml", {}, {}};
  for (const bool dark : {false, true}) {
    SvgDrawing drawing(pictureWidth, height, dark);
    draw(drawing);
    (dark ? picture.dark_bytes : picture.bytes) = drawing.svg();
  }
  return picture;
}

inline std::string rowWord(const FirstDifference& first) {
  if (axes_of(first.role) == TensorAxes::rows) return "token";
  return is_of_keys(first.role) ? "key" : "query";
}
inline std::string columnWord(const FirstDifference& first) {
  return axes_of(first.role) == TensorAxes::cells ? "key" : "column";
}

inline std::string placeOfRow(const FirstDifference& first) {
  const auto& [sample, head, row, column] = first.cell.at;
  const std::string of_head = axes_of(first.role) == TensorAxes::rows ? "" : fmt::format(", head {}", head);
  return fmt::format("{} of layer {}, sample {}{}", name_of(first.role), first.layer, sample, of_head);
}

}  // namespace vqscope
