// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/import/attention_tensors.h"
#include "widgets/session/file_reading.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace vqscope {

struct TensorName;

/// Chooses queries, keys and values together: from one file or several, guessed by their names,
/// each with its shape.
class AttentionDialog : public QDialog {
  Q_OBJECT
 public:
  explicit AttentionDialog(QWidget* parent);

  /// Offers these tensors too.
  void addTensors(const std::vector<FileTensor>& tensors);
  /// Offers the tensors of these files too, which are read on another thread. A file that cannot be
  /// read is reported, and the others stay.
  void addFiles(const QStringList& paths) { readFiles(paths, {}); }
  bool isReading() const { return m_reading.isBusy(); }
  /// Offers the files of such values, and chooses what they name as far as the files have it. They
  /// can be removed.
  void select(const ParameterValues& values);
  /// Result of exec(): the tensors are to be removed.
  static constexpr int removed = 2;
  /// The chosen tensors for methods that read tensors, or why they do not belong together.
  Result<ParameterValues> values() const;
  QkvChoice choice() const;
  /// Whether names give all three roles, and there is nothing else to choose.
  bool isComplete() const;

 private:
  struct Found {
    std::string file;
    Result<std::vector<FileTensor>> tensors;
  };
  void readFiles(const QStringList& paths, std::function<void()> then);
  void take(const std::vector<Found>& found);
  void chooseFiles();
  void fill();
  /// Puts the focus on what is to be done next: files, the first empty role, OK.
  void focusNext();
  /// The row of a box with this tensor; that of a file with one tensor needs no name. 0: none.
  int rowOf(const QComboBox& box, const TensorName& name) const;
  void selectNames(const std::array<TensorName, 3>& names, const ParameterValues& values);
  void chooseIndices(const std::vector<Index>& samples, Index head);
  void fitIndices();
  void showResult();
  QString shownChoice(const ParameterValues& values) const;
  void fitLayout();
  QkvRoles roles() const;
  /// Sizes of the dimensions of samples, and the number of heads if the queries have some.
  std::vector<Index> sizes() const;

  std::vector<FileTensor> m_tensors;
  QString m_problem;  ///< of the files added last
  std::array<QComboBox*, 3> m_boxes{};
  QFormLayout* m_form;
  std::vector<QSpinBox*> m_indices;  ///< of the samples, then of the head of the queries
  QComboBox* m_layout;
  QLabel* m_result;
  QPushButton* m_files;
  QPushButton* m_accept = nullptr;
  QPushButton* m_remove = nullptr;
  FileReading m_reading;
};

}  // namespace vqscope
