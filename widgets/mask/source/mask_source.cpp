// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/source/mask_source.h"

#include "core/base/text.h"
#include "core/lint/batch/read_batch.h"
#include "core/mask/batch/batch_members.h"
#include "core/mask/import/mask_array.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/mask/recognise/recognise.h"
#include "widgets/import/tensor_dialog.h"
#include "widgets/mask/source/reading_rows.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t longestWarning = 200;  // characters

/// Both sides must have the same shape to compare cells.
void followShape(const ParameterValues& of, ParameterValues& beside) {
  const Index queries = of.integer("q_length"), keys = of.integer("kv_length");
  beside = with_sequence(beside, {queries, keys > 0 ? keys : queries});
}

}  // namespace

MaskSource::MaskSource(Workbench& workbench, std::string page, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_page(std::move(page)),
      m_asText(new QPushButton(tr("Edit as text"), this)),
      m_reading(new ReadingRows(this)) {
  m_asText->setToolTip(
      tr("Convert the preset to editable text in the mask language, the Python of FlexAttention's mask_mod"));
  auto* import = new QPushButton(tr("Import…"), this);
  import->setToolTip(tr("Read a mask from a file: a text (.py) or cells (NumPy, safetensors, torch, .csv, .png)"));
  connect(import, &QPushButton::clicked, this, [this] { chooseImport(); });
  auto* second = new QPushButton(tr("as B…"), this);
  second->setToolTip(tr("Read a mask from a file as B, to compare it with this one"));
  connect(second, &QPushButton::clicked, this, [this] { chooseImport(true); });
  connect(m_asText, &QPushButton::clicked, this, &MaskSource::editAsText);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(m_asText, 1);
  buttons->addWidget(import);
  buttons->addWidget(second);
  connect(m_reading, &ReadingRows::sampleChosen, this,
          [this](Index sample, Index head) { chooseSample(sample, head); });
  connect(m_reading, &ReadingRows::thresholdChosen, this, [this](double threshold) {
    if (!m_opened) return;
    BatchChoice choice = m_opened->reading.choice;
    choice.threshold = threshold;
    readAgain(choice, {.batch = choice.sample, .head = choice.head}, {.title = tr("Threshold")});
  });
  connect(m_reading, &ReadingRows::readingChosen, this, [this](bool asMask) {
    if (!m_opened) return;
    BatchChoice choice = m_opened->reading.choice;
    choice.as_mask = asMask;
    readAgain(choice, {}, {.title = asMask ? tr("Read as a mask") : tr("Read as an attention_mask")});
  });
  connect(&m_watcher, &FileWatcher::changed, this, &MaskSource::readChanged);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(buttons);
  column->addWidget(m_reading);
}

const ParameterValues& MaskSource::values() const {
  const ShownPage& state = m_workbench.page(m_page);
  return m_second ? state.other : state.values;
}

void MaskSource::sync(bool second) {
  m_second = second;
  m_asText->setVisible(values().choice("mask") != text_mask_id && !has_imported_mask(values()));
  followSession();
  showReading();
}

/// After another mask on this side, or an undo, the file is no longer shown.
void MaskSource::showReading() {
  if (!m_opened || !isUsed(*m_opened)) setFileProblem({});
  ReadingRows::Content content;
  if (m_opened && m_opened->reading.choice.second == m_second && isUsed(*m_opened)) {
    const MaskReading& reading = m_opened->reading;
    content.overview = overviewOf(reading);
    content.threshold = reading.threshold();
    content.has_two_readings = reading.has_two_readings;
    content.as_mask = reading.choice.as_mask;
    content.samples = reading.samples_as_padding();
    content.queries = reading.queries_as_mask();
  }
  m_reading->show(content);
  // The checks are those of side A.
  const BatchOverview overview = m_second ? BatchOverview() : content.overview;
  if (std::exchange(m_overview, overview) != overview) emit samplesChecked();
}

SampleValues MaskSource::commonValues(const SampleBatch& batch) const {
  return without_sample({values(), m_workbench.page(m_page).lint}, batch);
}

BatchOverview MaskSource::overviewOf(const MaskReading& reading) {
  const BatchChoice& choice = reading.choice;
  const bool isSeveral = reading.samples() * reading.heads() > 1;
  if (isSeveral && (!m_checkedBy || (reading.batch && *m_checkedBy != commonValues(*reading.batch))))
    checkSamples(reading.batch ? commonValues(*reading.batch) : SampleValues());
  BatchOverview overview{reading.samples(), reading.heads(), choice.sample, choice.head};
  if (!isSeveral) return overview;
  overview.looks = m_checked;
  overview.problem = m_unchecked;
  overview.cases = m_cases;
  overview.choice = choice;
  return overview;
}

void MaskSource::editAsText() {
  ShownPage next = m_workbench.page(m_page);
  ParameterValues& side = m_second ? next.other : next.values;
  side = preset_as_text(side);
  if (const auto done = edit(tr("Edit the mask as text"), next); !done) return notifyOf(done.error());
  emit textOpened();
}

void MaskSource::chooseImport(bool asSecond) {
  const QString path = QFileDialog::getOpenFileName(
      this, asSecond ? tr("Import mask as B") : tr("Import mask"), {},
      tr("Masks (*.py *.npy *.npz *.safetensors *.pt *.pth *.pkl *.csv *.tsv *.txt *.png);;All files (*)"));
  if (!path.isEmpty()) importFile(path, asSecond);
}

void MaskSource::importFile(const QString& path, bool asSecond) {
  struct Listed {
    std::string file;
    std::vector<ListedTensor> tensors;
  };
  const Use how{.isSecond = asSecond, .isOpened = true};
  emit fileRequested();
  m_imports.stop();
  m_imports.run<Listed>(
      {path},
      [path](const std::stop_token&) {
        const auto input = open_mask(bytesOf(path));
        return input && !is_batch_file(bytesOf(path)) ? Listed{input->name.file, tensors_to_choose(*input)} : Listed();
      },
      [this, path, how](const Listed& listed) {
        if (listed.tensors.empty()) return read(path, {}, how);
        // The page may be deleted while the dialog is open.
        const QPointer<MaskSource> alive(this);
        TensorDialog dialog(listed.file, listed.tensors, window(), TensorDialog::Indices::later);
        if (dialog.exec() == QDialog::Accepted && alive) read(text(tensor_name_text(dialog.name())), {}, how);
      });
}

void MaskSource::importBeside(const FileTensor& mask, const QkvChoice& chosen) {
  const auto& shape = mask.tensor.shape;
  const auto nearest = [](Index index, Index size) {
    return std::clamp<Index>(index, 0, std::max<Index>(size - 1, 0));
  };
  const bool isBatch = shape.size() == 4 || (shape.size() == 3 && shape[0] == chosen.sample_count);
  ImportOptions options;
  if (isBatch && chosen.samples.size() == 1) options.batch = nearest(chosen.samples[0], shape[0]);
  if (shape.size() == 4) options.head = nearest(chosen.head, shape[1]);
  read(text(tensor_name_text({mask.file, mask.tensor.name, {}})), options, {.isBesideQkv = true, .isOpened = true});
}

/// Reads a file on another thread; an error has its result too.
void MaskSource::readAnd(const BatchChoice& choice, const ImportOptions& options,
                         std::function<void(const Result<MaskReading>&)> done) {
  m_imports.run<Result<MaskReading>>(
      {text(choice.file)},
      [choice, options, model = m_workbench.session().subject.model_file](const std::stop_token& stop) {
        ImportOptions stoppable = options;
        stoppable.stop = stop;
        return read_for_choice(choice, stoppable, model);
      },
      std::move(done));
}

void MaskSource::readAgain(const BatchChoice& choice, const ImportOptions& options, const Use& use) {
  readAnd(choice, options, [this, use](const Result<MaskReading>& reading) { take(reading, use); });
}

void MaskSource::chooseSample(Index sample, Index head, const QString& notice) {
  if (!m_opened) return;
  const MaskReading& opened = m_opened->reading;
  const Use use{.title = tr("Choose a sample"), .notice = notice, .isQuiet = true};
  if (!opened.batch) return readAgain(opened.choice, {.batch = sample, .head = head}, use);
  m_imports.run<MaskReading>(
      {text(opened.choice.file)},
      [opened, sample, head, model = m_workbench.session().subject.model_file](const std::stop_token&) {
        return with_choice(opened, sample, head, model);
      },
      [this, use](const Result<MaskReading>& reading) { take(reading, use); });
}

void MaskSource::checkSamples(const SampleValues& with) {
  struct Checked {
    std::shared_ptr<const SampleBatch> batch;
    std::shared_ptr<const BatchLooks> looks;
    SampleValues with;
    std::string problem;
  };
  m_checkedBy = with;
  m_checked.reset();
  keepCases();
  m_looks.run<Checked>(
      [reading = m_opened->reading,
       before = SampleValues{values(), m_workbench.page(m_page).lint}](const std::stop_token& stop) -> Checked {
        auto batch = reading.batch;
        if (!batch) {
          auto whole = read_batch(reading.choice.file, {.threshold = reading.choice.threshold, .stop = stop});
          if (!whole) return {.problem = whole.error().message};
          batch = std::make_shared<const SampleBatch>(std::move(whole->batch));
        }
        return {batch, std::make_shared<const BatchLooks>(batch_looks(*batch, before, stop)),
                without_sample(before, *batch)};
      },
      [this, file = m_opened->reading.choice.file](const Checked& checked) {
        if (!m_opened || m_opened->reading.choice.file != file) return;
        m_unchecked = checked.problem;
        if (checked.batch) m_checkedBy = checked.with;
        if (checked.batch) m_opened->reading.batch = checked.batch;
        m_checked = checked.looks;
        if (!m_cases) keepCases();
        showReading();
      });
}

void MaskSource::keepCases() {
  const auto& batch = m_opened->reading.batch;
  const SampleValues now{values(), m_workbench.page(m_page).lint};
  m_cases = batch ? std::make_shared<const SampleCases>(SampleCases{batch, now}) : nullptr;
}

void MaskSource::read(const QString& path, const ImportOptions& options, const Use& how) {
  const BatchChoice choice{.file = bytesOf(QFileInfo(path).absoluteFilePath()), .second = m_second || how.isSecond};
  readAnd(choice, options, [this, choice, how](const Result<MaskReading>& reading) {
    const bool again = how.isBesideQkv || (m_opened && m_opened->reading.choice.file == choice.file);
    if (reading && !again && reading->import && masks_nothing(*reading->import)) return confirmUse(*reading, how);
    take(reading, how);
  });
}

/// Whether the page still shows what the file had.
bool MaskSource::isUsed(const Opened& opened) const {
  const ShownPage& page = m_workbench.page(m_page);
  const ParameterValues& now = opened.reading.choice.second ? page.other : page.values;
  if (opened.reading.batch) return have_same_sample(now, opened.values, *opened.reading.batch);
  const auto same = [&](const char* name) {
    const auto *a = now.find(name), *b = opened.values.find(name);
    return a && b && *a == *b;
  };
  return same("mask") && same(opened.reading.is_text() ? "mask_text" : "mask_rows");
}

void MaskSource::confirmUse(const MaskReading& reading, const Use& how) {
  const QString path = text(reading.choice.file);
  auto* box = new QMessageBox(QMessageBox::Question, tr("No mask"),
                              tr("%1 has %2, and none of them masks a cell: a mask, or vectors q, k or v?")
                                  .arg(nameOf(reading), text(numbers_text(*reading.import))),
                              QMessageBox::Cancel, window());
  box->setAttribute(Qt::WA_DeleteOnClose);
  const bool isTensor = reading.import->file && reading.import->file->values != TensorValues::no_tensor;
  const QPushButton* tensors = isTensor ? box->addButton(tr("Use as q, k or v…"), QMessageBox::AcceptRole) : nullptr;
  const QPushButton* mask = box->addButton(tr("Import as a mask"), QMessageBox::AcceptRole);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](const QAbstractButton* button) {
    if (button == mask) take(reading, how);
    if (tensors && button == tensors) emit tensorsRequested(path);
  });
  box->open();
}

