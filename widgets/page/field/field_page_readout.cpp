// SPDX-License-Identifier: GPL-3.0-or-later
// One cell of a page of maps: its readout, the profiles through it, navigation to it.
#include "core/base/text.h"
#include "core/field/tile_grid.h"
#include "core/session/note/cell_note.h"
#include "widgets/page/field/field_page.h"
#include "widgets/page/field/note_dialog.h"
#include "widgets/parts/text.h"
#include "widgets/view/linked_maps.h"
#include "widgets/view/profile_column.h"

#include <algorithm>

namespace vqscope {
namespace {

Error notThere() { return invalid("the matrix is still being computed; try again when it is shown"); }

Error outside(Cell cell, Extent size) {
  return invalid("cell (" + to_text(cell.row) + ", " + to_text(cell.col) + ") is outside the matrix; rows are 0 to " +
                 to_text(size.rows - 1) + " and columns 0 to " + to_text(size.cols - 1));
}

constexpr std::size_t longestToken = 80;

}  // namespace

CellReading::CellReading(QObject* parent) : QObject(parent) {
  m_idleTimeout.setSingleShot(true);
  m_idleTimeout.setInterval(150);
  connect(&m_idleTimeout, &QTimer::timeout, this, &CellReading::slow);
}

void CellReading::read(const std::shared_ptr<const Field>& field, Cell cell) {
  if (!m_idleTimeout.isActive()) m_idleTimeout.start();
  m_reading.run<Result<CellReport>>(
      [field, cell](const std::stop_token&) -> Result<CellReport> { return field->report(cell.row, cell.col); },
      [this, field, cell](Result<CellReport> report) {
        if (!m_reading.isBusy()) m_idleTimeout.stop();
        emit done(field, cell, report ? std::move(*report) : CellReport{{}, report.error().message});
      });
}

void CellReading::stop() {
  m_reading.stop();
  m_idleTimeout.stop();
}

const ComparedFields::Side& FieldPage::readSide() const {
  return m_fields.sides()[std::min(m_maps->read(), m_fields.sides().size() - 1)];
}

std::shared_ptr<const Field> FieldPage::readField() const {
  if (m_fields.isEmpty()) return nullptr;
  return m_fields.difference() ? m_fields.difference() : readSide().field;
}

QString FieldPage::readName() const { return m_fields.difference() ? QString() : text(readSide().name); }

void FieldPage::showCell() {
  m_profileTimer.start();
  const auto cell = m_maps->cell();
  const auto field = readField();
  if (!cell || !field || !isIn(*cell, field->extent())) {
    m_reading.stop();
    return emit readoutShown(std::nullopt);
  }
  m_reading.read(field, *cell);
}

void FieldPage::showReport(Cell cell, CellReport report) {
  Readout readout{readSide().method, std::move(report), readSide().values};
  auto& facts = readout.report.facts;
  const TokenAxes axes = token_axes(*readSide().method, readSide().carried);
  const auto addToken = [&](const char* name, bool is, Index position) {
    const std::string token = is ? shown_token(m_tokens, position, longestToken) : std::string();
    if (!token.empty()) facts.insert(facts.begin(), {name, token});
  };
  addToken("key token", axes.cols, cell.col);
  addToken(axes.cols ? "query token" : "token", axes.rows, cell.row + axes.first_query);
  if (const QString name = readName(); !name.isEmpty())
    readout.report.facts.insert(readout.report.facts.begin(), {"map", name.toStdString()});
  if (const auto& marks = m_fields.rowMarks())
    readout.report.facts.emplace_back(marks->title.toStdString(),
                                      marks->rows[static_cast<std::size_t>(cell.row)] ? "yes" : "no");
  emit readoutShown(readout);
}

void FieldPage::showCurveReadout(const Method* method, const std::optional<CellReport>& report) {
  if (!report) return showCell();  // the picked cell, if there is one
  m_reading.stop();
  emit readoutShown(Readout{method, *report});
}

void FieldPage::showFrame() {
  const MatrixView* view = m_maps->readMap();
  const Freshness now = m_maps->isHidden() ? freshness() : view->freshness();  // a hidden map waits with its picture
  if (const auto picture = view->picture())
    emit frameShown({now, picture->exact, view->frameMilliseconds(), picture->bytes});
}

void FieldPage::announce() {
  showCell();
  showFrame();
}

void FieldPage::showProfiles() {
  // Beside each other, both masks are in each plot.
  const auto& sides = m_fields.sides();
  const bool both = m_fields.secondMask() && !m_fields.difference();
  const auto field = both ? sides[0].field : readField();
  if (!field || !m_profiles->isVisible()) return;
  const MatrixView& map = *m_maps->readMap();
  if (map.isBusy()) return;  // wait for the picture, which calls this function again
  const Extent extent = field->extent();
  const ViewRange view = map.visibleRange();
  const Range rows = cells_in(view.row_first, view.row_last, extent.rows);
  const Range cols = cells_in(view.col_first, view.col_last, extent.cols);
  const Cell middle{(rows.begin + rows.end) / 2, (cols.begin + cols.end) / 2};
  const Cell cell = m_maps->cell().value_or(middle);
  const FieldRecipe* recipe = readSide().method->field();
  const bool keys = recipe->scale == ValueScale::visibility && !m_fields.difference();
  m_profiles->show({field, recipe, std::min(cell.row, extent.rows - 1), std::min(cell.col, extent.cols - 1), rows, cols,
                    keys, readName(), readSide().carried, m_fields.difference() != nullptr,
                    both ? sides[1].field : nullptr});
}

void FieldPage::onPicking(std::size_t map, Cell cell) {
  if (map >= m_fields.sides().size()) return;
  m_maps->pick(map, cell);
  if (!m_tabs->isHidden()) m_tabs->setCurrentIndex(static_cast<int>(map));
  if (const auto blocks = blocksOf(m_fields.sides()[map].field)) {
    const Rect cells = blocks->cells(cell.row, cell.col);
    cell = {cells.rows.begin, cells.cols.begin};
  }
  emit cellPicked(cell);
}

Result<void> FieldPage::goTo(Cell cell) {
  const auto size = extent();
  if (!size) return notThere();
  if (!isIn(cell, *size)) return outside(cell, *size);
  m_maps->first()->reveal(cell);
  onPicking(0, cell);
  return {};
}

Result<void> FieldPage::goToKey(Cell cell) {
  const auto shown = blocks();
  if (!shown) return goTo(cell);
  if (const Extent size = shown->mask().extent(); !isIn(cell, size)) return outside(cell, size);
  const Cell block{cell.row / shown->size().q, cell.col / shown->size().kv};
  m_maps->first()->reveal(block);
  m_maps->pick(0, block);
  emit cellPicked(cell);  // the cell itself, not the first cell of its block
  return {};
}

void FieldPage::lightTerm(const std::optional<std::size_t>& term, bool second) {
  const std::size_t side = second ? 1 : 0;
  if (m_fields.difference() || m_fields.blocks() || side >= maps().size()) return;
  const int index = static_cast<int>(term.value_or(0));
  maps()[side]->setLit(term ? std::optional(ScalePart{ScalePart::Kind::term, index, index}) : std::nullopt);
}

std::optional<Extent> FieldPage::extent() const {
  return m_fields.isEmpty() ? std::nullopt : std::optional(m_fields.sides()[0].field->extent());
}

Index FieldPage::firstQuery() const {
  return m_fields.isEmpty() ? 0 : token_axes(*m_fields.sides()[0].method, m_fields.sides()[0].carried).first_query;
}

/// Of the method that the session shows: the maps may still be those of the former.
void FieldPage::showNotes() {
  std::vector<NotedCell> marks;
  const bool isShown = m_shown && m_shown->method == state().method;
  if (isShown)
    for (const auto& note : notes_of(state().notes, state().method))
      if (const Cell cell{note.row, note.col}; isIn(cell, *extent())) marks.push_back({cell, text(note.text)});
  m_maps->setNotes(marks);
}

void FieldPage::editNote(Cell cell) {
  const FieldRecipe& recipe = *mainMethod()->field();
  const std::string column = recipe.col_name ? recipe.col_name(state().values) : "key";
  const QString place =
      QStringLiteral("%1 %2, %3 %4").arg(text(recipe.row_name)).arg(cell.row).arg(text(column)).arg(cell.col);
  NoteDialog dialog(place, text(note_at(state().notes, state().method, cell.row, cell.col)), this);
  if (dialog.exec() != QDialog::Accepted) return;
  if (const auto kept = setNote(cell, dialog.text()); !kept) emit notified(text(kept.error().message), true);
}

void FieldPage::editNoteHere() {
  if (const auto cell = m_maps->cell()) return editNote(*cell);
  emit notified(tr("No cell for a note: point at one, or pick one by a click"), true);
}

Result<void> FieldPage::setNote(Cell cell, const QString& words) {
  ShownPage next = state();
  next.notes = with_note(std::move(next.notes), {next.method, cell.row, cell.col, words.toStdString()});
  if (next.notes.size() > most_cell_notes)
    return invalid("a page keeps at most " + to_text(static_cast<Index>(most_cell_notes)) + " notes; remove one first");
  return m_workbench.edit(words.trimmed().isEmpty() ? tr("Remove note") : tr("Note on a cell"), std::move(next));
}

}  // namespace vqscope
