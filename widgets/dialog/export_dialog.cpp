// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/export_dialog.h"

#include "core/base/text.h"
#include "core/field/tile_grid.h"
#include "core/method/compared.h"
#include "widgets/dialog/export_run.h"
#include "widgets/export/figure.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/title/compared_title.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace vqscope {
namespace {

Rect cellsOf(const ViewRange& view, Extent extent) {
  return {cells_in(view.row_first, view.row_last, extent.rows), cells_in(view.col_first, view.col_last, extent.cols)};
}

QString titleOf(const ExportTarget& target, const ShownPage& look) {
  const QString name = target.name.empty() ? QString() : text(target.name) + QStringLiteral(" · ");
  return name + figureTitle(*target.method, target.values, subtrahend(*target.method, look), {});
}

QString rangeText(const Range& range) { return QStringLiteral("%1:%2").arg(range.begin).arg(range.end); }

}  // namespace

Result<Range> parseRange(const QString& given, Index count, const QString& name) {
  const std::string whole = given.trimmed().toStdString();
  const auto parts = split(whole, ':');
  const auto bad = [&] {
    return invalid(name.toStdString() + " is " + (whole.empty() ? "empty" : shortened(whole)) +
                   ", must be begin:end within 0:" + to_text(count));
  };
  if (parts.size() != 2) return bad();
  const auto begin = trimmed(parts[0]).empty() ? std::optional<Index>(0) : parse_count(parts[0]);
  const auto end = trimmed(parts[1]).empty() ? std::optional(count) : parse_count(parts[1]);
  if (!begin || !end || *begin < 0 || *end > count || *begin >= *end) return bad();
  return Range{*begin, *end};
}

ExportDialog::ExportDialog(const std::vector<ExportTarget>& targets, std::size_t selected, const ShownPage& look,
                           const ExportChoices& choices, QWidget* parent)
    : QDialog(parent), m_targets(targets), m_look(look), m_folder(choices.folder) {
  setWindowTitle(tr("Export"));
  setMinimumWidth(440);
  auto* form = new QFormLayout;
  m_target = new QComboBox(this);
  for (const auto& each : m_targets) m_target->addItem(titleOf(each, look));
  m_target->setCurrentIndex(static_cast<int>(selected));
  m_target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  form->addRow(tr("What"), m_target);
  m_format = new QComboBox(this);
  for (const auto& [suffix, help] :
       {std::pair{"png", tr("PNG figure")}, std::pair{"svg", tr("SVG figure with selectable text")},
        std::pair{"pdf", tr("PDF figure with selectable text")}, std::pair{"csv", tr("CSV numbers")},
        std::pair{"npy", tr("NPY numbers")}, std::pair{"json", tr("JSON numbers and parameters")}})
    m_format->addItem(help, QString::fromLatin1(suffix));
  m_format->setCurrentIndex(std::max(0, m_format->findData(choices.format)));
  form->addRow(tr("As"), m_format);
  m_whole = new QRadioButton(tr("whole"), this);
  m_visible = new QRadioButton(tr("visible range"), this);
  m_block = new QRadioButton(tr("rows and columns"), this);
  m_whole->setChecked(true);
  auto* part = new QHBoxLayout;
  for (auto* button : {m_whole, m_visible, m_block}) part->addWidget(button);
  part->addStretch(1);
  form->addRow(tr("Part"), part);
  m_rows = new QLineEdit(this);
  m_cols = new QLineEdit(this);
  auto* block = new QHBoxLayout;
  block->addWidget(m_rows);
  block->addWidget(new QLabel(QStringLiteral("×"), this));
  block->addWidget(m_cols);
  m_rows->setAccessibleName(tr("Rows"));
  m_cols->setAccessibleName(tr("Columns"));
  form->addRow(tr("Rows × columns"), block);
  m_dpi = new QSpinBox(this);
  m_dpi->setRange(least_figure_dpi, most_figure_dpi);
  m_dpi->setValue(choices.dpi);
  m_dpi->setSuffix(tr(" dots per inch"));
  form->addRow(tr("Resolution"), m_dpi);
  m_note = new QLabel(this);
  m_note->setWordWrap(true);
  m_note->setTextFormat(Qt::PlainText);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_export = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
  m_export->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(m_note);
  layout->addStretch(1);
  layout->addWidget(buttons);
  connect(m_target, &QComboBox::currentIndexChanged, this, &ExportDialog::targetChanged);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::showSize);
  connect(m_dpi, &QSpinBox::valueChanged, this, &ExportDialog::showSize);
  for (auto* button : {m_whole, m_visible, m_block})
    connect(button, &QRadioButton::toggled, this, &ExportDialog::showSize);
  for (auto* edit : {m_rows, m_cols}) connect(edit, &QLineEdit::textChanged, this, &ExportDialog::showSize);
  targetChanged();
}

const ExportTarget& ExportDialog::target() const {
  return m_targets[static_cast<std::size_t>(std::max(0, m_target->currentIndex()))];
}