QString MaskSource::nameOf(const MaskReading& reading) const { return QFileInfo(text(reading.choice.file)).fileName(); }

void MaskSource::take(const Result<MaskReading>& reading, const Use& how) {
  const Result<void> used = reading ? use(*reading, how) : reading.error();
  if (used) return;
  notifyOf(used.error());
  showReading();
}

Result<void> MaskSource::use(const MaskReading& given, const Use& how) {
  Opened next{given, {}};
  ShownPage page = m_workbench.page(m_page);
  bool& second = next.reading.choice.second;
  if (how.isSecond && page.compare == CompareMode::none) {
    page.compare = CompareMode::side_by_side;
    page.other = page.values;
  }
  second = second && page.compare != CompareMode::none;
  ParameterValues& side = second ? page.other : page.values;
  SampleValues before{side, page.lint};
  const bool isOther = m_opened && m_opened->reading.choice.file != given.choice.file;
  if (isOther && m_opened->reading.batch && isUsed(*m_opened)) before = without_batch(before, *m_opened->reading.batch);
  auto made = with_reading(before, given);
  if (!made) return within(bytesOf(nameOf(given)), made.error());
  side = next.values = std::move(made->values);
  if (!second && !page.lint.map().empty()) page.lint = std::move(made->stated);
  if (!given.is_text() && page.compare != CompareMode::none) followShape(side, second ? page.values : page.other);
  page.batch = given.is_kept() ? next.reading.choice : BatchChoice();
  if (!m_opened || m_opened->reading.batch != given.batch || !given.batch) forgetChecks();
  auto former = std::exchange(m_opened, std::move(next));
  const QString title = how.title.isEmpty() ? tr("Import %1").arg(nameOf(given)) : how.title;
  if (const auto done = edit(title, page, given.tokens, how.phase); !done) {
    m_opened = std::move(former);
    forgetChecks();
    return text_error_in(bytesOf(nameOf(given)), done.error());
  }
  m_restored = {};
  watch();
  setFileProblem({});
  showReading();
  if (how.isOpened) emit opened(m_watcher.path());
  if (!how.notice.isEmpty()) emit notified(how.notice, false);
  if (how.notice.isEmpty() && !how.isQuiet) notifyOf(given, m_opened->values, how.isBesideQkv);
  return {};
}

