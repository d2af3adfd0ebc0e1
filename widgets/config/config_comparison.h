// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

#include <QDialog>

class QLabel;
class QTableWidget;

namespace vqscope {

/// Differences in meaning between two configs: a row for each difference, the heaviest first, below
/// the errors of each. For a dialog or a page.
class ConfigComparison : public QWidget {
  Q_OBJECT
 public:
  explicit ConfigComparison(QWidget* parent = nullptr);

  /// `a` and `b` name the configs.
  void setReports(const QString& a, const ConfigReport& reportA, const QString& b, const ConfigReport& reportB);
  /// The rows as text, as the command line prints them.
  QString asText() const { return m_text; }

 private:
  QLabel* m_counted;
  QLabel* m_names;
  QLabel* m_errors;  ///< of either config
  QTableWidget* m_table;
  QString m_text;
};

/// The comparison in a window of its own, whose text can be copied.
class ConfigComparisonDialog : public QDialog {
  Q_OBJECT
 public:
  ConfigComparisonDialog(const QString& a, const ConfigReport& reportA, const QString& b, const ConfigReport& reportB,
                         QWidget* parent = nullptr);
};

}  // namespace vqscope
