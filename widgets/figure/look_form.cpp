// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/look_form.h"

#include "widgets/figure/side_box.h"
#include "widgets/parts/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace vqscope {
namespace {

QComboBox* choiceBox(const QString& name, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return box;
}

/// Two fields of a row; the first takes the remaining width.
QLayout* beside(QWidget* first, QWidget* second) {
  auto* row = new QHBoxLayout;
  row->addWidget(first, 1);
  row->addWidget(second);
  return row;
}

QSize gridSize(const FigureSpec& spec) { return {spec.cols, spec.rows}; }

}  // namespace

LookForm::LookForm(QWidget* parent)
    : QWidget(parent),
      m_width(new SideBox(tr("width"), {tr("one column (84 mm)"), tr("two columns (174 mm)"), tr("800 px")}, this)),
      m_height(new SideBox(tr("height"),
                           {tr("automatic"), tr("40 mm"), tr("60 mm"), tr("80 mm"), tr("120 mm"), tr("640 px")}, this)),
      m_grid(choiceBox(tr("Grid"), this)),
      m_font(choiceBox(tr("Font"), this)),
      m_fontSize(new QDoubleSpinBox(this)),
      m_theme(choiceBox(tr("Colours"), this)),
      m_dpi(new QSpinBox(this)) {
  m_width->setAccessibleName(tr("Width"));
  m_height->setAccessibleName(tr("Height"));
  for (auto* box : {m_width, m_height}) box->setToolTip(tr("In millimetres or CSS pixels, such as 84 mm or 600 px"));
  m_font->addItem(tr("DejaVu Sans"), QString());
  for (const QString& family : QFontDatabase::families())
    if (family != QLatin1String("DejaVu Sans")) m_font->addItem(family, family);
  // The least value of the box stands for none.
  m_fontSize->setRange(least_font_size - 0.5, most_font_size);
  m_fontSize->setSingleStep(0.5);
  m_fontSize->setDecimals(1);
  m_fontSize->setSpecialValueText(tr("automatic"));
  m_fontSize->setSuffix(tr(" pt"));
  m_fontSize->setAccessibleName(tr("Font size"));
  m_fontSize->setToolTip(
      tr("Size of the axis titles; numbers, lines and gaps scale with it. Automatic: 9 pt, less in "
         "figures below 63 mm."));
  m_theme->addItems({tr("light"), tr("dark")});
  m_dpi->setRange(least_figure_dpi, most_figure_dpi);
  m_dpi->setSuffix(tr(" dpi"));
  m_dpi->setAccessibleName(tr("Resolution"));
  m_dpi->setToolTip(tr("Resolution in dots per inch, of PNG and of maps within SVG and PDF"));
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  form->addRow(tr("Grid"), m_grid);
  form->addRow(tr("Font"), beside(m_font, m_fontSize));
  form->addRow(tr("Colours"), beside(m_theme, m_dpi));
  form->addRow(tr("Show"), makeParts());
  for (auto* box : {m_width, m_height}) connect(box, &SideBox::changed, this, &LookForm::changed);
  for (auto* box : {m_grid, m_font, m_theme}) connect(box, &QComboBox::currentIndexChanged, this, &LookForm::changed);
  connect(m_fontSize, &QDoubleSpinBox::valueChanged, this, &LookForm::changed);
  connect(m_dpi, &QSpinBox::valueChanged, this, &LookForm::changed);
  fillGrids();
  setSpec({});
}

QWidget* LookForm::makeParts() {
  auto* parts = new QWidget(this);
  auto* grid = new QGridLayout(parts);
  grid->setContentsMargins(0, 0, 0, 0);
  int index = 0;
  const auto add = [&](const QString& title) {
    auto* box = new QCheckBox(title, parts);
    grid->addWidget(box, index / 2, index % 2);
    ++index;
    connect(box, &QCheckBox::toggled, this, &LookForm::changed);
    return box;
  };
  m_title = add(tr("Title"));
  m_axes = add(tr("Axes"));
  m_legend = add(tr("Legend"));
  m_colourBar = add(tr("Colour bar"));
  return parts;
}

/// Automatic, then every number of columns in which the panels have place.
void LookForm::fillGrids() {
  const QSignalBlocker quiet(m_grid);
  const QVariant chosen = m_grid->currentData();
  m_grid->clear();
  m_grid->addItem(tr("automatic"), QSize(0, 0));
  for (int cols = 1; m_panels > 1 && cols <= std::min(m_panels, most_grid_side); ++cols) {
    const int rows = (m_panels + cols - 1) / cols;
    if (rows <= most_grid_side) m_grid->addItem(tr("%1 × %2").arg(rows).arg(cols), QSize(cols, rows));
  }
  m_grid->setCurrentIndex(std::max(0, m_grid->findData(chosen)));
  m_grid->setEnabled(m_panels > 1);
}

void LookForm::setPanels(std::size_t count) {
  m_panels = static_cast<int>(std::min<std::size_t>(count, most_grid_side * most_grid_side));
  fillGrids();
}

double LookForm::suggestedHeight(const FigureSpec& spec) const {
  FigureSpec tall = spec;
  tall.height = most_figure_side;
  const auto grid = figure_grid(tall, static_cast<std::size_t>(std::max(1, m_panels)));
  return suggested_figure_height(spec.width, grid ? *grid : FigureGrid());
}

bool LookForm::followsWidth() const { return m_height->currentText() == tr("automatic"); }

void LookForm::followWidth() { m_height->setEditText(tr("automatic")); }

void LookForm::setSpec(const FigureSpec& spec) {
  {
    const QSignalBlocker quiet(this);
    m_width->setSide(spec.width);
    m_height->setSide(spec.height);
    if (spec.height == suggestedHeight(spec)) followWidth();
    m_grid->setCurrentIndex(std::max(0, m_grid->findData(gridSize(spec))));
    m_font->setCurrentIndex(std::max(0, m_font->findData(text(spec.font))));
    m_fontSize->setValue(spec.font_size > 0 ? spec.font_size : m_fontSize->minimum());
    m_theme->setCurrentIndex(spec.dark ? 1 : 0);
    m_dpi->setValue(spec.dpi);
    m_title->setChecked(spec.title);
    m_axes->setChecked(spec.axes);
    m_legend->setChecked(spec.legend);
    m_colourBar->setChecked(spec.colour_bar);
  }
  emit changed();
}

Result<FigureSpec> LookForm::spec() const {
  const auto width = m_width->side();
  if (!width) return width.error();
  const auto height = followsWidth() ? Result<double>(least_figure_side) : m_height->side();
  if (!height) return height.error();
  const QSize grid = m_grid->currentData().toSize();
  const bool isAutomatic = m_fontSize->value() <= m_fontSize->minimum();
  FigureSpec spec{.width = *width,
                  .height = *height,
                  .dpi = m_dpi->value(),
                  .font = m_font->currentData().toString().toStdString(),
                  .font_size = isAutomatic ? 0 : m_fontSize->value(),
                  .title = m_title->isChecked(),
                  .legend = m_legend->isChecked(),
                  .axes = m_axes->isChecked(),
                  .colour_bar = m_colourBar->isChecked(),
                  .dark = m_theme->currentIndex() == 1,
                  .rows = grid.height(),
                  .cols = grid.width()};
  if (followsWidth()) spec.height = suggestedHeight(spec);
  if (auto checked = check_figure(spec); !checked) return checked.error();
  return spec;
}

}  // namespace vqscope
