// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/captured_tensor_dialog.h"

#include "core/base/text.h"
#include "core/method/method.h"
#include "widgets/paint/colour_scale.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/matrix_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// What the colours need to know: numbers of both signs or of one.
const Method& tensorMethod() {
  static const Method method{.id = "captured_tensor",
                             .title = "Tensor of a capture",
                             .recipe = FieldRecipe{.value_title = "value", .scale = ValueScale::diverging}};
  return method;
}

bool isOfCells(TensorRole role) { return axes_of(role) == TensorAxes::cells; }

/// From 0 to one less than `count`; without a choice it cannot be used.
void allow(QSpinBox& box, Index count) {
  box.setMaximum(static_cast<int>(count - 1));
  box.setEnabled(count > 1);
  box.setSuffix(CapturedTensorDialog::tr(" of %1").arg(count));
}

}  // namespace

CapturedTensorDialog::CapturedTensorDialog(std::shared_ptr<const Capture> capture, Index layer, TensorRole role,
                                           QWidget* parent, Index head)
    : QDialog(parent), m_capture(std::move(capture)), m_layer(layer), m_role(role) {
  build(tr("%1 of layer %2").arg(text(std::string(name_of(role)))).arg(layer), 0, head);
}

CapturedTensorDialog::CapturedTensorDialog(std::shared_ptr<const Capture> a, std::shared_ptr<const Capture> b,
                                           Index layer, TensorRole role, const std::array<Index, 4>& start,
                                           QWidget* parent)
    : QDialog(parent), m_capture(std::move(a)), m_other(std::move(b)), m_start(start), m_layer(layer), m_role(role) {
  build(tr("B - A of %1, layer %2").arg(text(std::string(name_of(role)))).arg(layer), start[0], start[1]);
}

void CapturedTensorDialog::build(const QString& title, Index sample, Index head) {
  setWindowTitle(title);
  resize(onScreen(*this, {720, 640}));
  auto* column = new QVBoxLayout(this);
  column->addWidget(choices());
  m_view = new MatrixView(this);
  column->addWidget(m_view, 1);
  m_cell = paragraph(this);
  column->addWidget(m_cell);
  connect(m_view, &MatrixView::cellHovered, this, [this](const std::optional<Cell>& cell) {
    m_view->setHovered(cell);
    showCell(cell);
  });
  connect(m_view, &MatrixView::cellPicked, this, [this](const Cell& cell) {
    m_view->setPicked(cell);
    showCell(cell);
  });
  m_view->expect(windowTitle());
  for (const auto& [box, at] : {std::pair{m_sample, sample}, std::pair{m_head, head}}) {
    const QSignalBlocker blocker(box);
    box->setMaximum(static_cast<int>(std::max<Index>(at, 0)));
    box->setValue(static_cast<int>(at));
  }
  read();
}

QWidget* CapturedTensorDialog::choices() {
  auto* choices = new QWidget(this);
  auto* row = new QHBoxLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  m_facts = paragraph(choices);
  row->addWidget(m_facts, 1);
  const auto addBox = [&](const QString& title) {
    auto* label = new QLabel(title, choices);
    auto* box = new QSpinBox(choices);
    box->setEnabled(false);
    label->setBuddy(box);
    row->addWidget(label);
    row->addWidget(box);
    connect(box, &QSpinBox::valueChanged, this, &CapturedTensorDialog::read);
    return box;
  };
  m_sample = addBox(tr("&Sample"));
  m_head = addBox(tr("&Head"));
  return choices;
}

bool CapturedTensorDialog::isBusy() const { return m_work.isBusy() || m_view->isBusy(); }

void CapturedTensorDialog::read() {
  using Matrix = Result<std::shared_ptr<const CapturedMatrix>>;
  m_work.run<Matrix>(
      [capture = m_capture, other = m_other, layer = m_layer, role = m_role, sample = m_sample->value(),
       head = m_head->value()](const std::stop_token&) {
        return other ? CapturedMatrix::difference(*capture, *other, layer, role, sample, head)
                     : CapturedMatrix::read(*capture, layer, role, sample, head);
      },
      [this](const Matrix& matrix) { take(matrix); });
}

void CapturedTensorDialog::take(const Result<std::shared_ptr<const CapturedMatrix>>& matrix) {
  if (!matrix) {
    m_view->clear();
    return m_facts->setText(text(matrix.error().message));
  }
  m_matrix = *matrix;
  const TensorReading& reading = m_matrix->reading();
  allow(*m_sample, reading.extent[0]);
  allow(*m_head, reading.extent[1]);
  const CapturedTensor& stored = *m_capture->find(m_layer, m_role);
  m_facts->setText(tr("%1, read as %2").arg(text(stored.dtype), text(reading.order)));
  showMatrix();
  const auto start = std::exchange(m_start, std::nullopt);
  if (!start) return;
  m_view->setPicked(Cell{std::max<Index>((*start)[2], 0), std::max<Index>((*start)[3], 0)});
  showCell(m_view->picked());
}

void CapturedTensorDialog::showMatrix() {
  const bool dark = currentPalette().dark;
  MatrixContent content;
  content.title = windowTitle();
  content.subtitle = tr("sample %1, head %2").arg(m_matrix->sample()).arg(m_matrix->head());
  content.rowTitle = isOfCells(m_role) ? tr("query") : tr("token");
  content.colTitle = isOfCells(m_role) ? tr("key") : tr("column");
  content.field = m_matrix;
  content.scale = colourScale(tensorMethod(), m_matrix, {}, {}, dark);
  m_view->setContent(content);
  showCell(m_view->picked());
}

void CapturedTensorDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_matrix) showMatrix();
}

void CapturedTensorDialog::showCell(const std::optional<Cell>& cell) {
  const std::optional<Cell> shown = cell ? cell : m_view->picked();
  const Extent extent = m_matrix ? m_matrix->extent() : Extent{};
  if (!shown || shown->row >= extent.rows || shown->col >= extent.cols)
    return m_cell->setText(tr("Point at a cell to read its number"));
  QString value = text(to_text(m_matrix->at(shown->row, shown->col), 7));
  if (const auto sides = m_matrix->sides(shown->row, shown->col))
    value += tr(", %1 in A, %2 in B").arg(text(to_text(sides->first, 7)), text(to_text(sides->second, 7)));
  m_cell->setText(tr("%1 %2, %3 %4: %5")
                      .arg(m_view->content().rowTitle)
                      .arg(shown->row)
                      .arg(m_view->content().colTitle)
                      .arg(shown->col)
                      .arg(value));
}

}  // namespace vqscope
