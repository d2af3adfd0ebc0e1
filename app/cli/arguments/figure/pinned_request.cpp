// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/figure/pinned_request.h"

#include "app/cli/arguments/figure/panel_arguments.h"
#include "app/cli/figures.h"
#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/output/figure_pins.h"
#include "core/session/session_json.h"

namespace vqscope {
namespace {

/// An argument that describes a view, which the pins do; nothing: none is given.
std::optional<std::string> argumentOfView(const ExportArguments& arguments) {
  if (!arguments.method.empty()) return "METHOD";
  const std::pair<const char*, bool> all[]{{"--preset", arguments.preset.has_value()},
                                           {"--set or --array", !arguments.settings.empty()},
                                           {"--mask", arguments.mask.has_value()},
                                           {"--batch-file", arguments.batchFile.has_value()},
                                           {"--tokens", arguments.tokens.has_value()},
                                           {"--minus", !arguments.minus.empty()},
                                           {"--minus-mask", arguments.minusMask.has_value()},
                                           {"--rows", arguments.rows.has_value()},
                                           {"--cols", arguments.cols.has_value()},
                                           {"--aggregate", arguments.aggregate.has_value()},
                                           {"--colour-map", arguments.colourMap.has_value()},
                                           {"--log", arguments.axes.has_value()},
                                           {"--square", arguments.square},
                                           {"--panel", !arguments.panels.empty()},
                                           {"--title", !arguments.labels.title.empty()},
                                           {"--x-label", !arguments.labels.x.empty()},
                                           {"--y-label", !arguments.labels.y.empty()}};
  for (const auto& [name, isGiven] : all)
    if (isGiven) return name;
  return std::nullopt;
}

}  // namespace

Result<ExportRequest> pinnedRequest(const ExportArguments& arguments) {
  if (!arguments.session) return invalid("--pins needs --session FILE, whose pinned views it takes");
  if (const auto other = argumentOfView(arguments))
    return invalid("--pins takes the views of the session; {} is for other views", *other);
  const auto opened = read_session(*arguments.session);
  if (!opened) return opened.error();
  const Session& session = opened->session;
  if (session.pins.empty()) return invalid("{} has no pinned views", shown_path(*arguments.session));
  if (!opened->notes.empty()) noteOfInput(shown_path(*arguments.session) + ": " + summary(opened->notes));
  std::vector<FigurePanel> panels;
  for (const PinnedView& pin : session.pins) panels.push_back(panel_of(pin));
  ExportRequest request = request_of(std::move(panels));
  request.figures = commandFigures();
  const auto preset = presetFigure(arguments, arguments.session);
  if (!preset) return preset.error();
  request.figure = arguments.figurePreset ? *preset : session.figure.value_or(*preset);
  applyFigure(arguments, request.figure);
  request.force = arguments.force;
  request.npy = {.flat = arguments.flat, .float32 = arguments.float32};
  const bool keepsHeight = session.figure && !arguments.width && !arguments.grid;
  if (keepsHeight) return request;
  if (auto fitted = addPanels(arguments, request); !fitted) return fitted.error();
  return request;
}

}  // namespace vqscope
