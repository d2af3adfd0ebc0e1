// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace vqscope {

/// The varying parameters: one line each, with a name and values as `--vary` takes them.
class VaryList : public QWidget {
  Q_OBJECT
 public:
  explicit VaryList(QWidget* parent = nullptr);

  /// Offers the parameters that the method uses with these values; the input stays.
  void setMethod(const Method& method, const ParameterValues& values);
  /// The lines that are not empty.
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
