// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/control/entry_box.h"
#include "widgets/form/editor/value_editor.h"

namespace vqscope {

/// The name of a tensor in a file, to type or to choose.
class TensorEditor : public ValueEditor {
  Q_OBJECT
 public:
  TensorEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_line; }

  /// Takes the file's tensor; asks which, where it has several or more than two dimensions.
  void openFile(const QString& path);

 private:
  void askFile();
  void take(const std::string& name);

  QWidget* m_line;
  EntryBox* m_box;
};

}  // namespace vqscope
