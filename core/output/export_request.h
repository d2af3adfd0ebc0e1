// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/session/figure/figure_spec.h"
#include "core/session/session.h"
#include "core/session/subject/token_texts.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// After a stop: wait for the work, or let it end by itself. In the second case it must own
/// everything that it uses.
enum class WhenStopped { wait, leave };

/// Runs long work and returns when it is done or abandoned. A window passes a function that runs it
/// on another thread and keeps the window responsive; steps that need the caller's thread, such as
/// making a plot, stay there. Empty: runs the work directly. An exception of the work is rethrown
/// to the caller.
using Offload = std::function<void(const std::function<void()>& work, WhenStopped)>;
void run_offloaded(const Offload& offload, const std::function<void()>& work, WhenStopped = WhenStopped::wait);

struct ExportRequest;

/// Results of a method that exist already; for a matrix, with the subtracted field of the look.
struct MadeBefore {
  std::shared_ptr<const Field> field = nullptr;
  std::shared_ptr<const CurveSet> curves = nullptr;
  ComingCurves coming = nullptr;  ///< that do not exist yet
};

/// One view of a figure.
struct FigurePanel {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells = {};  ///< of a matrix: only this block; nothing: the view of the look, or all
  ShownPage look = {};             ///< how the figure shows it
  FigureSides sides = {};
  TokenTexts tokens = {};  ///< on the axes of tokens
  FigureLabels labels = {};
  MadeBefore made = {};
};

/// Maker of figures: the part of the program with Qt. Empty in a program without it, whose figures
/// are refused.
struct FigureMaker {
  /// Called before anything is computed for a figure, on the thread of the export. Throws
  /// std::bad_alloc if there is no memory for figures.
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
  FigureSpec figure = {};
  FigureSides sides = {};
  TokenTexts tokens = {};  ///< on the axes of tokens in a figure
  FigureLabels labels = {};
  std::vector<FigurePanel> panels = {};  ///< further views of the figure, behind the request's own
  FigureMaker figures = {};
  /// Field of the values, minus the field that the look subtracts, and remarks on it, if they exist
  /// already.
  std::shared_ptr<const Field> field = nullptr;
  std::optional<std::string> remark = std::nullopt;
  /// Curves of the values, if they exist already: a measurement is not made again.
  std::shared_ptr<const CurveSet> curves = nullptr;
  ComingCurves coming = nullptr;  ///< curves of the values that are being computed, if there are none yet
  /// Called once with the curves of a curve method, before any file is written.
  std::function<void(const CurveSet&)> made = nullptr;
  /// Called with partial curves, if the method reports them.
  std::function<void(const CurveSet&)> partial = nullptr;
  /// Called for each step of a training, on the thread that trains.
  std::function<void(const TrainingProgress&)> trained = nullptr;
  std::function<void(const std::string&)> phase = nullptr;  ///< as Work's
  NpyForm npy = {};                                         ///< of a matrix
  bool force = false;                                       ///< write the file even if it is larger than the limit
  Offload offload;                                          ///< where the long parts run
};

/// A figure of these views, at least one; its look and its maker are still the usual ones.
ExportRequest request_of(std::vector<FigurePanel> panels);

/// The view of the request, with results that exist already.
FigurePanel panel_of(const ExportRequest& request, const MadeBefore& made = {});

}  // namespace vqscope
