// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/control/entry_box.h"
#include "widgets/form/editor/value_editor.h"

namespace vqscope {

/// Edits the name of a tensor in a file: typed or chosen.
class TensorEditor : public ValueEditor {
  Q_OBJECT
 public:
  TensorEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_line; }

  /// Uses the file's tensor; a dialog chooses among several, or a matrix of a larger tensor.
  void openFile(const QString& path);

 private:
  void chooseFile();
  void take(const std::string& name);

  QWidget* m_line;
  EntryBox* m_box;
};

}  // namespace vqscope
