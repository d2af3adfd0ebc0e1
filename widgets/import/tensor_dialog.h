// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "core/io/tensor/tensor_tree.h"

#include <QDialog>

class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace vqscope {

/// Chooses a tensor of a file from the tree of their names, and a matrix of a tensor with more than
/// two dimensions.
class TensorDialog : public QDialog {
  Q_OBJECT
 public:
  /// Whether the indices of leading dimensions are chosen here.
  enum class Indices { here, later };

  /// There is at least one tensor.
  TensorDialog(const std::string& path, const std::vector<ListedTensor>& tensors, QWidget* parent,
               Indices indices = Indices::here);

  /// Selects the previous choice if the file still has it.
  void select(const TensorName& name);
  TensorName name() const;

 private:
  const ListedTensor& tensor() const { return m_tensors[m_chosen]; }
  void addList(QVBoxLayout* layout);
  void addItems(const TensorTree& tree, QTreeWidgetItem* parent);
  void filter(const QString& words);
  void choose(std::size_t index);
  void showIndices();
  void showResult();

  /// Dimensions whose index is chosen here.
  std::size_t leading() const;

  std::string m_path;
  Indices m_when;
  std::vector<ListedTensor> m_tensors;
  std::size_t m_chosen = 0;
  QTreeWidget* m_list;
  std::vector<QTreeWidgetItem*> m_items;  ///< of each tensor
  QFormLayout* m_indices;
  std::vector<QSpinBox*> m_boxes;  ///< of the leading dimensions
  QLabel* m_result;
  QPushButton* m_accept;
};

}  // namespace vqscope