QString ExportDialog::format() const { return m_format->currentData().toString(); }

void ExportDialog::targetChanged() {
  m_making.stop();
  m_field.reset();
  m_refusal.clear();
  if (const Method& method = *target().method; method.field())
    m_making.run<Result<std::shared_ptr<const Field>>>(
        [&method, values = target().values, minus = subtrahend(method, m_look)](std::stop_token stop) {
          return make_compared_field(method, values, minus, {.progress = {}, .stop = std::move(stop)});
        },
        [this](const Result<std::shared_ptr<const Field>>& field) { take(field); });
  showParts();
}

void ExportDialog::take(const Result<std::shared_ptr<const Field>>& field) {
  if (field)
    m_field = *field;
  else
    m_refusal = text(field.error().message);
  showParts();
}

void ExportDialog::showParts() {
  m_visible->setEnabled(m_field && target().view);
  m_block->setEnabled(m_field != nullptr);
  if (!m_field || (m_visible->isChecked() && !target().view)) m_whole->setChecked(true);
  if (m_field) {
    const Extent extent = m_field->extent();
    const Rect cells = target().view ? cellsOf(*target().view, extent) : Rect{{0, extent.rows}, {0, extent.cols}};
    m_rows->setText(rangeText(cells.rows));
    m_cols->setText(rangeText(cells.cols));
  }
  showSize();
}

Result<std::optional<Rect>> ExportDialog::chosenCells() const {
  if (!m_field || m_whole->isChecked()) return std::optional<Rect>();
  const Extent extent = m_field->extent();
  if (m_visible->isChecked()) return std::optional(cellsOf(*target().view, extent));
  const auto rows = parseRange(m_rows->text(), extent.rows, tr("rows"));
  if (!rows) return rows.error();
  const auto cols = parseRange(m_cols->text(), extent.cols, tr("columns"));
  if (!cols) return cols.error();
  return std::optional(Rect{*rows, *cols});
}

ExportRequest ExportDialog::request() const {
  ExportRequest request;
  request.method = target().method;
  request.values = target().values;
  if (const auto cells = chosenCells()) request.cells = *cells;
  request.look = m_look;
  request.look.view.reset();  // the dialog chooses the part
  request.figure.dpi = m_dpi->value();
  request.tokens = m_tokens;
  request.figures = qtFigureMaker();
  request.field = m_field;
  request.curves = target().curves;
  return request;
}

void ExportDialog::showSize() {
  m_rows->setEnabled(m_block->isChecked());
  m_cols->setEnabled(m_block->isChecked());
  m_dpi->setEnabled(is_figure_format(format().toStdString()));
  const auto cells = chosenCells();
  m_export->setEnabled(cells && m_refusal.isEmpty());
  if (!cells) return m_note->setText(text(cells.error().message));
  if (!m_refusal.isEmpty()) return m_note->setText(m_refusal);
  if (is_figure_format(format().toStdString()))
    return m_note->setText(tr("Always in light colours. Identical to the file that the command line writes."));
  // The size of curves is not shown: it is small, and known only after the curves are computed.
  m_note->setText(m_field ? tr("At most %1.").arg(text(byte_count(export_size(request(), format().toStdString()))))
                          : QString());
}

QString ExportDialog::suggestedName() const {
  const ExportTarget& shown = target();
  QString name = text(shown.method->id);
  if (const auto minus = subtrahend(*shown.method, m_look))
    name += QLatin1Char('_') + comparedFileName(comparedTitle(*shown.method, shown.values, *minus));
  return name + QLatin1Char('.') + format();
}

ExportChoices ExportDialog::choices() const { return {format(), m_dpi->value(), m_folder}; }

Result<QString> exportTo(const ExportDialog& dialog, QWidget* parent) {
  ExportRequest request = dialog.request();
  const QString filter = QStringLiteral("%1 (*.%2)").arg(dialog.format().toUpper(), dialog.format());
  const QString suggested = QDir(dialog.choices().folder).filePath(dialog.suggestedName());
  const QString path = chooseSavePath(parent, QObject::tr("Export"), suggested, filter, dialog.format());
  if (path.isEmpty()) return QString();
  ExportRun run(path, parent);
  request.offload = run.offload();
  const auto write = [&] {
    return export_file(
        request, bytesOf(path), [&run](double fraction) { run.setFraction(fraction); }, run.token());
  };
  auto written = write();
  if (!written && written.error().code == Errc::too_large && !is_figure_format(dialog.format().toStdString())) {
    const auto answer = QMessageBox::question(parent, QObject::tr("Large export"),
                                              text(written.error().message) + QObject::tr(". Write it anyway?"));
    if (answer != QMessageBox::Yes) return QString();
    request.force = true;
    written = write();
  }
  if (written) return path;
  return written.error().code == Errc::cancelled ? Result<QString>(QString()) : Result<QString>(written.error());
}

}  // namespace vqscope
