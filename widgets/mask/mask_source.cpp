// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/mask_source.h"

#include "core/base/text.h"
#include "core/io/tensor/tensor_list.h"
#include "core/mask/batch/mask_batch.h"
#include "core/mask/import/mask_array.h"
#include "core/mask/preset/import_change.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/mask/recognise/recognise.h"
#include "core/session/subject/batch_tokens.h"
#include "widgets/import/tensor_dialog.h"
#include "widgets/mask/sample_strip.h"
#include "widgets/parts/text.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <limits>
#include <span>

namespace vqscope {
namespace {

constexpr std::size_t longestWarning = 200;  // characters
constexpr int mostFound = 4;                 // findings of other samples

bool hasThreshold(const ImportedReading& reading) {
  return reading.kind == ImportedKind::additive || reading.kind == ImportedKind::bias;
}

Index planeCount(const std::vector<Index>& planes) {
  Index count = 1;
  for (const Index size : planes) count *= size;
  return count;
}

/// Accepts numbers such as 1e-5 and -1e9, and shows each with as many digits as it needs.
class ThresholdBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  QString textFromValue(double value) const override { return QString::number(value, 'g', 8); }
};

}  // namespace

MaskSource::MaskSource(Workbench& workbench, std::string page, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_page(std::move(page)),
      m_asText(new QPushButton(tr("Edit the mask as text"), this)),
      m_reading(new QWidget(this)),
      m_rows(new QFormLayout(m_reading)),
      m_batch(addPlane(tr("batch"))),
      m_head(addPlane(tr("head"))),
      m_threshold(new ThresholdBox(m_reading)),
      m_strip(new SampleStrip(m_reading)),
      m_found(new QLabel(m_reading)) {
  m_asText->setToolTip(
      tr("Convert the preset to editable text in the mask language, the Python of FlexAttention's mask_mod"));
  auto* import = new QPushButton(tr("Import…"), this);
  import->setToolTip(tr("Read a mask from a file: a text (.py) or cells (NumPy, safetensors, torch, .csv, .png)"));
  connect(import, &QPushButton::clicked, this, &MaskSource::chooseImport);
  connect(m_asText, &QPushButton::clicked, this, &MaskSource::editAsText);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(m_asText, 1);
  buttons->addWidget(import);
  m_rows->setContentsMargins(0, 0, 0, 0);
  m_threshold->setRange(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  m_threshold->setDecimals(6);
  m_threshold->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  m_threshold->setKeyboardTracking(false);
  m_threshold->setToolTip(tr("Cells with a value above the threshold are visible"));
  m_threshold->setObjectName(QStringLiteral("threshold"));
  m_rows->addRow(tr("threshold"), m_threshold);
  connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &MaskSource::readAgain);
  m_rows->addRow(m_strip);
  m_rows->addRow(m_found);
  m_found->setWordWrap(true);
  m_found->setTextFormat(Qt::RichText);
  connect(m_strip, &SampleStrip::picked, this, &MaskSource::choosePlane);
  connect(m_found, &QLabel::linkActivated, this, [this](const QString& place) {
    choosePlane(place.section(QLatin1Char(','), 0, 0).toLongLong(), place.section(QLatin1Char(','), 1).toLongLong());
  });
  connect(&m_watcher, &FileWatcher::changed, this, &MaskSource::readChanged);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(buttons);
  column->addWidget(m_reading);
}

QSpinBox* MaskSource::addPlane(const QString& title) {
  auto* box = new QSpinBox(m_reading);
  box->setKeyboardTracking(false);
  box->setObjectName(title);
  m_rows->addRow(title, box);
  connect(box, &QSpinBox::valueChanged, this, &MaskSource::readAgain);
  return box;
}

const ParameterValues& MaskSource::values() const {
  const ShownPage& state = m_workbench.page(m_page);
  return m_second ? state.other : state.values;
}

void MaskSource::sync(bool second) {
  m_second = second;
  m_asText->setVisible(values().choice("mask") != text_mask_id && !has_imported_mask(values()));
  showReading();
}

void MaskSource::showReading() {
  // After another mask on this side, or an undo, the file is no longer shown.
  const auto* rows = values().find("mask_rows");
  const auto* read = m_opened ? m_opened->values.find("mask_rows") : nullptr;
  const bool shown = has_imported_mask(values()) && read && *rows == *read;
  const auto planes = shown ? m_opened->import.leading : std::vector<Index>();
  const auto show = [&](QSpinBox* box, std::size_t dimension, Index now) {
    const QSignalBlocker blocker(box);
    const bool some = dimension < planes.size() && planes[dimension] > 1;
    m_rows->setRowVisible(box, some);
    if (!some) return;
    box->setRange(0, static_cast<int>(std::min<Index>(planes[dimension] - 1, std::numeric_limits<int>::max())));
    box->setToolTip(tr("0 to %1").arg(box->maximum()));
    box->setValue(static_cast<int>(now));
  };
  show(m_batch, 0, shown ? m_opened->options.batch.value_or(0) : 0);
  show(m_head, 1, shown ? m_opened->options.head.value_or(0) : 0);
  const bool several = planeCount(planes) > 1;
  m_rows->setRowVisible(m_strip, several);
  m_rows->setRowVisible(m_found, several && !m_found->text().isEmpty());
  if (several) m_strip->setCurrent(m_opened->options.batch.value_or(0), m_opened->options.head.value_or(0));
  const QSignalBlocker blocker(m_threshold);
  const bool threshold = shown && hasThreshold(m_opened->import.reading);
  m_rows->setRowVisible(m_threshold, threshold);
  if (threshold) m_threshold->setValue(m_opened->import.reading.threshold);
  m_reading->setVisible(m_rows->isRowVisible(m_batch) || m_rows->isRowVisible(m_head) || threshold);
}

void MaskSource::editAsText() {
  ShownPage next = m_workbench.page(m_page);
  ParameterValues& side = m_second ? next.other : next.values;
  side = preset_as_text(side);
  if (edit(tr("Edit the mask as text"), next)) emit textOpened();
}

void MaskSource::chooseImport() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Import mask"), {},
      tr("Masks (*.py *.npy *.npz *.safetensors *.pt *.pth *.pkl *.csv *.tsv *.txt *.png);;All files (*)"));
  if (!path.isEmpty()) importFile(path);
}

