// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/imgui/imgui_host.h"
#include "widgets/mask/row/key_table.h"
#include "widgets/mask/row/row_searches.h"
#include "widgets/parts/freshness.h"
#include "widgets/parts/painted_table.h"
#include "widgets/session/field_scheduler.h"

#include <array>

class QActionGroup;

namespace vqscope {

class Overlay;

/// Shows one row of a mask: its visible keys, and for each key the result of every term; of two masks
/// that are compared, the verdicts of both. Steps through rows, and searches for rows that have no
/// visible key, differ, or break a rule. actions() has all its commands.
class RowDebugger : public ImGuiHost, public PaintedTable {
  Q_OBJECT
 public:
  explicit RowDebugger(QWidget* parent = nullptr);

  /// Empty: the mask is not checked.
  void setRuleSearch(RuleSearch search);
  /// The samples and heads of the mask's file, through which searches go on.
  void setSamples(SearchedSamples samples) { m_search.setSamples(std::move(samples)); }

  Cell cell() const { return m_cell; }
  /// The report of the row on screen. For masks that are computed cell by cell, it can lag behind
  /// cell().
  const RowReport& report() const { return m_table.content().row; }
  const KeyTable& table() const { return m_table; }
  AdditiveFormat format() const { return m_format; }
  KeyFilter filter() const { return m_filter; }
  /// Freshness of the mask against the values in the form. A search waits for a mask that is being
  /// computed, and is refused if none will come.
  void setFreshness(const Freshness& freshness);
  /// Whether a row is being computed, or a search runs.
  bool isBusy() const { return m_rows.isBusy() || m_search.isBusy(); }

  int shownRows() const override { return m_table.shownLines(); }
  int shownColumns() const override { return m_table.columns(); }
  QString titleOfColumn(int column) const override { return QString::fromStdString(m_table.title(column)); }
  QString textOfCell(int row, int column) const override { return QString::fromStdString(m_table.words(row, column)); }
  int currentRow() const override;

  QSize sizeHint() const override { return {700, 260}; }
  /// Its controls and, unless it is folded, four lines of the table.
  QSize minimumSizeHint() const override { return {260, m_leastShown}; }
  /// Puts all controls on one line, for a low window: what chooses one of several becomes a menu.
  void setOneLine(bool oneLine);
  /// In a window too low for map and table, the table folds away below its controls until the user
  /// opens it.
  void setFoldable(bool foldable);
  bool isFolded() const { return m_foldable && m_fold->isChecked(); }
  QAction* foldAction() const { return m_fold; }

 public slots:
  /// Null: no mask is shown.
  void setMask(std::shared_ptr<const vqscope::Mask> mask);
  /// The mask to compare rows with; null: each row is compared with the previous row.
  void setSecond(std::shared_ptr<const vqscope::Mask> second);
  /// Texts of the keys, and the number of tokens before the first query.
  void setTokens(const vqscope::TokenTexts& texts, vqscope::Index past);
  /// Shows a cell that was picked elsewhere; ignores a cell outside the mask.
  void setCell(vqscope::Cell cell);
  /// The next mask begins at its first row.
  void forgetCell() { m_chosen = {}; }

 signals:
  /// A cell was picked here, by mouse or keyboard.
  void cellPicked(const vqscope::Cell& cell);
  void rowChanged(vqscope::Index row);
  /// A search has found a cell in the mask of another sample or head; `notice` says what it found.
  void samplePicked(vqscope::Index sample, vqscope::Index head, const std::optional<vqscope::Cell>& cell,
                    const QString& notice);
  /// Result of a search, or an invalid number.
  void notified(const QString& sentence, bool bad);
  void foldChanged();

 protected:
  void drawPanel() override;
  void frameDone() override;
  void keyPressEvent(QKeyEvent* event) override;
  /// Copies of the table.
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  /// Runs after the frame, because it may change what the frame draws.
  using Request = std::function<void()>;

  static constexpr int goals = 3;

  void makeActions();
  QAction* addNew(const QString& text, const QString& keys, Request run);
  QAction* addChoice(QActionGroup* group, const QString& text, Request run);
  void updateActions();
  void updateFold();
  /// A row with its filtered keys.
  struct Row {
    RowReport report;
    std::optional<RowReport> second;  ///< of B
    KeyList keys;
  };
  /// B, if its rows can stand beside those of A.
  std::shared_ptr<const Mask> beside() const;
  /// "sees 3 of 9 keys: 3–5" of the row on screen, of A and B if there are two.
  std::string sentenceOfRow(std::size_t mostRanges) const;
  void showRow();
  void accept(Row row);
  void showFreshness();
  void pick(Cell cell);
  void step(Index rows, Index keys);
  void search(RowGoal goal, bool forwards);
  void setFilter(KeyFilter filter);
  void setFormat(AdditiveFormat format);
  void goToTyped(const std::string& typed);

  void drawLines();
  void drawOneLine();
  void drawRowControls();
  void drawOutermostKeys();
  void drawFacts();
  void drawSearches();
  /// `beside`: the width of what follows on its line.
  void drawSentence(float beside);
  void drawFilters();
  /// Searches and filters as menus, for the one line.
  void drawMenus();
  void drawFormat();
  void drawFold();

  std::shared_ptr<const Mask> m_mask;
  std::shared_ptr<const Mask> m_second;
  TokenTexts m_tokens;
  Index m_past = 0;
  RuleSearch m_ruleSearch;
  Cell m_chosen;  ///< stays while the mask is too small to have it, as on the map
  Cell m_cell;    ///< m_chosen, or the nearest that the mask has
  KeyTable m_table;
  KeyFilter m_filter = KeyFilter::all;
  AdditiveFormat m_format;
  Freshness m_freshness;
  QString m_failure;  ///< why the row cannot be shown
  Request m_later;    ///< a search that waits until the mask is current
  Overlay* m_overlay;
  FieldScheduler m_rows;
  RowSearches m_search{this};
  std::vector<Request> m_requests;
  std::array<char, 24> m_typed{};  ///< text of the row's box
  int m_least = 200;               ///< height of controls and four lines in the last frame
  int m_leastShown = 200;          ///< the same, as the layout knows it
  float m_searchesWidth = 0;       ///< width in the last frame, to align the searches at the right
  float m_choicesWidth = 0;
  bool m_oneLine = false;
  bool m_foldable = false;
  std::vector<QAction*> m_steps;
  std::array<std::array<QAction*, 2>, goals> m_goals{};  ///< forwards, backwards
  std::array<QAction*, 4> m_filters{};
  std::array<QAction*, 3> m_types{};
  QAction* m_infinite = nullptr;
  QAction* m_fold = nullptr;
  QList<QAction*> m_copies;
};

}  // namespace vqscope
