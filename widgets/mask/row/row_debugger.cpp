// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/row_debugger.h"

#include "core/base/text.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/text.h"
#include "widgets/view/overlay.h"

#include <QAction>
#include <QActionGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index farStep = 10;
constexpr std::size_t describedRanges = 8;
constexpr Index mostCopied = 1000;  ///< lines, each of which is evaluated
/// Until the first frame has measured them.
constexpr int lowest = 165;
constexpr int lowestOfThreeLines = 200;
constexpr int lowestFolded = 38;

}  // namespace

RowDebugger::RowDebugger(QWidget* parent) : ImGuiHost(parent), m_overlay(new Overlay(this, Overlay::Banner::bottom)) {
  makePaintedTablesAccessible();
  setAccessibleName(tr("Row debugger"));
  makeActions();
  const auto table = [this] { return m_table.asTable(mostCopied); };
  m_copies = QList{tableTextAction(this, table)} + tableCopyActions(this, table);
  updateActions();
  connect(&m_search, &RowSearches::picked, this, &RowDebugger::pick);
  connect(&m_search, &RowSearches::samplePicked, this, &RowDebugger::samplePicked);
  connect(&m_search, &RowSearches::notified, this, &RowDebugger::notified);
  connect(&m_search, &RowSearches::changed, this, qOverload<>(&QWidget::update));
}

QAction* RowDebugger::addNew(const QString& text, const QString& keys, Request run) {
  auto* action = new QAction(text, this);
  action->setShortcut(QKeySequence(keys));
  connect(action, &QAction::triggered, this, std::move(run));
  addAction(action);
  return action;
}

QAction* RowDebugger::addChoice(QActionGroup* group, const QString& text, Request run) {
  QAction* action = addNew(text, {}, std::move(run));
  action->setCheckable(true);
  if (group) group->addAction(action);
  return action;
}

void RowDebugger::makeActions() {
  m_steps = {addNew(tr("First row"), QStringLiteral("Alt+Home"),
                    [this] {
                      pick({0, m_cell.col});
                    }),
             addNew(tr("Previous row"), QStringLiteral("Alt+Up"), [this] { step(-1, 0); }),
             addNew(tr("Next row"), QStringLiteral("Alt+Down"), [this] { step(1, 0); }),
             addNew(tr("Last row"), QStringLiteral("Alt+End"), [this] {
               pick({m_mask->extent().rows - 1, m_cell.col});
             })};
  const std::array titles{std::pair{tr("Next row without a visible key"), tr("Previous row without a visible key")},
                          std::pair{tr("Next row that differs"), tr("Previous row that differs")},
                          std::pair{tr("Next row that breaks a rule"), tr("Previous row that breaks a rule")}};
  for (int i = 0; i < goals; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto goal = static_cast<RowGoal>(i);
    const QString key = QStringLiteral("F%1").arg(7 + i);
    m_goals[at] = {addNew(titles[at].first, key, [=, this] { search(goal, true); }),
                   addNew(titles[at].second, QStringLiteral("Shift+") + key, [=, this] { search(goal, false); })};
  }
  auto* filters = new QActionGroup(this);
  const std::array filterTitles{tr("Show all keys"), tr("Show visible keys only"), tr("Show masked keys only"),
                                tr("Show differing keys only")};
  for (std::size_t i = 0; i < filterTitles.size(); ++i)
    m_filters[i] = addChoice(filters, filterTitles[i], [=, this] { setFilter(static_cast<KeyFilter>(i)); });
  auto* types = new QActionGroup(this);
  for (std::size_t i = 0; i < m_types.size(); ++i)
    m_types[i] = addChoice(types, tr("Additive values as %1").arg(text(float_type_names()[i])), [=, this] {
      setFormat({static_cast<FloatType>(i), m_format.masked});
    });
  m_infinite = addChoice(nullptr, tr("Masked keys as -inf"), [this] {
    setFormat({m_format.type, m_infinite->isChecked() ? MaskedValue::minus_infinity : MaskedValue::most_negative});
  });
  m_fold = addChoice(nullptr, tr("Fold the keys of the row"), [this] { updateFold(); });
  m_fold->setChecked(true);
}

void RowDebugger::updateActions() {
  const bool any = m_mask && m_mask->extent().rows > 0;
  for (QAction* action : actions()) action->setEnabled(any);
  for (QAction* action : m_goals[static_cast<std::size_t>(RowGoal::rule)]) action->setEnabled(any && m_ruleSearch);
  m_filters[static_cast<std::size_t>(KeyFilter::different)]->setEnabled(any && beside());
  const auto& [next, previous] = m_goals[static_cast<std::size_t>(RowGoal::differs)];
  next->setText(beside() ? tr("Next cell that differs") : tr("Next row that differs"));
  previous->setText(beside() ? tr("Previous cell that differs") : tr("Previous row that differs"));
  m_filters[static_cast<std::size_t>(m_filter)]->setChecked(true);
  m_types[static_cast<std::size_t>(m_format.type)]->setChecked(true);
  m_infinite->setChecked(m_format.masked == MaskedValue::minus_infinity);
  m_fold->setEnabled(any && m_foldable);
}

