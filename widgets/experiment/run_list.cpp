// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/run_list.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/method/verdict/verdict.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/view/curve/curve_table.h"
#include "widgets/view/curve_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>

#include <algorithm>
#include <set>

namespace vqscope {
namespace {

enum Column { when, experiment, settings, seconds, title, note };
constexpr int nameRole = Qt::UserRole;
constexpr int leastBelow = 420;            // pixels
constexpr int leastBeside = 760;           // pixels
constexpr std::size_t mostInChart = 100;   // runs that are selected together automatically
constexpr std::size_t mostLines = 6;       // lines at most, so that they can be distinguished
constexpr std::size_t mostListed = 5'000;  // lines that the table shows without a delay

/// The values that differ from the method's defaults.
QString settingsOf(const KeptRun& kept) {
  const Method* method = find_method(kept.run.method);
  QStringList parts;
  for (const auto& [name, value] : kept.run.values) {
    const auto* spec = method ? find_spec(method->parameters, name) : nullptr;
    if (name == "seed" || !spec || format_value(spec->default_value) != value)
      parts << text(name) + QLatin1Char('=') + text(shortened(value, 24));
  }
  return parts.join(QLatin1Char(' '));
}

QString titleOf(const KeptRun& kept) {
  const Method* method = find_method(kept.run.method);
  return method ? text(method->title) : text(kept.run.method);
}

std::set<std::string> namesWanted(const std::string& name, const std::vector<KeptRun>& runs) {
  if (!name.empty()) return {name};
  if (runs.size() > mostInChart) return {};
  const auto chart = chart_of(runs);
  if (!chart || chart->spreads.size() > mostLines) return {};
  std::set<std::string> names;
  for (const auto& run : runs) names.insert(run.name);
  return names;
}

QTableWidgetItem* fixedItem(const QString& words) {
  auto* item = tableItem(words);
  item->setFlags(item->flags() & ~Qt::ItemIsEditable);
  return item;
}

/// Sorts by number, not by text.
QTableWidgetItem* secondsItem(const KeptRun& kept) {
  auto* item = fixedItem({});
  item->setData(Qt::DisplayRole, QString::fromStdString(to_text(kept.run.seconds, 3)).toDouble());
  item->setToolTip(kept.run.complete ? QObject::tr("Seconds") : QObject::tr("Seconds until it was stopped"));
  return item;
}

/// A table with mean, least, greatest and deviation of every line.
CurveSet spreadColumns(const RunChart& chart) {
  CurveSet set = chart.curves;
  set.curves.clear();
  set.bands.clear();
  for (const auto& spread : chart.spreads) {
    set.curves.push_back({spread.name + " · mean", spread.mean});
    if (spread.runs < 2) continue;
    set.curves.push_back({spread.name + " · least", spread.least});
    set.curves.push_back({spread.name + " · greatest", spread.greatest});
    set.curves.push_back({spread.name + " · deviation", spread.deviation});
  }
  return set;
}

}  // namespace

RunList::RunList(RunStore store, QWidget* parent)
    : QWidget(parent),
      m_store(std::move(store)),
      m_search(new QLineEdit(this)),
      m_table(plainTable({tr("When (UTC)"), tr("Experiment"), tr("Settings"), tr("Seconds"), tr("Name"), tr("Note")},
                         this)),
      m_words(new QLabel(this)) {
  m_search->setPlaceholderText(tr("Search runs"));
  m_search->setClearButtonEnabled(true);
  m_table->setObjectName(QStringLiteral("runs"));
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_table->setWordWrap(false);
  m_table->setMinimumHeight(90);
  for (const auto& [column, width] : {std::pair{when, 150}, {experiment, 150}, {settings, 170}, {seconds, 70}})
    m_table->setColumnWidth(column, width);
  auto* left = new QWidget(this);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(12, 6, 6, 6);
  column->addWidget(makePlace());
  column->addWidget(makeButtons());
  column->addWidget(m_table, 1);
  m_words->setWordWrap(true);
  column->addWidget(m_words);
  auto* across = new QSplitter(Qt::Horizontal, this);
  across->setChildrenCollapsible(false);
  across->addWidget(left);
  across->addWidget(makeChart());
  across->setSizes({560, 440});
  m_across = across;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(across);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  connect(m_search, &QLineEdit::textChanged, this, &RunList::filter);
  connect(m_table, &QTableWidget::itemSelectionChanged, this, &RunList::showChosen);
  connect(m_table, &QTableWidget::itemChanged, this, &RunList::onEdited);
  showChosen();
}

/// The chart stands below a table that would be too narrow beside it.
void RunList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_across->setOrientation(width() < leastBeside && height() > leastBelow ? Qt::Vertical : Qt::Horizontal);
}

