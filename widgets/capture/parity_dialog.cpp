// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/parity_dialog.h"

#include "core/base/text.h"
#include "widgets/capture/captured_tensor_dialog.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/table/cell_backgrounds.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <atomic>
#include <mutex>

namespace vqscope {
namespace {

constexpr int exceedsRole = Qt::UserRole;
constexpr int tensorRole = Qt::UserRole + 1;  ///< the TensorRole of a cell
constexpr int pollEvery = 200;                // milliseconds

QString shareText(double explained) { return text(to_text(100 * explained, 4)) + QStringLiteral(" %"); }

QString titleOfSide(const Capture& capture) {
  QString path = textOfBytes(capture.path);
  if (capture.info.engine.empty()) return path;
  return ParityDialog::tr("%1, %2").arg(text(capture.info.engine + " " + capture.info.version).trimmed(), path);
}

QString verdictText(ParityVerdict verdict) {
  switch (verdict) {
    case ParityVerdict::equal: return ParityDialog::tr("Equal");
    case ParityVerdict::noise: return ParityDialog::tr("Noise: rounding explains the differences");
    case ParityVerdict::differs: break;
  }
  return ParityDialog::tr("The captures differ");
}

std::vector<TensorRole> comparedRoles(const CaptureComparison& comparison) {
  std::vector<TensorRole> roles;
  for (const TensorRole role : tensor_roles)
    if (std::ranges::any_of(comparison.layers, [&](const ComparedLayer& each) { return each.tensors.contains(role); }))
      roles.push_back(role);
  return roles;
}

QTableWidgetItem* differenceItem(const TensorDifference& difference, bool exceeds) {
  const QString relative = text(to_text(difference.relative, 2));
  auto* item = tableItem(exceeds ? QStringLiteral("≠ ") + relative : relative, Qt::AlignRight);
  item->setData(exceedsRole, exceeds);
  item->setToolTip(ParityDialog::tr("Largest difference %1, root mean square %2, relative to A %3%4")
                       .arg(text(to_text(difference.max, 4)), text(to_text(difference.rms, 4)),
                            text(to_text(difference.relative, 4)),
                            exceeds ? ParityDialog::tr("; more than noise") : QString()));
  return item;
}

}  // namespace

/// What the thread that compares has reached.
struct ParityDialog::Progress {
  std::atomic<double> fraction = 0;
  std::mutex mutex;
  std::string first;  ///< the first difference, once it is found
};

ParityDialog::ParityDialog(std::shared_ptr<const Capture> a, std::shared_ptr<const Capture> b, QWidget* parent)
    : QDialog(parent), m_a(std::move(a)), m_b(std::move(b)), m_progress(std::make_shared<Progress>()) {
  const auto name = [](const Capture& each) { return QFileInfo(textOfBytes(each.path)).fileName(); };
  setWindowTitle(tr("%1 and %2 – parity").arg(name(*m_a), name(*m_b)));
  resize(onScreen(*this, {980, 620}));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(8);
  m_verdict = heading({}, this);
  m_sentence = paragraph(this, "");
  m_facts = paragraph(this);
  auto* sides = paragraph(this);
  sides->setText(tr("A: %1\nB: %2").arg(titleOfSide(*m_a), titleOfSide(*m_b)));
  m_layers = plainTable({tr("Layer")}, this);
  m_layers->setAccessibleName(tr("Differences by layer"));
  m_layers->setWordWrap(false);
  m_layers->setSelectionBehavior(QAbstractItemView::SelectItems);  // the map is of one tensor
  paintBackgrounds(*m_layers);
  for (QWidget* each : std::initializer_list<QWidget*>{m_verdict, m_sentence, m_facts, sides}) column->addWidget(each);
  auto* meaning = paragraph(this);
  meaning->setText(
      tr("RMS of B - A over that of A, by layer and tensor; ≠ is more than noise; a double click shows the map"));
  column->addWidget(meaning);
  column->addWidget(m_layers, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_map = buttons->addButton(tr("Map of B - A"), QDialogButtonBox::ActionRole);
  m_copy = buttons->addButton(tr("Copy as text"), QDialogButtonBox::ActionRole);
  m_report = buttons->addButton(tr("Report…"), QDialogButtonBox::ActionRole);
  for (QPushButton* each : {m_map, m_copy, m_report}) {
    each->setEnabled(false);
    each->setAutoDefault(false);
  }
  column->addWidget(buttons);
  connect(m_map, &QPushButton::clicked, this, &ParityDialog::showMap);
  connect(m_layers, &QTableWidget::cellActivated, this, &ParityDialog::showMap);
  connect(m_layers, &QTableWidget::currentCellChanged, this,
          [this] { m_map->setEnabled(m_layers->currentItem() && m_layers->currentColumn() > 0); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_copy, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(
        QStringList({m_verdict->text(), m_sentence->text(), m_facts->text()}).join(QLatin1Char('\n')));
  });
  connect(m_report, &QPushButton::clicked, this, [this] { emit reportRequested(*m_parity, *m_a, *m_b); });
  connect(&m_poll, &QTimer::timeout, this, &ParityDialog::showProgress);
  compare();
}

ParityDialog::~ParityDialog() = default;

void ParityDialog::compare() {
  showProgress();
  m_poll.start(pollEvery);
  m_work.run<Result<Parity>>(
      [a = m_a, b = m_b, progress = m_progress](const std::stop_token& stop) {
        const Work work{.progress = [&](double fraction) { progress->fraction = fraction; }, .stop = stop};
        return parity_of(*a, *b, work, [&](const FirstDifference& first) {
          const std::lock_guard lock(progress->mutex);
          progress->first = place_text(first);
        });
      },
      [this](const Result<Parity>& parity) { take(parity); });
}

void ParityDialog::showProgress() {
  m_verdict->setText(tr("Comparing, %1 %").arg(static_cast<int>(100 * m_progress->fraction)));
  const std::lock_guard lock(m_progress->mutex);
  if (!m_progress->first.empty()) m_facts->setText(tr("First difference: %1").arg(text(m_progress->first)));
}

void ParityDialog::take(const Result<Parity>& parity) {
  m_poll.stop();
  if (!parity) {
    m_verdict->setText(tr("The captures could not be compared"));
    return m_sentence->setText(text(parity.error().message));
  }
  m_parity = *parity;
  m_verdict->setText(verdictText(m_parity->comparison.verdict));
  m_sentence->setText(sentence(m_parity->sentence));
  m_facts->setText(factsText());
  for (QPushButton* each : {m_copy, m_report}) each->setEnabled(true);
  fill();
}

QString ParityDialog::factsText() const {
  const Parity& parity = *m_parity;
  QStringList facts;
  if (parity.comparison.first) facts << tr("First difference: %1").arg(text(place_text(*parity.comparison.first)));
  if (parity.cause)
    facts << tr("Cause: %1, explains %2 of the difference")
                 .arg(text(parity.cause->id), shareText(parity.cause->explained));
  if (const std::string call = parity.cause ? cause_call(*parity.cause) : ""; !call.empty()) facts << text(call);
  for (const TriedCause& each : parity.alternatives)
    facts << tr("Or: %1 (%2, explains %3)").arg(text(cause_sentence(each)), text(each.id), shareText(each.explained));
  for (const auto& [side, remarks] :
       {std::pair{"A", &parity.comparison.read_a}, std::pair{"B", &parity.comparison.read_b}})
    for (const std::string& each : *remarks) facts << tr("Read in %1: %2").arg(QLatin1String(side), text(each));
  for (const std::string& each : parity.undetermined) facts << tr("Note: %1").arg(text(each));
  return facts.join(QLatin1Char('\n'));
}

void ParityDialog::fill() {
  const CaptureComparison& comparison = m_parity->comparison;
  const auto roles = comparedRoles(comparison);
  QStringList titles{tr("Layer")};
  for (const TensorRole role : roles) titles << text(std::string(name_of(role)));
  m_layers->setColumnCount(static_cast<int>(titles.size()));
  m_layers->setHorizontalHeaderLabels(titles);
  m_layers->setRowCount(static_cast<int>(comparison.layers.size()));
  int row = 0;
  for (const ComparedLayer& layer : comparison.layers) {
    m_layers->setItem(row, 0, tableItem(QString::number(layer.layer), Qt::AlignRight));
    int column = 0;
    for (const TensorRole role : roles) {
      ++column;
      const auto found = layer.tensors.find(role);
      if (found == layer.tensors.end()) continue;
      auto* item = differenceItem(found->second, comparison.exceeds(layer.layer, role));
      item->setData(tensorRole, static_cast<int>(role));
      m_layers->setItem(row, column, item);
      const auto& first = comparison.first;
      const bool isFirst = first ? first->layer == layer.layer && first->role == role : !m_layers->currentItem();
      if (isFirst) m_layers->setCurrentCell(row, column);
    }
    ++row;
  }
  m_layers->horizontalHeader()->setStretchLastSection(false);
  m_layers->resizeColumnsToContents();
  colour();
}

void ParityDialog::showMap() {
  const QTableWidgetItem* item = m_layers->currentItem();
  if (!item || item->column() == 0) return;
  const Index layer = m_parity->comparison.layers[static_cast<std::size_t>(item->row())].layer;
  const auto role = static_cast<TensorRole>(item->data(tensorRole).toInt());
  const auto& first = m_parity->comparison.first;
  const bool isFirst = first && first->layer == layer && first->role == role;
  auto* dialog =
      new CapturedTensorDialog(m_a, m_b, layer, role, isFirst ? first->cell.at : std::array<Index, 4>{}, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void ParityDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

void ParityDialog::colour() {
  const Palette& colours = currentPalette();
  for (int row = 0; row < m_layers->rowCount(); ++row)
    for (int column = 0; column < m_layers->columnCount(); ++column)
      if (QTableWidgetItem* item = m_layers->item(row, column); item && item->data(exceedsRole).toBool()) {
        item->setBackground(mixed(colours.panel, colours.warning, 0.18));
        item->setForeground(colours.text);
      }
}

}  // namespace vqscope
