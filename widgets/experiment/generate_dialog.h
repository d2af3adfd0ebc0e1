// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/experiment/trained_run.h"
#include "widgets/session/field_scheduler.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace vqscope {

class LiveCurves;
class ParameterForm;

/// Tokens that a model writes after a prompt: the form of generate_tokens beside what it wrote
/// last.
class GenerateDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GenerateDialog(QWidget* parent);

  /// A result of train_model, with weights and config; `prompt`: a text in the characters of its
  /// data.
  void setModel(const TrainedRun& trained, const std::string& prompt);
  /// Writes with the values of the form; while it writes, stops.
  void write();
  bool isBusy() const { return m_scheduler.isBusy(); }
  ParameterForm* form() { return m_form; }

 private:
  void showDone(const Result<RunResult>& outcome, const ParameterValues& values);
  void showState();
  QWidget* makeForm();

  const Method& m_method;
  std::shared_ptr<const RunResult> m_trained;
  ParameterForm* m_form;
  QPlainTextEdit* m_text;
  QLabel* m_state;
  QPushButton* m_write;
  std::optional<ParameterValues> m_written;  ///< those that the text was written with
  FieldScheduler m_scheduler;
};

}  // namespace vqscope
