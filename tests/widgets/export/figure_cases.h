// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/plot/matrix_cases.h"
#include "widgets/export/figure.h"

#include <QTest>

#include <optional>

namespace vqscope::test {

/// A view with these values.
inline FigurePanel panelOf(const char* id, const ParameterValues::Map& set = {}, const ShownPage& look = {},
                           const std::optional<Rect>& cells = {}) {
  return {.method = find_method(id), .values = valuesOf(id, set), .cells = cells, .look = look};
}

/// Its file, or the sentence of its error.
inline QByteArray figure(const char* id, const ParameterValues::Map& set, const QString& format,
                         const FigureSpec& spec = {}, const ShownPage& look = {},
                         const std::optional<Rect>& cells = {}) {
  const auto rendered = renderFigure({panelOf(id, set, look, cells)}, spec, format, {});
  return rendered ? *rendered : QByteArray(rendered.error().message.c_str());
}

/// Of a map of labels, a mask, angles, and curves.
inline constexpr const char* figureIds[] = {"t5_bucket", "visibility", "rope_phase", "t5_staircase"};

/// Rows of test data: each view in each format.
inline void everyFigure() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<QString>("format");
  for (const char* id : figureIds)
    for (const char* format : {"png", "svg", "pdf"}) QTest::addRow("%s %s", id, format) << id << format;
}

/// What the vertical axis is called.
inline QString rowTitleOf(const Method& method) {
  return method.field() ? QString::fromStdString(method.field()->row_title) : QString("bucket");
}

}  // namespace vqscope::test