void MaskSource::importFile(const QString& path) {
  m_isBesideVectors = false;
  const auto input = open_mask(bytesOf(path));
  if (!input || !input->known.has_tensors() || !input->name.name.empty()) return read(path, {});
  const auto tensors = list_tensors(input->file, input->name.file, TensorUse::cells);
  // If the file cannot be listed or offers no choice, reading it reports the error.
  if (!tensors || tensors->size() < 2) return read(path, {});
  // The page may be deleted while the dialog is open.
  const QPointer<MaskSource> alive(this);
  TensorDialog dialog(input->name.file, *tensors, window(), TensorDialog::Indices::later);
  if (dialog.exec() == QDialog::Accepted && alive) read(text(tensor_name_text(dialog.name())), {});
}

void MaskSource::importBeside(const FileTensor& mask, const QkvChoice& chosen) {
  const auto& shape = mask.tensor.shape;
  ImportOptions options;
  if (shape.size() == 4) {
    if (chosen.samples.size() == 1) options.batch = std::min(chosen.samples[0], shape[0] - 1);
    options.head = std::min(chosen.head, shape[1] - 1);
  }
  m_isBesideVectors = true;
  read(text(tensor_name_text({mask.file, mask.tensor.name, {}})), options);
}

void MaskSource::follow(const QString& path) {
  m_imports.run<Result<MaskImport>>(
      [path](const std::stop_token& stop) { return import_mask(bytesOf(path), {.stop = stop}); },
      [=, this](const Result<MaskImport>& import) {
        if (import) takeFollowed(path, *import);
      });
}

void MaskSource::takeFollowed(const QString& path, const MaskImport& import) {
  ShownPage next = m_workbench.page(m_page);
  const auto imported = with_import(next.values, import);
  if (!imported) return;
  next.values = *imported;
  if (!import.is_text() && next.compare != CompareMode::none)
    next.other = with_sequence(next.other, std::get<1>(import.mask)->extent());
  m_watcher.setPath({});
  m_opened = Opened{path, {}, import, next.values, false};
  if (!m_workbench.edit(tr("Follow a folder"), next, EditPhase::ongoing)) return;
  emit replaced();
  if (planeCount(import.leading) > 1) lookAtAll();
  showReading();
}

void MaskSource::readAgain() {
  if (!m_opened) return;
  ImportOptions options = m_opened->options;
  options.batch = m_batch->value();
  options.head = m_head->value();
  if (sender() == m_threshold) options.threshold = m_threshold->value();
  read(m_opened->path, options);
}

void MaskSource::choosePlane(Index sample, Index head) {
  if (!m_opened) return;
  ImportOptions options = m_opened->options;
  options.batch = sample;
  if (m_opened->import.leading.size() > 1) options.head = head;
  read(m_opened->path, options);
}

