// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/figure/figure_arguments.h"
#include "app/cli/output/formats/check_formats.h"
#include "core/catalogue/experiment_presets.h"
#include "core/output/export_request.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// The arguments of `export`, option by option, not yet checked against the method.
struct ExportArguments : ComparedArguments, FigureArguments {
  std::optional<PartialRange> rows;
  std::optional<PartialRange> cols;
  std::optional<Aggregate> aggregate;
  std::optional<std::string> colourMap;
  std::optional<CurveAxes> axes;
  bool square = false;
  bool flat = false;                    ///< NPY
  bool float32 = false;                 ///< NPY
  std::optional<AdditiveNpy> additive;  ///< NPY of a mask
  std::optional<CheckFormat> tests;     ///< of a result with tests: prints them
  bool force = false;
  bool saysResult = false;  ///< prints the result in one sentence
  std::vector<std::string> outputs;
  std::optional<std::string> format;  ///< of the one file that goes to standard output
  std::optional<std::string> keep;  ///< folder that keeps the run; nothing: for `run` the user's own, for `export` none
};

/// Options of `export` and `run`.
OptionTable<ExportArguments> exportOptions();

/// Parses the arguments after `command`. Errors use both names: "export expects one METHOD" has the `noun` METHOD. With
/// --help, other arguments are ignored.
Result<ExportArguments> parseExportArguments(const char* command, const char* noun,
                                             const std::vector<std::string>& arguments);

/// Sets the method of the preset if no method was given.
Result<void> nameExperiment(MethodArguments& arguments);

/// The values of the preset, if one was given. Refuses a preset of another method.
Result<void> applyPreset(const std::optional<std::string>& preset, const Method& method, ParameterValues& values);

}  // namespace vqscope
