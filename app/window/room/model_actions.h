// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/session/subject/token_texts.h"
#include "widgets/import/attention_tensors.h"
#include "widgets/session/file_watcher.h"

#include <QObject>

#include <optional>
#include <vector>

class QWidget;

namespace vqscope {

class AttentionDialog;
class ModelPage;
class Workbench;
struct Method;
struct OpenedConfig;

/// Actions on configs of models: opens them, reads the clipboard, compares two, shows their
/// details. The file of the model is watched and read anew when it is edited.
class ModelActions : public QObject {
  Q_OBJECT
 public:
  ModelActions(Workbench& workbench, QWidget* window);

  /// Listens to the page of the model.
  void attach(ModelPage& page);
  /// Makes the model that of the whole window, as one step, and shows its layers. Whether it is
  /// opened; an error is reported.
  bool open(const OpenedConfig& model);
  /// Asks for a file, a folder or an id, and opens it.
  void choose();
  /// The config, or the id of a model of the hub cache, that is on the clipboard.
  void paste();
  /// Two models that are named, dropped or chosen together; the first is opened.
  void compare(const OpenedConfig& first, const OpenedConfig& second);

 signals:
  void notified(const QString& sentence, bool bad);
  /// A config is to be chosen in a dialog.
  void openRequested();
  void fileRequested(const QString& path);
  /// The model of an id is to be opened.
  void idRequested(const QString& id);
  /// The path of a model that was chosen in a dialog; none of a name.
  void chosen(const QString& path);
  /// Why the present content of the model's file is not that of the window; empty: it is.
  void fileProblemChanged(const QString& sentence);
  /// A view of the config: a method with values.
  void viewRequested(const QString& method, const vqscope::ParameterValues& values);

 private:
  /// Compares the model of the window with another.
  void compareWith(const OpenedConfig& other);
  void watchModel();
  void readChanged(const QString& path);
  void takeChanged(const QString& path, OpenedConfig model);
  void setFileProblem(const QString& sentence);
  void showDetails(const ModelPage& page);
  void showComparison(const OpenedConfig& first, const OpenedConfig& second);

  Workbench& m_workbench;
  QWidget* m_window;
  FileWatcher m_watcher{this};
  FieldScheduler m_changes;
  FieldScheduler m_compared;
  QString m_fileProblem;
};

/// Opens queries, keys and values together, from files, for all pages.
class TensorActions : public QObject {
  Q_OBJECT
 public:
  TensorActions(Workbench& workbench, QWidget* window);

  /// Shows a dialog if the names of the tensors do not give their roles, or if there are none. What
  /// was chosen; nothing if nothing was opened. `tokens`: texts of the first sample; empty: not known.
  std::optional<QkvChoice> open(const std::vector<FileTensor>& tensors, const TokenTexts& tokens = {});
  /// Shows the dialog with the subject's tensors. The page on top stays if it takes tensors.
  void edit();

 signals:
  void notified(const QString& sentence, bool bad);

 private:
  /// Takes the dialog's tensors for all pages and shows them by that method.
  bool take(const AttentionDialog& dialog, const Method& view, const TokenTexts& tokens = {});

  Workbench& m_workbench;
  QWidget* m_window;
};

}  // namespace vqscope
