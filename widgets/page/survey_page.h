// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/survey/survey_choice.h"
#include "widgets/page/page_widget.h"

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QTimer;

namespace vqscope {

/// Two rows of the survey beside each other; what differs is in bold.
class SurveyComparison : public QWidget {
  Q_OBJECT
 public:
  explicit SurveyComparison(QWidget* parent);

  /// Offers rows by their number in the survey. A compared row that is not among them gives way to
  /// one that is; fewer than two leave nothing to compare.
  void offer(const std::vector<int>& rows);
  /// Chooses rows by their number in the survey.
  void setRows(int a, int b);
  int first() const;
  int second() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fill();

  QComboBox* m_a;
  QComboBox* m_b;
  QLabel* m_empty;
  QTableWidget* m_table;
  QTimer* m_wrapping;
};

/// A table of position encodings and scalings, one for each row of the survey: filtered by words and
/// by question, sorted by a column, two of them compared. The inspector explains the selected row;
/// Enter or a double click opens it.
class SurveyPage : public PageWidget {
  Q_OBJECT
 public:
  SurveyPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  void sync() override {}
  void fit() override {}
  void zoom(double) override {}
  Result<void> goTo(Cell) override { return invalid("this page has a table of encodings, no matrix with cells"); }
  std::optional<Extent> extent() const override { return std::nullopt; }
  std::vector<ExportTarget> exportTargets() const override { return {}; }
  const Method* mainMethod() const override;
  bool isBusy() const override { return false; }
  void announce() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addFilters(QBoxLayout* layout);
  void fill();
  /// Shows the rows of the question with the words.
  void filter();
  void selectFirst();
  void compare(bool on);
  void compareShown();
  /// Numbers in the survey of the rows that the filter leaves, in their order on screen.
  std::vector<int> shownRows() const;
  /// The number in the survey of a row of the table.
  int surveyIndex(int row) const;
  const SurveyRow& row() const;

  QTableWidget* m_table;
  QLineEdit* m_words;
  QButtonGroup* m_questions = nullptr;
  QPushButton* m_compare;
  QLabel* m_count;
  SurveyComparison* m_comparison;
  QTimer* m_wrapping;  ///< the texts wrap at any width
  int m_now = 0;       ///< number in the survey of the selected row
  int m_before = -1;   ///< of the row that was selected before; -1: none
};

}  // namespace vqscope
