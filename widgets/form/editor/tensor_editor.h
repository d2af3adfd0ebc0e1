// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/listed_tensor.h"
#include "widgets/form/control/entry_box.h"
#include "widgets/form/editor/value_editor.h"
#include "widgets/session/field_scheduler.h"

class QToolButton;

namespace vqscope {

/// Edits the name of a tensor in a file: typed or chosen.
class TensorEditor : public ValueEditor {
  Q_OBJECT
 public:
  TensorEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_line; }

  /// Uses the file's tensor, which is looked for on another thread; a dialog chooses among several, or a matrix of a
  /// larger tensor.
  void openFile(const QString& path);
  bool isReading() const { return m_reading.isBusy(); }

 private:
  void chooseFile();
  void choose(const std::string& path, const std::vector<ListedTensor>& tensors);
  void take(const std::string& name);

  QWidget* m_line;
  EntryBox* m_box;
  QToolButton* m_file;  ///< disabled while a file is read
  FieldScheduler m_reading;
};

}  // namespace vqscope
