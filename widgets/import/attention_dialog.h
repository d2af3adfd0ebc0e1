// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/import/attention_tensors.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace vqscope {

/// Chooses queries, keys and values together: from one file or several, guessed by their names,
/// each with its shape.
class AttentionDialog : public QDialog {
  Q_OBJECT
 public:
  explicit AttentionDialog(QWidget* parent);

  /// Offers the tensors of these files too. A file that cannot be read is reported, and the others
  /// stay.
  void addFiles(const QStringList& paths);
  /// The chosen tensors for methods that read tensors, or why they do not belong together.
  Result<ParameterValues> values() const;
  /// Whether names give all three roles, and there is nothing else to choose.
  bool isComplete() const;

 private:
  void chooseFiles();
  void fill();
  void fitIndices();
  void showResult();
  QString shownChoice(const ParameterValues& values) const;
  void fitLayout();
  QkvRoles roles() const;
  QkvChoice choice() const;
  /// Sizes of the dimensions of samples, and the number of heads if the queries have some.
  std::vector<Index> sizes() const;

  std::vector<FileTensor> m_tensors;
  QString m_problem;  ///< of the files added last
  std::array<QComboBox*, 3> m_boxes{};
  QFormLayout* m_form;
  std::vector<QSpinBox*> m_indices;  ///< of the samples, then of the head of the queries
  QComboBox* m_layout;
  QLabel* m_result;
  QPushButton* m_accept = nullptr;
};

}  // namespace vqscope
