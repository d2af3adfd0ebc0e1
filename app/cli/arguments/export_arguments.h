// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/session/session.h"

#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// What was written after `export`, option by option; whether it fits the method is for later.
struct ExportArguments : ComparedArguments {
  std::optional<PartialRange> rows;
  std::optional<PartialRange> cols;
  std::optional<int> width;  ///< of a figure, in points of 1/96 inch
  std::optional<int> height;
  std::optional<int> dpi;
  std::optional<Aggregate> aggregate;
  std::optional<std::string> colourMap;
  std::optional<CurveAxes> axes;
  bool square = false;
  bool force = false;
  QStringList outputs;
  std::optional<QString> keep;  ///< the folder that gets the run; nothing: of `run` the person's own, of `export` none
};

/// One table for `export` and `run`.
const OptionTable<ExportArguments>& exportOptions();

/// What stands after `command`, which says "export expects one METHOD" of a `noun`; --help counts alone.
Result<ExportArguments> parseExportArguments(const char* command, const char* noun, const QStringList& arguments);

}  // namespace vqscope
