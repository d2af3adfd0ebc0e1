// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QComboBox>

namespace vqscope {

/// The methods of a page as a list with a heading for each of its groups. A long list is found by
/// typing a part of a title.
class MethodList : public QComboBox {
  Q_OBJECT
 public:
  /// `titles`: of info.choices(), in their order.
  MethodList(const PageInfo& info, const QStringList& titles, QWidget* parent);

  /// Shows the method of that place in info.choices().
  void showChoice(int choice);

 signals:
  void chosen(int choice);

 private:
  void addGroups(const PageInfo& info, const QStringList& titles);
  void makeSearchable();

  int m_shown = -1;
};

}  // namespace vqscope