QWidget* RunList::makePlace() {
  m_place = new QWidget(this);
  auto* row = new QHBoxLayout(m_place);
  row->setContentsMargins(0, 0, 0, 0);
  m_folder = new QLabel(m_place);
  m_folder->setObjectName(QStringLiteral("runFolder"));
  m_folder->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* back = new QPushButton(tr("Kept runs"), m_place);
  back->setObjectName(QStringLiteral("keptRuns"));
  back->setToolTip(tr("List the kept runs of single measurements"));
  row->addWidget(m_folder, 1);
  row->addWidget(back);
  connect(back, &QPushButton::clicked, this, &RunList::keptRequested);
  m_place->hide();
  return m_place;
}

void RunList::setStore(RunStore store, bool other) {
  if (m_store.folder() != store.folder()) m_deleted.clear();
  m_restore->setEnabled(!m_deleted.empty());
  m_store = std::move(store);
  const QString folder = text(m_store.folder());
  m_folder->setText(tr("Runs of the sweep %1").arg(folder.section(QLatin1Char('/'), -1)));
  m_folder->setToolTip(folder);
  m_place->setVisible(other);
}

QWidget* RunList::makeButtons() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  m_delete = new QPushButton(tr("Delete"), bar);
  m_restore = new QPushButton(tr("Undo delete"), bar);
  m_restore->setEnabled(false);
  row->addWidget(m_search, 1);
  row->addWidget(m_delete);
  row->addWidget(m_restore);
  connect(m_delete, &QPushButton::clicked, this, &RunList::deleteChosen);
  connect(m_restore, &QPushButton::clicked, this, &RunList::restoreDeleted);
  return bar;
}

QWidget* RunList::makeChart() {
  auto* right = new QWidget(this);
  m_remark = new QLabel(right);
  m_remark->setObjectName(QStringLiteral("remark"));
  m_remark->setWordWrap(true);
  m_chart = new CurveView(right);
  m_spreads = new CurveTable(right);
  m_results = new QStackedWidget(right);
  m_results->addWidget(m_chart);
  m_results->addWidget(m_spreads);
  m_numbers = new QPushButton(tr("Mean and spread"), right);
  m_numbers->setCheckable(true);
  connect(m_numbers, &QPushButton::toggled, m_results, [this](bool on) { m_results->setCurrentIndex(on ? 1 : 0); });
  auto* row = new QHBoxLayout;
  row->addWidget(m_remark, 1);
  row->addWidget(m_numbers);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(6, 6, 12, 6);
  column->addLayout(row);
  column->addWidget(m_results, 1000);
  column->addStretch(1);  // the words stay above an empty place
  return right;
}

void RunList::setRuns(const RunListing& listing, const QString& problem) {
  const std::size_t count = std::min(listing.runs.size(), mostListed);
  m_runs.assign(listing.runs.begin(), listing.runs.begin() + static_cast<std::ptrdiff_t>(count));
  fill();
  QString words = problem;
  if (count < listing.runs.size())
    words = tr("The newest %1 of %2 runs are listed").arg(count).arg(listing.runs.size());
  if (!listing.damaged.empty())
    words = counted(std::ssize(listing.damaged), tr("file cannot be read and is left out"),
                    tr("files cannot be read and are left out")) +
            tr("; the first is %1").arg(text(shortened(listing.damaged.front(), 200)));
  if (!m_failure.isEmpty()) words = m_failure;
  showMessage(words);
}

void RunList::fill() {
  std::set<std::string> before;
  for (const auto& run : chosen()) before.insert(run.name);
  const auto wanted = std::exchange(m_wanted, {});
  if (wanted) before = namesWanted(*wanted, m_runs);
  {
    const QScopedValueRollback filling(m_filling, true);
    m_table->setSortingEnabled(false);
    m_table->setRowCount(static_cast<int>(m_runs.size()));
    m_table->clearSelection();
    for (int row = 0; row < m_table->rowCount(); ++row) {
      const KeptRun& kept = m_runs[static_cast<std::size_t>(row)];
      const QString state = kept.run.complete ? QString() : tr(" (stopped)");
      auto* first = fixedItem(text(kept.run.when).replace(QLatin1Char('T'), QLatin1Char(' ')).remove(QLatin1Char('Z')));
      first->setData(nameRole, text(kept.name));
      first->setToolTip(
          tr("%1\nversion %2 on %3").arg(text(kept.name), text(kept.run.version), text(kept.run.processor)));
      m_table->setItem(row, when, first);
      m_table->setItem(row, experiment, fixedItem(titleOf(kept) + state));
      m_table->setItem(row, settings, fixedItem(settingsOf(kept)));
      m_table->setItem(row, seconds, secondsItem(kept));
      m_table->setItem(row, title, tableItem(text(kept.note.title)));
      m_table->setItem(row, note, tableItem(text(kept.note.note)));
    }
    const auto mode = m_table->selectionMode();
    m_table->setSelectionMode(QAbstractItemView::MultiSelection);
    for (int row = 0; row < m_table->rowCount(); ++row)
      if (before.contains(m_runs[static_cast<std::size_t>(row)].name)) m_table->selectRow(row);
    m_table->setSelectionMode(mode);
    m_table->setSortingEnabled(true);
  }
  if (m_table->horizontalHeader()->sortIndicatorSection() >= m_table->columnCount())
    m_table->sortItems(when, Qt::DescendingOrder);
  filter();
  if (wanted) showFirstChosen();
  showChosen();
}