void MaskSource::lookAtAll() {
  struct Looks {
    Index samples = 1;
    Index heads = 1;
    std::vector<BatchLook> all = {};
  };
  ImportOptions options = m_opened->options;
  options.batch.reset();
  options.head.reset();
  m_strip->setSamples(1, 1, {});
  m_found->clear();
  m_looks.run<Looks>(
      [path = bytesOf(m_opened->path), options, values = m_opened->values,
       stated = m_workbench.page(m_page).lint](const std::stop_token& stop) -> Looks {
        ImportOptions stoppable = options;
        stoppable.stop = stop;
        const auto batch = read_mask_batch(path, stoppable);
        if (!batch) return {};
        return {batch->samples, batch->heads, batch_looks(*batch, values, stated, stop)};
      },
      [this](const Looks& looks) { showLooks(looks.samples, looks.heads, looks.all); });
}

void MaskSource::showLooks(Index samples, Index heads, const std::vector<BatchLook>& looks) {
  m_strip->setSamples(samples, heads, looks);
  QStringList lines;
  int left = 0;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (looks[i].findings.empty()) continue;
    const Index sample = static_cast<Index>(i) / heads;
    const Index head = static_cast<Index>(i) % heads;
    // Equal heads of a sample are named once.
    const auto ofSample =
        std::span(looks).subspan(static_cast<std::size_t>(sample * heads), static_cast<std::size_t>(heads));
    const bool areAlike =
        std::ranges::all_of(ofSample, [&](const BatchLook& each) { return each.group == looks[i].group; });
    if (areAlike && head > 0) continue;
    const QString place = areAlike ? tr("Sample %1").arg(sample) : tr("Sample %1, head %2").arg(sample).arg(head);
    const QString line = QStringLiteral("<a href=\"%1,%2\">%3</a>: %4")
                             .arg(sample)
                             .arg(head)
                             .arg(place, text(looks[i].findings.front().sentence).toHtmlEscaped());
    lines.size() < mostFound ? lines.append(line) : void(++left);
  }
  if (left > 0) lines << tr("and %1 more").arg(left);
  m_found->setText(lines.join(QStringLiteral("<br>")));
  showReading();
}

void MaskSource::read(const QString& path, const ImportOptions& options) {
  m_imports.run<Result<ReadFile>>(
      [path, options, model = m_workbench.session().subject.model_file](const std::stop_token& stop) {
        ImportOptions stoppable = options;
        stoppable.stop = stop;
        const auto import = import_mask(bytesOf(path), stoppable);
        if (!import) return Result<ReadFile>(import.error());
        return Result<ReadFile>({*import, batch_token_texts(bytesOf(path), options.batch.value_or(0), model)});
      },
      [=, this, second = m_second](const Result<ReadFile>& file) {
        const bool again = m_isBesideVectors || (m_opened && m_opened->path == path);
        if (file) m_tokens = file->tokens;
        if (file && !again && masks_nothing(file->import)) return confirmUse(path, options, file->import, second);
        if (file) return take(path, options, file->import, second);
        m_isBesideVectors = false;
        emit notified(text(file.error().message), true);
        showReading();
      });
}

/// Whether the page still shows what the file had.
bool MaskSource::isUsed(const Opened& opened) const {
  const ShownPage& page = m_workbench.page(m_page);
  const ParameterValues& now = opened.second ? page.other : page.values;
  const auto same = [&](const char* name) {
    const auto *a = now.find(name), *b = opened.values.find(name);
    return a && b && *a == *b;
  };
  return same("mask") && same(opened.import.is_text() ? "mask_text" : "mask_rows");
}

void MaskSource::readChanged() {
  if (!m_opened) return;
  const QString name = QFileInfo(m_watcher.path()).fileName();
  if (!isUsed(*m_opened))
    return emit notified(tr("%1 changed on disk; the mask here was changed too and stays").arg(name), false);
  m_imports.run<Result<MaskImport>>(
      [path = m_opened->path, options = m_opened->options](const std::stop_token& stop) {
        ImportOptions stoppable = options;
        stoppable.stop = stop;
        return import_mask(bytesOf(path), stoppable);
      },
      [=, this](const Result<MaskImport>& import) {
        if (!m_opened || !isUsed(*m_opened)) return;
        if (import) return takeChanged(*import);
        emit notified(tr("%1 changed on disk and is not read: %2").arg(name, text(import.error().message)), true);
      });
}

