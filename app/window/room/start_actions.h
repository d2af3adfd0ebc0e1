// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/field_scheduler.h"
#include "widgets/start/recent_files.h"

#include <QObject>
#include <QPointer>

namespace vqscope {

class GuideView;
class StartView;
class Workbench;
struct GalleryEntry;

/// Actions of the start page, the guide and the search: recent files, gallery, guide.
class StartActions : public QObject {
  Q_OBJECT
 public:
  StartActions(Workbench& workbench, QWidget* window);

  /// Fills the start page and listens to it.
  void attach(StartView& view);
  /// A file was opened: the start page offers it again.
  void addRecent(const QString& path);
  /// Those that were still there at the last look, newest first. Looks again for the next time.
  std::vector<RecentFile> recent();
  void forgetRecent();
  void setLostSession(const QString& words);

  void openGallery(const QString& id);
  /// Empty: the index.
  void showGuide(const QString& page, const QString& anchor = {});
  /// A link of the guide to something in the program.
  void follow(const QUrl& link);

 signals:
  void notified(const QString& sentence, bool bad);
  void fileRequested(const QString& path);
  void configRequested();
  void maskTextRequested();
  void maskFileRequested();
  void tensorsRequested();
  void methodRequested(const QString& id);
  /// The experiment of a preset.
  void presetRequested(const QString& id);
  void restoreRequested();
  void pageRequested(const QString& id);
  void configsCompared(const QString& first, const QString& second);

 private:
  void openEntry(const GalleryEntry& entry);
  void setRecent(std::vector<RecentFile> files);
  /// On another thread: a folder of a network that is gone does not answer.
  void lookForRecent();

  Workbench& m_workbench;
  QWidget* m_window;
  RecentFiles m_recent;
  std::vector<RecentFile> m_shown;
  FieldScheduler m_looks;
  StartView* m_view = nullptr;
  QPointer<GuideView> m_guide;
  QString m_lost;
};

}  // namespace vqscope
