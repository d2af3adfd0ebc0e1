// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/table_text.h"
#include "core/lint/fix/text_fix.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <optional>
#include <vector>

class QVBoxLayout;

namespace vqscope {

class FindingRow;

/// A finding as the checks show it.
struct CheckCard {
  Finding finding;
  QString place = {};        ///< "Sample 2", "B"; empty: of the mask that is shown
  bool isElsewhere = false;  ///< of another sample
};

/// The findings and questions of a check, the worst first, with buttons that set what a question asks
/// for, or mend the text. Its context menu copies them as a table.
class FindingList : public QWidget {
  Q_OBJECT
 public:
  explicit FindingList(QWidget* parent);

  /// `canSet`: whether questions have their buttons. `fix`: of one of the findings.
  void setCards(std::vector<CheckCard> cards, bool canSet, const std::optional<TextFix>& fix);

 signals:
  void cellPicked(vqscope::Cell cell);
  /// A finding of another sample, with its counterexample if it has one.
  void elsewherePicked(const vqscope::Finding& finding, const std::optional<vqscope::Cell>& cell);
  void fieldRequested(const QString& name);
  void suggestionChosen(const vqscope::Suggestion& suggestion);
  void fixChosen();

 private:
  void add(const CheckCard& card, bool canSet, const std::optional<TextFix>& fix);
  void addSuggestion(FindingRow& row, const Suggestion& suggestion);

  /// All cards as rows, for other programs.
  TextTable asTable() const;

  QVBoxLayout* m_rows;
  std::vector<CheckCard> m_cards;  ///< the worst first
};

}  // namespace vqscope
