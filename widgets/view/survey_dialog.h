// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTableWidget;

namespace vqscope {

/// The survey's summary of position encodings, one a line; a line opens its method.
class SurveyDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SurveyDialog(QWidget* parent = nullptr);

 signals:
  void opened(const QString& method);

 private:
  void fill();

  QTableWidget* m_table;
};

}  // namespace vqscope
