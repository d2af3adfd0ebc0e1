// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/model_config.h"
#include "widgets/session/file_reading.h"

#include <QDialog>

#include <optional>

class QLabel;
class QLineEdit;

namespace vqscope {

/// Asks for a model: a config, a folder, or the name of a model in the hub cache. The dialog stays
/// open until the model is read, on another thread.
class ModelDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ModelDialog(const QString& title, QWidget* parent = nullptr);

  void setPlace(const QString& place);
  /// The path or the name as the user gave it.
  QString place() const;
  /// The model after the dialog is accepted.
  const std::optional<OpenedConfig>& model() const { return m_model; }
  /// Reads the model and closes the dialog.
  void accept() override;

 private:
  void chooseFile();
  void chooseFolder();

  QLineEdit* m_place;
  QLabel* m_error;
  FileReading m_reading;
  std::optional<OpenedConfig> m_model;
};

}  // namespace vqscope
