// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/panel_plot.h"

#include "core/field/tile_grid.h"
#include "core/method/compared.h"
#include "core/method/curve_set.h"
#include "widgets/export/figure_title.h"
#include "widgets/parts/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/row_marks.h"
#include "widgets/plot/title/compared_title.h"
#include "widgets/plot/value_summary.h"
#include "widgets/session/field_scheduler.h"

#include <qcustomplot.h>

#include <QThread>

#include <utility>

namespace vqscope {
namespace {

constexpr Index figureCells = Index{1} << 27;  // cells visited for a field without a closed form

QString withSubtitle(const Method& method, const QString& subtitle) {
  const QString title = QString::fromStdString(method.title);
  return subtitle.isEmpty() ? title : title + QStringLiteral("   ") + subtitle;
}

ViewRange shownRange(const Field& field, const std::optional<Rect>& cells, const ShownPage& look) {
  if (cells) return view_of(*cells);
  ViewRange range = look.view.value_or(wholeRange(field));
  clamp_span(range.row_first, range.row_last, field.extent().rows);
  clamp_span(range.col_first, range.col_last, field.extent().cols);
  return range;
}

/// For a vector format, Qt would convert the pixels on its own threads, and wait for ever for
/// threads that it could not start. Pixels are opaque or fully transparent, so premultiplied and
/// plain colours are equal.
std::shared_ptr<const MatrixPicture> withoutConversion(std::shared_ptr<const MatrixPicture> picture) {
  auto same = std::make_shared<MatrixPicture>(*picture);
  picture.reset();
  same->image.reinterpretAsFormat(QImage::Format_ARGB32);
  return same;
}

constexpr QSize leastMap(12, 12);  // in a figure that is too small for its legend

QString labelOr(const std::string& label, const std::string& own) { return text(label.empty() ? own : label); }

}  // namespace

std::shared_ptr<QCustomPlot> makeFigurePlot(const QSize& size) {
  std::shared_ptr<QCustomPlot> plot(new QCustomPlot, [](QCustomPlot* gone) {
    if (gone->thread() == QThread::currentThread())
      delete gone;
    else
      gone->deleteLater();
  });
  plot->resize(size);
  return plot;
}

/// Margins depend on tick labels, and the number of ticks on the space between the margins: two
/// passes are needed. This is what a replot does before it paints.
void layOutPlot(QCustomPlot& plot, const QSize& size) {
  plot.setViewport(QRect(QPoint(), size));
  for (int pass = 0; pass < 2; ++pass) {
    emit plot.beforeReplot();
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
      plot.plotLayout()->update(phase);
    emit plot.afterLayout();
  }
}

QString figureTitle(const Method& method, const ParameterValues& values, const std::optional<ParameterValues>& minus,
                    const FigureSides& sides) {
  if (!method.field()) return withSubtitle(method, curveSubtitle(method, values));
  if (!minus) return withSubtitle(method, valueSummary(method, values));
  ComparedTitle title = comparedTitle(method, values, *minus);
  if (!sides.a.empty() && !sides.b.empty() && sides.a != sides.b)
    title.a = textOfBytes(sides.a), title.b = textOfBytes(sides.b);
  const QString common = title.common.isEmpty() ? QString() : QStringLiteral("   ") + title.common;
  return withSubtitle(method, title.difference() + common);
}

Result<void> makePanelResults(FigurePanel& panel, std::stop_token stop, const Offload& offload) {
  const Method& method = *panel.method;
  if (method.field() && !panel.made.field) {
    auto made = make_compared_field(method, panel.values, subtrahend(method, panel.look),
                                    {.progress = {}, .stop = std::move(stop)});
    if (!made) return made.error();
    panel.made.field = std::move(*made);
  } else if (!method.field() && !panel.made.curves) {
    std::optional<Result<CurveSet>> made;
    run_offloaded(offload, [&] {
      made.emplace(coming_curves(panel.made.coming, method, panel.values, {{}, std::move(stop)}));
    });
    if (!*made) return made->error();
    panel.made.curves = std::make_shared<const CurveSet>(std::move(**made));
  }
  return {};
}

QString PanelPlot::ownTitle() const {
  if (!m_spec.title) return {};
  if (!m_panel.labels.title.empty()) return text(m_panel.labels.title);
  return figureTitle(*m_panel.method, m_panel.values, subtrahend(*m_panel.method, m_panel.look), m_panel.sides);
}

/// Above the plot.
void PanelPlot::addTitle(const QString& own, const QString& letter) {
  if (own.isEmpty() && letter.isEmpty()) return;
  m_plot->plotLayout()->insertRow(0);
  m_title = new FigureTitle(m_plot.get(), figureStyle(m_spec));
  m_title->setText(own);
  m_title->setLetter(letter);
  m_plot->plotLayout()->addElement(0, 0, m_title);
}

void PanelPlot::note(const QString& words) {
  if (m_title && m_spec.title) m_title->setText(m_title->text() + QStringLiteral("   ") + words);
}

void PanelPlot::fill(const QSize& size, const QString& title, const QString& letter) {
  m_size = size;
  m_plot = makeFigurePlot(size);
  m_isPanel = !letter.isEmpty();
  if (m_panel.method->field())
    fillMatrix();
  else
    fillCurves();
  addTitle(title, letter);
  arrange();
  if (!m_notSquare) return;
  note(notSquare());
  arrange();
}

void PanelPlot::arrange() {
  layOut();
  if (m_map && m_panel.look.keep_aspect) m_notSquare = !makeSquare();
}

void PanelPlot::resize(const QSize& size) {
  m_size = size;
  arrange();
}

int PanelPlot::titleHeight() const { return m_title ? m_title->ownHeight() : 0; }

void PanelPlot::setTitleHeight(int height) {
  if (m_title) m_title->setLeastHeight(height);
}

const ColourScale* PanelPlot::scale() const {
  if (!m_map) return nullptr;
  return m_picture ? &m_picture->request.scale : &m_request.scale;
}

QRect PanelPlot::mapPlace() const { return m_plot->axisRect()->rect(); }

void PanelPlot::fillMatrix() {
  const Method& method = *m_panel.method;
  const ParameterValues& values = m_panel.values;
  const auto& field = m_panel.made.field;
  const auto minus = subtrahend(method, m_panel.look);
  m_request = {field,
               shownRange(*field, m_panel.cells, m_panel.look),
               {},
               m_panel.look.aggregate,
               minus ? differenceScale(method, values, *minus, field, m_spec.dark)
                     : colourScale(method, field, values, m_panel.look.colour_map, m_spec.dark),
               m_spec.dpi / figure_points_per_inch * m_scale};
  m_map = std::make_unique<MatrixPlot>(*m_plot);
  m_map->setStyle(figureStyle(m_spec));
  m_plot->axisRect()->setMinimumSize(leastMap);
  m_map->setParts(m_spec.axes, m_spec.legend && !m_isPanel, m_spec.colour_bar && !m_isPanel);
  m_map->setTitles(labelOr(m_panel.labels.y, method.field()->row_title),
                   labelOr(m_panel.labels.x, method.field()->col_title));
  m_map->setTokens(m_panel.tokens, token_axes(method, values));
  m_map->setRange(m_request.range);
  m_map->setScale(m_request.scale);
  m_map->setRowMarks(lossMarks(m_panel.look, field->extent().rows));
}

void PanelPlot::fillCurves() {
  const CurveSet& made = *m_panel.made.curves;
  auto* curves = new CurvePlot(*m_plot);  // the plot owns it
  curves->setStyle(figureStyle(m_spec));
  curves->setCurves(made);
  const auto& chosen = m_panel.look.axes;
  if (const auto axes = chosen.find(m_panel.method->id); axes != chosen.end())
    curves->setLogAxes(axes->second.log_x, axes->second.log_y);
  curves->setTitles(m_panel.labels.x.empty() ? made.x_title : m_panel.labels.x,
                    m_panel.labels.y.empty() ? made.y_title : m_panel.labels.y);
  curves->setNamed(m_spec.legend);
  if (!m_spec.axes)
    for (QCPAxis* axis : m_plot->axisRect()->axes()) axis->setVisible(false);
}

/// Square cells, as far as there is room. Repeats, because ticks depend on the size that they
/// change.
bool PanelPlot::makeSquare() {
  const ViewRange range = m_map->range();
  QSize before;
  bool square = true;
  for (int pass = 0; pass < 4 && before != m_map->mapSize(); ++pass) {
    before = m_map->mapSize();
    square = m_map->setAspect(QSizeF(range.col_last - range.col_first, range.row_last - range.row_first));
    layOut();
  }
  return square;
}

QSize PanelPlot::pixels() const {
  return (QSizeF(m_map->mapSize()) * m_request.pixelRatio).toSize().expandedTo({1, 1});
}

Result<void> PanelPlot::makePicture(std::stop_token stop) {
  m_request.pixels = pixels();
  std::optional<Error> why;
  m_picture = renderPicture(m_request, {figureCells, FieldScheduler::threads()}, stop, &why);
  if (stop.stop_requested()) return cancelled();
  if (!m_picture) return why ? *why : invalid("the chosen range contains no cell of the matrix");
  return {};
}

void PanelPlot::placePicture(bool isVector) {
  m_map->setPicture(isVector ? withoutConversion(m_picture) : m_picture);
  arrange();
}

void PanelPlot::finish() {
  if (m_picture && !m_picture->exact) note(QCustomPlot::tr("sampled"));
}

}  // namespace vqscope