void MaskSource::notifyOf(const MaskReading& reading, const ParameterValues& side, bool isBesideQkv) {
  // The editor marks every line that a warning is about; the message names the first.
  const auto warnings = reading.is_text() ? mask_text_warnings(side) : reading.warnings;
  QString notice = text(reading.sentence);
  if (!reading.batch) notice.prepend(nameOf(reading) + QStringLiteral(": "));
  if (reading.has_two_readings)
    notice += !reading.choice.as_mask ? tr("; “read as” can make it a mask of %1")
                                            .arg(counted(reading.queries_as_mask(), tr("query"), tr("queries")))
                                      : tr("; each row looks like the padding of a sample: “read as” can make it an "
                                           "attention_mask");
  if (isBesideQkv) notice += tr("; the file's q, k and v are those of all pages");
  if (!warnings.empty()) notice += tr(". Warning: %1").arg(text(shortened(warnings.front(), longestWarning)));
  if (warnings.size() > 1) notice += tr("; the first of %1 warnings").arg(warnings.size());
  emit notified(notice, !warnings.empty());
}

void MaskSource::useAsText(const Recognition& found, bool second) {
  ShownPage next = m_workbench.page(m_page);
  ParameterValues& side = second ? next.other : next.values;
  side = recognised_as_text(side, found);
  if (const auto done = edit(tr("Use the recognised mask"), next); !done) notifyOf(done.error());
}

Result<void> MaskSource::edit(const QString& what, const ShownPage& next, const TokenTexts& tokens, EditPhase phase) {
  if (auto done = m_workbench.edit(what, next, phase, tokens); !done) return done;
  emit replaced();
  return {};
}

}  // namespace vqscope
