// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure.h"

#include "core/base/text.h"
#include "core/output/figure_session.h"
#include "widgets/export/figure_layout.h"
#include "widgets/export/figure_painting.h"
#include "widgets/parts/spare_memory.h"

#include <qcustomplot.h>

#include <QFontDatabase>

#include <algorithm>
#include <memory>
#include <optional>

namespace vqscope {
namespace {

constexpr int mostPictures = 3;  // the legend of a picture may change the size of its map

Error noMemory(const FigureSpec& spec) {
  return {Errc::too_large, "not enough memory for a figure of " + to_text(Index{spec.dpi}) + " dots per inch"};
}

/// Qt would take another font without a word.
Result<void> checkFont(const std::string& family) {
  if (family.empty()) return {};
  std::vector<std::string> known;
  for (const QString& each : QFontDatabase::families()) known.push_back(each.toStdString());
  if (std::ranges::count(known, family) > 0) return {};
  return invalid("font is " + shortened(family) + " but must be installed" + did_you_mean(family, known));
}

/// A figure in the making: its steps in their order, on their threads.
class FigureMaking {
 public:
  FigureMaking(const FigureSpec& spec, const QString& format, std::stop_token stop, const FigureThreads& threads)
      : m_spec(spec), m_format(format), m_stop(std::move(stop)), m_threads(threads) {}

  /// Everything but the painting.
  Result<void> make(const std::vector<FigurePanel>& panels);
  Result<QByteArray> paint(const QString& title, std::string embedded);
  Result<QImage> paintPixels();
  Result<void> paintOn(QPaintDevice& page);

 private:
  Result<void> begin(const std::vector<FigurePanel>& panels);
  Result<void> makePictures();
  FigurePainting painting(const QString& title, std::string embedded) const;
  void here(const std::function<void()>& step) const { m_threads.here ? m_threads.here(step) : step(); }