void RunList::showFirstChosen() {
  m_table->scrollToTop();
  const auto rows = m_table->selectionModel()->selectedRows();
  if (rows.size() == 1) m_table->scrollTo(rows.front());
}

/// A row matches if it contains every word.
void RunList::filter() {
  const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (int row = 0; row < m_table->rowCount(); ++row) {
    QString line;
    for (int column = 0; column < m_table->columnCount(); ++column)
      line += m_table->item(row, column)->text() + QLatin1Char(' ');
    m_table->setRowHidden(row, !std::ranges::all_of(words, [&](const QString& word) {
                            return line.contains(word, Qt::CaseInsensitive);
                          }));
  }
}

std::vector<KeptRun> RunList::chosen() const {
  std::vector<KeptRun> runs;
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const auto* item = m_table->item(row, when);
    if (!item || !item->isSelected() || m_table->isRowHidden(row)) continue;
    const std::string name = item->data(nameRole).toString().toStdString();
    const auto found = std::ranges::find(m_runs, name, &KeptRun::name);
    if (found != m_runs.end()) runs.push_back(*found);
  }
  return runs;
}

void RunList::showChosen() {
  if (m_filling) return;
  const auto runs = chosen();
  m_delete->setEnabled(!runs.empty());
  m_results->setVisible(!runs.empty());
  m_numbers->setVisible(!runs.empty());
  if (runs.empty())
    return m_remark->setText(m_runs.empty() ? tr("No runs yet: a measurement is kept here when it ends or is stopped. "
                                                 "Close Runs, choose a question and press Run.")
                                            : tr("Select a run to see its result, or several with Ctrl or Shift to "
                                                 "compare them in one chart"));
  const auto chart = chart_of(runs);
  m_results->setVisible(bool(chart));
  m_numbers->setVisible(bool(chart));
  if (!chart) return m_remark->setText(text(chart.error().message));
  m_chart->setCurves(titleOf(runs.front()), counted(std::ssize(runs), tr("run"), tr("runs")), chart->curves,
                     CurveOrigin::measured);
  m_spreads->setCurves(spreadColumns(*chart));
  const Method* method = find_method(runs.front().run.method);
  const QString verdict = method ? capitalised(verdict_of(*method, chart->curves)) : QString();
  const QString remark = text(chart->remark);
  m_remark->setText(remark.isEmpty() || verdict.isEmpty() ? remark + verdict : tr("%1. %2").arg(remark, verdict));
}

void RunList::onEdited(const QTableWidgetItem* item) {
  if (m_filling || (item->column() != title && item->column() != note)) return;
  const std::string name = m_table->item(item->row(), when)->data(nameRole).toString().toStdString();
  const RunNote words{m_table->item(item->row(), title)->text().toStdString(),
                      m_table->item(item->row(), note)->text().toStdString()};
  const auto written = m_store.annotate(name, words);
  if (!written) showMessage(text(written.error().message));
  if (written) emit changed();
}

void RunList::deleteChosen() {
  m_failure.clear();
  std::vector<std::string> gone;
  for (const auto& run : chosen()) {
    if (const auto removed = m_store.remove(run.name); !removed) {
      report(text(removed.error().message));
      break;
    }
    gone.push_back(run.name);
  }
  if (!gone.empty()) m_deleted.push_back(std::move(gone));
  m_restore->setEnabled(!m_deleted.empty());
  emit changed();
}

void RunList::restoreDeleted() {
  if (m_deleted.empty()) return;
  m_failure.clear();
  for (const auto& name : m_deleted.back())
    if (const auto restored = m_store.restore(name); !restored) report(text(restored.error().message));
  m_deleted.pop_back();
  m_restore->setEnabled(!m_deleted.empty());
  emit changed();
}

void RunList::report(const QString& sentence) {
  m_failure = sentence;
  showMessage(sentence);
}

void RunList::showMessage(const QString& sentence) {
  m_words->setText(sentence);
  m_words->setVisible(!sentence.isEmpty());
}

}  // namespace vqscope
