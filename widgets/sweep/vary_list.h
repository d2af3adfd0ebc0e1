// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_plan.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace vqscope {

/// The parameters that vary: a line each, with a name and its values as `--vary` takes them.
class VaryList : public QWidget {
  Q_OBJECT
 public:
  explicit VaryList(QWidget* parent = nullptr);

  /// Offers the parameters that the method looks at with these values; what was typed stays.
  void setMethod(const Method& method, const ParameterValues& values);
  /// The lines in which something stands.
  std::vector<VaryText> texts() const;
  void setTexts(const std::vector<VaryText>& texts);

 signals:
  void changed();

 private:
  struct Line {
    QWidget* widget;
    QComboBox* name;
    QLineEdit* values;
  };

  void addLine(const VaryText& text);
  void removeLine(QWidget* widget);
  void offer(const Line& line);
  void showHelp(const Line& line);

  const Method* m_method = nullptr;
  ParameterValues m_values;
  std::vector<Line> m_lines;
  QVBoxLayout* m_column;
  QPushButton* m_add;
};

}  // namespace vqscope
