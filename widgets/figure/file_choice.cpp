// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/file_choice.h"

#include "core/output/exporter.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int spacing = 10;

QString helpOf(const QString& format) {
  static const std::map<QString, QString> all{
      {"png", FileChoice::tr("Pixels at the chosen resolution")}, {"svg", FileChoice::tr("Lines and selectable text")},
      {"pdf", FileChoice::tr("Lines and selectable text")},       {"csv", FileChoice::tr("Numbers as text")},
      {"npy", FileChoice::tr("Numbers as a NumPy array")},        {"json", FileChoice::tr("Numbers and parameters")}};
  return all.at(format);
}

}  // namespace

FileChoice::FileChoice(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(spacing);
  for (const char* format : {"png", "svg", "pdf", "csv", "npy", "json"}) {
    Line line{QLatin1String(format), new QCheckBox(QString::fromLatin1(format).toUpper(), this), new QLabel(this)};
    line.box->setToolTip(helpOf(line.format));
    line.size->setProperty("class", "secondary");
    connect(line.box, &QCheckBox::toggled, this, &FileChoice::changed);
    m_lines.push_back(line);
  }
  arrange(3);
}

int FileChoice::cellWidth() const {
  int box = 0;
  for (const Line& line : m_lines) box = std::max(box, line.box->sizeHint().width());
  return box + 2 * spacing + fontMetrics().horizontalAdvance(tr("≤ %1").arg(QStringLiteral("1000.0 MiB")));
}

QSize FileChoice::minimumSizeHint() const { return {2 * cellWidth(), QWidget::minimumSizeHint().height()}; }

void FileChoice::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(width() < 3 * cellWidth() ? 2 : 3);
}

void FileChoice::arrange(int perRow) {
  if (std::exchange(m_perRow, perRow) == perRow) return;
  for (int index = 0; const Line& line : m_lines) {
    const int column = index % perRow * 2;
    m_grid->addWidget(line.box, index / perRow, column);
    m_grid->addWidget(line.size, index / perRow, column + 1);
    ++index;
  }
  for (int cell = 0; cell < 3; ++cell) m_grid->setColumnStretch(2 * cell + 1, cell < perRow ? 1 : 0);
}

void FileChoice::setFormats(const QStringList& formats) {
  {
    const QSignalBlocker quiet(this);
    for (const Line& line : m_lines) line.box->setChecked(formats.contains(line.format));
  }
  emit changed();
}

QStringList FileChoice::formats() const {
  QStringList chosen;
  for (const Line& line : m_lines)
    if (line.box->isChecked() && line.box->isEnabled()) chosen << line.format;
  return chosen;
}

void FileChoice::allowNumbers(bool allowed) {
  for (const Line& line : m_lines)
    if (!is_figure_format(line.format.toStdString())) {
      line.box->setEnabled(allowed);
      line.box->setToolTip(allowed ? helpOf(line.format) : tr("A file of numbers holds one view"));
    }
}

void FileChoice::setSize(const QString& format, const QString& size) {
  for (const Line& line : m_lines)
    if (line.format == format) line.size->setText(size);
}

}  // namespace vqscope
