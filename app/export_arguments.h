// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "widgets/session/session.h"

#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// `--set name=value` or `--array name=1,2,3`.
struct Setting {
  std::string name;
  std::string value;
  bool array = false;
};

/// `a:b`; an end that was left out is the matrix's.
struct PartialRange {
  std::optional<Index> begin;
  std::optional<Index> end;
};

/// What was written after `export`, option by option; whether it fits the method is for later.
struct ExportArguments {
  bool help = false;
  std::string method;
  std::vector<Setting> settings;
  std::vector<Setting> minus;  ///< settings of the matrix to subtract
  std::optional<PartialRange> rows;
  std::optional<PartialRange> cols;
  std::optional<QString> session;
  std::optional<int> dpi;
  std::optional<Aggregate> aggregate;
  std::optional<std::string> colourMap;
  bool force = false;
  QStringList outputs;
};

/// What each option says, without asking whether a METHOD and --out are there: for other commands that share options.
Result<ExportArguments> readExportOptions(const QStringList& arguments);

Result<ExportArguments> parseExportArguments(const QStringList& arguments);

}  // namespace vqscope
