// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/export_request.h"

#include <atomic>
#include <exception>

namespace vqscope {

void run_offloaded(const Offload& offload, const std::function<void()>& work, WhenStopped when_stopped) {
  if (!offload) return work();
  struct Outcome {
    std::exception_ptr thrown;
    std::atomic<bool> known = false;
  };
  const auto outcome = std::make_shared<Outcome>();
  offload(
      [work, outcome] {
        try {
          work();
        } catch (...) {
          outcome->thrown = std::current_exception();
        }
        outcome->known = true;
      },
      when_stopped);
  if (outcome->known && outcome->thrown) std::rethrow_exception(outcome->thrown);
}

ExportRequest request_of(std::vector<FigurePanel> panels) {
  const FigurePanel& first = panels.front();
  ExportRequest request{.method = first.method, .values = first.values, .cells = first.cells, .look = first.look};
  request.sides = first.sides;
  request.tokens = first.tokens;
  request.labels = first.labels;
  request.field = first.made.field;
  request.curves = first.made.curves;
  request.coming = first.made.coming;
  panels.erase(panels.begin());
  request.panels = std::move(panels);
  return request;
}

FigurePanel panel_of(const ExportRequest& request, const MadeBefore& made) {
  return {.method = request.method,
          .values = request.values,
          .cells = request.cells,
          .look = request.look,
          .sides = request.sides,
          .tokens = request.tokens,
          .labels = request.labels,
          .made = made};
}

}  // namespace vqscope
