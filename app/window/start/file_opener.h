// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session_files.h"
#include "app/window/start/opened_files.h"
#include "widgets/session/file_reading.h"

namespace vqscope {

class ModelActions;
class PageStack;
class TensorActions;

/// Opens files that were chosen, dropped or handed over. They are read on another thread, the newest
/// request wins, and what cannot be read or does not go together is reported and changes nothing.
class FileOpener : public QObject {
  Q_OBJECT
 public:
  FileOpener(SessionFiles& sessions, ModelActions& models, TensorActions& tensors, PageStack& pages);

  void open(const QStringList& paths, Unsaved unsaved);
  /// Files whose kinds are known.
  void open(const OpenedFiles& files, Unsaved unsaved);
  /// Files with queries, keys and values, whatever lies beside them.
  void openTensorFiles(const QStringList& paths, qlonglong layer);
  /// Opens nothing more of what was requested.
  void stop();
  bool isBusy() const { return m_reading.isBusy(); }
  const FileReading& reading() const { return m_reading; }

 signals:
  void notified(const QString& sentence, bool bad);
  /// A file that can be offered again. A mask is reported by its page.
  void opened(const QString& path);
  /// A folder without a model or a capture.
  void folderOpened(const QString& path);
  /// `layer`: whose file was opened.
  void captureOpened(const vqscope::Capture& capture, std::optional<vqscope::Index> layer);
  /// Two, to be held against each other.
  void capturesOpened(const vqscope::Capture& a, const vqscope::Capture& b);

 private:
  void read(const QStringList& paths, std::function<Result<OpenedFiles>()> recognise, Unsaved unsaved);
  void take(const Result<ReadFiles>& read, Unsaved unsaved);
  bool isOpened(const ReadFiles& read, Unsaved unsaved);
  bool openTensors(const ReadFiles& read);

  SessionFiles& m_sessions;
  ModelActions& m_models;
  TensorActions& m_tensors;
  PageStack& m_pages;
  FileReading m_reading;
};

}  // namespace vqscope
