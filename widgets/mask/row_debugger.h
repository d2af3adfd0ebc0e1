// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/row_search.h"
#include "widgets/imgui/imgui_host.h"
#include "widgets/mask/key_table.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <array>

class QActionGroup;

namespace vqscope {

class Veil;

/// One row of a mask taken apart: which keys it sees, and for each key what every term says of it. Steps through rows
/// and searches for those that see nothing, that differ, or that break a rule. What it can do is also among actions().
class RowDebugger : public ImGuiHost {
  Q_OBJECT
 public:
  explicit RowDebugger(QWidget* parent = nullptr);

  /// A row and the titles of the rules that it breaks.
  struct BrokenRow {
    Index row = 0;
    std::vector<std::string> rules;
  };
  /// The next row that breaks a rule; called on another thread.
  using RuleSearch =
      std::function<Result<std::optional<BrokenRow>>(Index from, bool forwards, const std::stop_token& stop)>;
  /// None: nobody has checked.
  void setRuleSearch(RuleSearch search);

  Cell cell() const { return m_cell; }
  /// Of the row that is shown: a row of a mask that is computed cell by cell follows cell() a little later.
  const RowReport& report() const { return m_table.content().row; }
  const KeyTable& table() const { return m_table; }
  AdditiveFormat format() const { return m_format; }
  KeyFilter filter() const { return m_filter; }
  /// Of the mask, against the values in the form. A search of a mask that is still being computed waits for it; where
  /// none comes it is refused.
  void setFreshness(const Freshness& freshness);
  /// A row is under way, or a search.
  bool isBusy() const { return m_rows.isBusy() || m_searches.isBusy(); }

  QSize sizeHint() const override { return {700, 260}; }
  QSize minimumSizeHint() const override { return {300, 140}; }

 public slots:
  /// Nothing: there is no mask to look at.
  void setMask(std::shared_ptr<const vqscope::Mask> mask);
  /// The mask that rows are compared to; nothing: each row to the one before it.
  void setSecond(std::shared_ptr<const vqscope::Mask> second);
  /// Shows a cell that was picked elsewhere; one that the mask does not have is left out.
  void setCell(vqscope::Cell cell);

 signals:
  /// Picked here, by the mouse or by keys.
  void cellPicked(const vqscope::Cell& cell);
  void rowChanged(vqscope::Index row);
  /// How a search went, or what is wrong with a number.
  void said(const QString& sentence, bool bad);

 protected:
  void drawPanel() override;
  void frameDone() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Done when the frame is over: what it leads to may change what the frame draws.
  using Request = std::function<void()>;

  enum class Goal { empty, differs, rule };
  static constexpr int goals = 3;

  void makeActions();
  QAction* addNew(const QString& text, const QString& keys, Request run);
  QAction* addChoice(QActionGroup* group, const QString& text, Request run);
  void updateActions();
  /// A row with its keys as they are filtered.
  struct Row {
    RowReport report;
    KeyList keys;
  };
  void showRow();
  void accept(Row row);
  void showFreshness();
  void pick(Cell cell);
  void step(Index rows, Index keys);
  void search(Goal goal, bool forwards);
  void stopSearch();
  void found(Goal goal, bool forwards, const Result<std::optional<BrokenRow>>& hit);
  void setFilter(KeyFilter filter);
  void setFormat(AdditiveFormat format);
  void goToTyped(const std::string& typed);

  void drawRowControls();
  void drawOutermostKeys();
  void drawFacts();
  void drawSearches();
  void drawSentence();
  void drawFilters();
  void drawFormat();

  std::shared_ptr<const Mask> m_mask;
  std::shared_ptr<const Mask> m_second;
  RuleSearch m_ruleSearch;
  Cell m_cell;
  KeyTable m_table;
  KeyFilter m_filter = KeyFilter::all;
  AdditiveFormat m_format;
  Freshness m_freshness;
  QString m_failure;  ///< why the row is not shown
  Request m_later;    ///< a search, once the mask is current
  Veil* m_veil;
  FieldScheduler m_rows;
  FieldScheduler m_searches;
  QTimer m_searchPatience;
  bool m_searchTakesLong = false;
  std::vector<Request> m_requests;
  std::array<char, 24> m_typed{};  ///< in the row's box
  float m_searchesWidth = 0;       ///< of the last frame, for they stand at the right end of their lines
  float m_choicesWidth = 0;
  std::vector<QAction*> m_steps;
  std::array<std::array<QAction*, 2>, goals> m_goals{};  ///< onwards, back
  std::array<QAction*, 3> m_filters{};
  std::array<QAction*, 3> m_types{};
  QAction* m_infinite = nullptr;
};

}  // namespace vqscope