  const FigureSpec& m_spec;
  const QString& m_format;
  std::stop_token m_stop;
  const FigureThreads& m_threads;
  double m_scale = 1;
  std::vector<PanelPlot> m_panels;
  std::optional<FigureLayout> m_layout;
};

Result<void> FigureMaking::make(const std::vector<FigurePanel>& panels) {
  const SpareMemory spare;
  if (auto begun = begin(panels); !begun) return begun;
  if (auto made = makePictures(); !made) return made;
  if (m_stop.stop_requested()) return cancelled();
  return spare.wasNeeded() ? noMemory(m_spec) : Result<void>();
}

Result<void> FigureMaking::begin(const std::vector<FigurePanel>& panels) {
  const auto grid = figure_grid(m_spec, panels.size());
  if (!grid) return grid.error();
  m_scale = figure_scale(m_spec, m_spec.width / grid->cols, m_spec.height / grid->rows);
  for (const FigurePanel& panel : panels) {
    m_panels.emplace_back(panel, m_spec, m_scale);
    if (auto made = m_panels.back().makeResults(m_stop, m_threads.away); !made) return made.error();
  }
  Result<void> checked;
  here([&] {
    checked = checkFont(m_spec.font);
    if (!checked) return;
    m_layout.emplace(m_spec, *grid, m_scale);
    m_layout->begin(m_panels);
  });
  return m_stop.stop_requested() ? cancelled() : checked;
}

Result<void> FigureMaking::makePictures() {
  for (int pass = 0; pass < mostPictures; ++pass) {
    std::vector<PanelPlot*> waiting;
    for (PanelPlot& panel : m_panels)
      if (panel.needsPicture()) waiting.push_back(&panel);
    if (waiting.empty()) break;
    Result<void> made;
    run_offloaded(m_threads.away, [&] {
      for (PanelPlot* panel : waiting)
        if (made) made = panel->makePicture(m_stop);
    });
    if (m_stop.stop_requested()) return cancelled();
    if (!made) return made;
    here([&] {
      for (PanelPlot* panel : waiting) panel->placePicture(m_format != QLatin1String("png"));
      m_layout->arrange(m_panels);
    });
  }
  here([&] {
    for (PanelPlot& panel : m_panels) panel.finish();
  });
  if (m_stop.stop_requested()) return cancelled();
  return {};
}

/// At the highest dpi this takes seconds, mostly in Qt, which cannot be stopped. Painting the plots
/// on another thread is safe: they never had a window, their layout is done, and no other thread
/// touches them until they are painted.
Result<QByteArray> FigureMaking::paint(const QString& title, std::string embedded) {
  const auto figure = std::make_shared<FigurePainting>(painting(title, std::move(embedded)));
  run_offloaded(
      m_threads.away, [figure] { figure->bytes = paintFigure(*figure); }, WhenStopped::leave);
  if (m_stop.stop_requested()) return cancelled();
  if (figure->bytes.isEmpty()) return noMemory(m_spec);
  return figure->bytes;
}

FigurePainting FigureMaking::painting(const QString& title, std::string embedded) const {
  const std::vector<PlacedPlot> plots = m_layout->plots(m_panels);
  for (const PlacedPlot& each : plots) each.plot->blockSignals(true);
  return {plots, m_spec, m_scale, title, std::move(embedded), m_format, m_stop, {}};
}

Result<QImage> FigureMaking::paintPixels() {
  const auto figure = std::make_shared<FigurePainting>(painting({}, {}));
  const auto image = std::make_shared<QImage>();
  run_offloaded(
      m_threads.away, [figure, image] { *image = vqscope::paintPixels(*figure); }, WhenStopped::leave);
  if (m_stop.stop_requested()) return cancelled();
  if (image->isNull()) return noMemory(m_spec);
  return *image;
}

Result<void> FigureMaking::paintOn(QPaintDevice& page) {
  bool isTaken = false;
  run_offloaded(m_threads.away, [&] { isTaken = vqscope::paintOn(page, painting({}, {})); });
  if (m_stop.stop_requested()) return cancelled();
  return isTaken ? Result<void>() : Error{Errc::io, "the page cannot be painted on"};
}

}  // namespace

Result<void> paintFigure(const std::vector<FigurePanel>& panels, const FigureSpec& spec, QPaintDevice& page,
                         std::stop_token stop, const FigureThreads& threads) {
  const QString vector = QStringLiteral("pdf");
  FigureMaking making(spec, vector, std::move(stop), threads);
  if (auto made = making.make(panels); !made) return made.error();
  return making.paintOn(page);
}

Result<QImage> renderPixels(const std::vector<FigurePanel>& panels, const FigureSpec& spec, std::stop_token stop,
                            const FigureThreads& threads) {
  const QString png = QStringLiteral("png");
  FigureMaking making(spec, png, stop, threads);
  if (auto made = making.make(panels); !made) return made.error();
  return making.paintPixels();
}

Result<QByteArray> pngFile(const QImage& pixels, const std::vector<FigurePanel>& panels, const FigureSpec& spec,
                           std::stop_token stop) {
  const std::string embedded = embedded_figure_session(panels, spec);
  if (stop.stop_requested()) return cancelled();
  QByteArray bytes = pngOfPixels(pixels, embedded, stop);
  if (stop.stop_requested()) return cancelled();
  return bytes.isEmpty() ? Result<QByteArray>(noMemory(spec)) : Result<QByteArray>(std::move(bytes));
}

Result<QByteArray> renderFigure(const std::vector<FigurePanel>& panels, const FigureSpec& spec, const QString& format,
                                std::stop_token stop, const FigureThreads& threads) {
  FigureMaking making(spec, format, stop, threads);
  if (auto made = making.make(panels); !made) return made.error();
  std::string embedded;  // long for masks with very many cells
  run_offloaded(threads.away, [&] { embedded = embedded_figure_session(panels, spec); });
  if (stop.stop_requested()) return cancelled();
  return making.paint(QString::fromStdString(panels.front().method->title), std::move(embedded));
}

FigureMaker qtFigureMaker() {
  return {.begin = {},
          .make = [](const ExportRequest& request, const MadeBefore& made, const std::string& format,
                     std::stop_token stop) -> Result<std::string> {
            std::vector<FigurePanel> panels{panel_of(request, made)};
            panels.insert(panels.end(), request.panels.begin(), request.panels.end());
            const auto figure = renderFigure(panels, request.figure, QString::fromStdString(format), std::move(stop),
                                             {.away = request.offload, .here = {}});
            return figure ? Result<std::string>(figure->toStdString()) : figure.error();
          }};
}

}  // namespace vqscope
