// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/output/figure_options.h"
#include "core/output/offload.h"
#include "core/session/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace vqscope {

struct ExportRequest;

/// Results of a method that exist already; for a matrix, with the subtracted field of the look.
struct MadeBefore {
  std::shared_ptr<const Field> field = nullptr;
  const CurveSet* curves = nullptr;
};

/// Maker of figures: the part of the program with Qt. Empty in a program without it, whose figures are refused.
struct FigureMaker {
  /// Called before anything is computed for a figure, on the thread of the export. Throws std::bad_alloc if there is no
  /// memory for figures.
  std::function<void()> begin = {};
  /// The bytes of a figure; `format`: png, svg or pdf.
  std::function<Result<std::string>(const ExportRequest&, const MadeBefore&, const std::string& format,
                                    std::stop_token)>
      make = {};
};

/// An export, from the window or the command line. Equal requests give the same bytes.
struct ExportRequest {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells;  ///< of a matrix: only this block
  ShownPage look;             ///< how a figure shows it
  FigureOptions figure;
  FigureMaker figures = {};
  /// Field of the values, minus the field that the look subtracts, and remarks on it, if they exist already.
  std::shared_ptr<const Field> field = nullptr;
  std::optional<std::string> remark = std::nullopt;
  /// Curves of the values, if they exist already: a measurement is not made again.
  std::shared_ptr<const CurveSet> curves = nullptr;
  /// Called once with the curves of a curve method, before any file is written.
  std::function<void(const CurveSet&)> made = nullptr;
  /// Called with partial curves, if the method reports them.
  std::function<void(const CurveSet&)> partial = nullptr;
  /// Called for each step of a training, on the thread that trains.
  std::function<void(const TrainingProgress&)> trained = nullptr;
  NpyForm npy = {};    ///< of a matrix
  bool force = false;  ///< write the file even if it is larger than the limit
  Offload offload;     ///< where the long parts run
};

}  // namespace vqscope
