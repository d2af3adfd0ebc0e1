// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_chart.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableWidget;
class QTableWidgetItem;

namespace vqscope {

class CurveTable;
class CurveView;

/// The list of kept runs: sort, search, edit names and notes, delete with undo. Selected runs are
/// shown in one chart beside the list, with mean and spread over seeds as a table.
class RunList : public QWidget {
  Q_OBJECT
 public:
  RunList(RunStore store, QWidget* parent);

  /// Lists another folder from the next setRuns() on. `other`: it is not the folder of kept runs;
  /// the list shows that.
  void setStore(RunStore store, bool other);
  /// The run that the next setRuns() selects; empty: all runs, if one chart can show them.
  void choose(std::string name) { m_wanted = std::move(name); }
  /// The contents of the folder; `problem`: why it could not be read. Keeps the selection.
  void setRuns(const RunListing& listing, const QString& problem);

  QTableWidget* table() { return m_table; }
  CurveView* chart() { return m_chart; }

 signals:
  /// A run was named, noted, deleted or restored.
  void changed();
  /// Emitted to show the list of kept runs.
  void keptRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makePlace();
  QWidget* makeButtons();
  QWidget* makeChart();
  void fill();
  void filter();
  void showFirstChosen();
  std::vector<KeptRun> chosen() const;
  void showChosen();
  void onEdited(const QTableWidgetItem* item);
  void deleteChosen();
  void restoreDeleted();
  void showMessage(const QString& sentence);
  /// Error of a deletion or restoration, which stays over the refreshes that follow.
  void report(const QString& sentence);

  RunStore m_store;
  std::vector<KeptRun> m_runs;
  std::vector<std::vector<std::string>> m_deleted;  ///< names of deleted runs, the last deletion last
  std::optional<std::string> m_wanted;
  QSplitter* m_across = nullptr;
  QWidget* m_place = nullptr;  ///< names another folder, with a button back
  QLabel* m_folder = nullptr;
  QLineEdit* m_search;
  QTableWidget* m_table;
  QLabel* m_words;
  QLabel* m_remark = nullptr;
  QStackedWidget* m_results = nullptr;
  CurveView* m_chart = nullptr;
  CurveTable* m_spreads = nullptr;
  QPushButton* m_numbers = nullptr;
  QPushButton* m_delete = nullptr;
  QPushButton* m_restore = nullptr;
  QString m_failure;  ///< of the last deletion or restoration; empty: it was done
  bool m_filling = false;
};

}  // namespace vqscope