void RowDebugger::setRuleSearch(RuleSearch search) {
  m_ruleSearch = std::move(search);
  updateActions();
  update();
}

void RowDebugger::setMask(std::shared_ptr<const Mask> mask) {
  if (mask == m_mask) return;
  m_search.stop();
  m_rows.stop();
  m_failure.clear();
  m_mask = std::move(mask);
  setFormat(m_format);
  if (!m_mask || m_mask->extent().rows == 0 || m_mask->extent().cols == 0) {
    m_mask.reset();
    m_table.setContent({});
    showFreshness();
    return update();
  }
  const Extent extent = m_mask->extent();
  m_cell = {std::min(m_chosen.row, extent.rows - 1), std::min(m_chosen.col, extent.cols - 1)};
  showRow();
}

void RowDebugger::setSecond(std::shared_ptr<const Mask> second) {
  if (second == m_second) return;
  m_second = std::move(second);
  if (!m_second && m_filter == KeyFilter::different) m_filter = KeyFilter::all;
  updateActions();
  if (m_mask) showRow();
}

void RowDebugger::setTokens(const TokenTexts& texts, Index past) {
  if (texts == m_tokens && past == m_past) return;
  m_tokens = texts;
  m_past = past;
  if (m_mask) showRow();
}

void RowDebugger::setCell(Cell cell) {
  if (!m_mask || !isIn(cell, m_mask->extent())) return;
  m_chosen = cell;
  if (cell == m_cell) return;
  const bool sameRow = cell.row == m_cell.row;
  m_cell = cell;
  if (!sameRow) {
    m_search.stop();  // it started from another row
    return showRow();
  }
  m_table.reveal(cell.col);
  update();
}

std::shared_ptr<const Mask> RowDebugger::beside() const {
  return m_second && m_mask && m_second->extent() == m_mask->extent() ? m_second : nullptr;
}

/// Masks of bands give a row at once. Others may evaluate millions of cells: the previous row
/// stays, marked, until the new one is ready.
void RowDebugger::showRow() {
  const auto make = [mask = m_mask, second = beside(), q = m_cell.row,
                     filter = m_filter](const std::stop_token& stop) -> Result<Row> {
    auto report = row_report(*mask, q, stop);
    if (!report) return report.error();
    Row row{.report = std::move(*report), .second = {}, .keys = {}};
    if (second) {
      auto of_second = row_report(*second, q, stop);
      if (!of_second) return of_second.error();
      row.second = std::move(*of_second);
    }
    row.keys = KeyList(row.report, filter, row.second ? &*row.second : nullptr);
    return row;
  };
  const auto take = [this, mask = m_mask](Result<Row> row) {
    if (mask != m_mask || m_rows.isBusy()) return;
    if (row) return accept(std::move(*row));
    m_failure = text(row.error().message);
    showFreshness();
  };
  m_failure.clear();
  if (m_mask->has_bands() && (!beside() || beside()->has_bands())) return take(make({}));
  m_rows.run<Result<Row>>(make, take);
  showFreshness();
}

void RowDebugger::accept(Row row) {
  const auto second = row.second ? beside() : nullptr;
  m_table.setContent({m_mask, std::move(row.report), m_filter, std::move(row.keys), m_format, m_tokens, second,
                      row.second.value_or(RowReport())});
  m_table.reveal(m_cell.col);
  const QString said = text(sentenceOfRow(describedRanges));
  setAccessibleDescription(second ? tr("Row %1: %2").arg(report().row).arg(said)
                                  : tr("Row %1 %2").arg(report().row).arg(said));
  showFreshness();
  update();
}

std::string RowDebugger::sentenceOfRow(std::size_t mostRanges) const {
  const KeyTableContent& shown = m_table.content();
  return shown.second ? compared_row_sentence(shown.row, shown.second_row, mostRanges)
                      : row_sentence(shown.row, mostRanges);
}

int RowDebugger::currentRow() const {
  for (int line = 0; line < m_table.shownLines(); ++line)
    if (m_table.keyAt(line) == m_cell.col) return line;
  return -1;
}

void RowDebugger::setFreshness(const Freshness& freshness) {
  m_freshness = freshness;
  if (freshness.isOutdated()) m_later = {};
  if (freshness.isCurrent() && m_later) std::exchange(m_later, {})();
  showFreshness();
}

void RowDebugger::showFreshness() {
  const Freshness own = !m_failure.isEmpty() ? Freshness::outdated(m_failure)
                        : m_rows.isBusy()    ? Freshness::computing()
                                             : Freshness();
  m_overlay->setFreshness(worse(m_freshness, own));
}