void MaskSource::takeChanged(const MaskImport& import) {
  const std::string change = import_change(m_opened->import, import);
  if (change.empty()) return planeCount(import.leading) > 1 ? lookAtAll() : void();
  const QString name = QFileInfo(m_watcher.path()).fileName();
  ShownPage next = m_workbench.page(m_page);
  ParameterValues& side = m_opened->second ? next.other : next.values;
  const auto imported = with_import(side, import);
  if (!imported) return emit notified(name + QStringLiteral(": ") + text(imported.error().message), true);
  side = *imported;
  ParameterValues& beside = m_opened->second ? next.values : next.other;
  if (!import.is_text() && next.compare != CompareMode::none)
    beside = with_sequence(beside, std::get<1>(import.mask)->extent());
  m_opened->import = import;
  m_opened->values = side;
  if (!edit(tr("Read %1 anew").arg(name), next)) return;
  if (planeCount(import.leading) > 1) lookAtAll();
  showReading();
  emit notified(tr("%1 changed on disk: %2").arg(name, text(change)), false);
}

void MaskSource::confirmUse(const QString& path, const ImportOptions& options, const MaskImport& import, bool second) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("No mask"),
                              tr("%1 has %2, and none of them masks a cell: a mask, or vectors q, k or v?")
                                  .arg(QFileInfo(path).fileName(), text(numbers_text(import))),
                              QMessageBox::Cancel, window());
  box->setAttribute(Qt::WA_DeleteOnClose);
  const bool isTensor = import.file && import.file->values != TensorValues::no_tensor;
  const QPushButton* tensors = isTensor ? box->addButton(tr("Use as q, k or v…"), QMessageBox::AcceptRole) : nullptr;
  const QPushButton* mask = box->addButton(tr("Import as a mask"), QMessageBox::AcceptRole);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](const QAbstractButton* button) {
    if (button == mask) take(path, options, import, second);
    if (tensors && button == tensors) emit tensorsRequested(path);
  });
  box->open();
}

void MaskSource::take(const QString& path, const ImportOptions& options, const MaskImport& import, bool second) {
  ShownPage next = m_workbench.page(m_page);
  second = second && next.compare != CompareMode::none;
  const QString name = QFileInfo(path).fileName();
  ParameterValues& side = second ? next.other : next.values;
  const auto imported = with_import(side, import);
  if (!imported) return emit notified(name + QStringLiteral(": ") + text(imported.error().message), true);
  side = *imported;
  if (!import.is_text()) {
    // Both sides must have the same shape to compare cells.
    ParameterValues& beside = second ? next.values : next.other;
    if (next.compare != CompareMode::none) beside = with_sequence(beside, std::get<1>(import.mask)->extent());
  }
  const bool isOther = !m_opened || m_opened->path != path || m_opened->options.threshold != options.threshold;
  m_opened = Opened{path, options, import, side, second};
  if (!edit(tr("Import %1").arg(name), next, std::exchange(m_tokens, {}))) return;
  const auto input = open_mask(bytesOf(path));
  m_watcher.setPath(input ? text(input->name.file) : QString());
  if (isOther && planeCount(import.leading) > 1) lookAtAll();
  showReading();
  // The editor marks every line that a warning is about; the message names the first.
  auto warnings = import.is_text() ? mask_text_warnings(side) : import.warnings;
  if (reads_as_attention_mask(import))
    warnings.insert(warnings.begin(),
                    "each row looks like the padding of a sample; vqscope check --mask reads it as an attention_mask");
  QString notice = QStringLiteral("%1: %2").arg(name, text(import.sentence));
  if (std::exchange(m_isBesideVectors, false)) notice += tr("; the file's q, k and v are those of all pages");
  if (!warnings.empty()) notice += tr(". Warning: %1").arg(text(shortened(warnings.front(), longestWarning)));
  if (warnings.size() > 1) notice += tr("; the first of %1 warnings").arg(warnings.size());
  emit notified(notice, !warnings.empty());
}

void MaskSource::useAsText(const Recognition& found, bool second) {
  ShownPage next = m_workbench.page(m_page);
  ParameterValues& side = second ? next.other : next.values;
  side = recognised_as_text(side, found);
  edit(tr("Use the recognised mask"), next);
}

bool MaskSource::edit(const QString& what, const ShownPage& next, const TokenTexts& tokens) {
  Subject subject = m_workbench.session().subject;
  subject.tokens = tokens;
  const auto done = tokens.empty() ? m_workbench.edit(what, next) : m_workbench.replace(what, next, subject);
  if (!done) {
    emit notified(text(done.error().message), true);
    return false;
  }
  emit replaced();
  return true;
}

}  // namespace vqscope