void RowDebugger::pick(Cell cell) {
  if (!m_mask || cell == m_cell) return;
  const bool newRow = cell.row != m_cell.row;
  setCell(cell);
  if (newRow) emit rowChanged(m_cell.row);
  emit cellPicked(m_cell);
}

void RowDebugger::step(Index rows, Index keys) {
  if (!m_mask) return;
  const Extent extent = m_mask->extent();
  Cell to{std::clamp<Index>(m_cell.row + rows, 0, extent.rows - 1), m_cell.col};
  // Moves among the shown keys; from a hidden key, to the next shown one.
  const KeyList& shown = m_table.content().keys;
  if (keys != 0 && shown.size() > 0) {
    const Index place = shown.place_of(m_cell.col);
    const Index missed = shown.has(m_cell.col) || keys < 0 ? 0 : 1;
    to.col = shown.at(std::clamp<Index>(place + keys - missed, 0, shown.size() - 1));
  }
  pick(to);
}

void RowDebugger::search(RowGoal goal, bool forwards) {
  m_later = {};
  if (m_freshness.isOutdated()) return emit notified(m_freshness.refusal(), true);
  if (!m_freshness.isCurrent()) {
    m_later = [=, this] { search(goal, forwards); };
    return;
  }
  if (!m_mask || (goal == RowGoal::rule && !m_ruleSearch)) return;
  m_search.start({goal, forwards, m_cell, {m_mask, m_ruleSearch}, beside()});
}

void RowDebugger::setFilter(KeyFilter filter) {
  m_filter = filter;
  updateActions();
  if (m_mask) showRow();
}

void RowDebugger::setFormat(AdditiveFormat format) {
  m_format = format;
  const bool own = m_mask && format.masked == MaskedValue::most_negative;
  m_format.own = own ? masked_number(*m_mask) : std::nullopt;
  updateActions();
  m_table.setFormat(m_format);
  update();
}

void RowDebugger::goToTyped(const std::string& typed) {
  const auto row = parse_index(typed);
  const Index rows = m_mask->extent().rows;
  if (row && *row >= 0 && *row < rows) return pick({*row, m_cell.col});
  emit notified(tr("There is no row %1; rows are 0 to %2").arg(text(typed)).arg(rows - 1), true);
}

void RowDebugger::setOneLine(bool oneLine) {
  if (std::exchange(m_oneLine, oneLine) == oneLine) return;
  m_least = m_leastShown = oneLine ? lowest : lowestOfThreeLines;
  m_choicesWidth = 0;
  updateGeometry();
  update();
}

void RowDebugger::setFoldable(bool foldable) {
  if (std::exchange(m_foldable, foldable) == foldable) return;
  updateActions();
  updateFold();
}

/// Until the next frame has measured the height of what stays.
void RowDebugger::updateFold() {
  m_least = m_leastShown = isFolded() ? lowestFolded : m_oneLine ? lowest : lowestOfThreeLines;
  m_choicesWidth = 0;
  setMaximumHeight(isFolded() ? m_leastShown : QWIDGETSIZE_MAX);
  updateGeometry();
  update();
  emit foldChanged();
}

void RowDebugger::frameDone() {
  for (const auto& request : std::exchange(m_requests, {})) request();
  if (std::exchange(m_leastShown, m_least) == m_least) return;
  if (isFolded()) setMaximumHeight(m_leastShown);
  updateGeometry();
}

void RowDebugger::contextMenuEvent(QContextMenuEvent* event) {
  if (!m_mask || isFolded()) return;
  if (m_freshness.isOutdated()) return emit notified(m_freshness.refusal(), true);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addActions(m_copies);
  menu->popup(event->globalPos());
}

void RowDebugger::keyPressEvent(QKeyEvent* event) {
  if (isEditing() || !m_mask) return ImGuiHost::keyPressEvent(event);
  const Index far = event->modifiers().testFlag(Qt::ShiftModifier) ? farStep : 1;
  const auto scroll = [this](Index lines) {
    m_table.scroll(lines);
    update();
  };
  switch (event->key()) {
    case Qt::Key_Left: return step(0, -far);
    case Qt::Key_Right: return step(0, far);
    case Qt::Key_Up: return step(-far, 0);
    case Qt::Key_Down: return step(far, 0);
    case Qt::Key_PageUp: return scroll(-m_table.page());
    case Qt::Key_PageDown: return scroll(m_table.page());
    case Qt::Key_Home: return scroll(-m_table.firstLine());
    case Qt::Key_End: return scroll(m_table.content().keys.size());
    case Qt::Key_Escape:
      if (m_search.isBusy()) {
        m_search.stop();
        return update();
      }
      [[fallthrough]];
    default: ImGuiHost::keyPressEvent(event);
  }
}

}  // namespace vqscope
