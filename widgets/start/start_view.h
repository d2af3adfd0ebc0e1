// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/guide/guide_pages.h"
#include "widgets/start/recent_files.h"
#include "widgets/thumbnail/thumbnail_maker.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>

class QBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace vqscope {

class Card;
struct GalleryEntry;

/// The first page: inputs to open, a gallery of sessions with live thumbnails, recent files,
/// questions that the guide answers, and the offer of a lost session. It holds no session: it emits
/// requests.
class StartView : public QWidget {
  Q_OBJECT
 public:
  explicit StartView(QWidget* parent = nullptr);

  /// Files that are there, newest first.
  void setRecent(const std::vector<RecentFile>& files);
  void setGuide(const std::vector<GuideQuestion>& questions);
  /// Offers a session that was not closed properly; empty: there is none.
  void setLostSession(const QString& words);

  /// The maker of the gallery's thumbnails, which starts after the first paint.
  ThumbnailMaker& thumbnails() { return m_maker; }

 signals:
  void maskTextRequested();
  void maskFileRequested();
  void configRequested();
  void tensorsRequested();
  /// The id of an experiment preset.
  void questionRequested(const QString& id);
  /// The id of a gallery entry.
  void galleryRequested(const QString& id);
  void recentRequested(const QString& path);
  void guideRequested(const QString& page, const QString& anchor);
  void restoreRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeHaves();
  QWidget* makeGallery();
  QWidget* makeNotice();
  void showQuestions(const Card* card);
  void fillSide();
  /// The side stands beside the gallery where there is room, else below it.
  void placeSide();
  /// Asks for the thumbnails at the size and in the theme of their cards.
  void requestThumbnails();
  /// Moves the focus to the nearest card in the direction of an arrow key.
  void moveFocus(const Card* from, int key);

  QScrollArea* m_scroll;
  QBoxLayout* m_halves = nullptr;
  QVBoxLayout* m_main = nullptr;
  QVBoxLayout* m_side = nullptr;
  QWidget* m_sideFrame = nullptr;
  QWidget* m_notice = nullptr;
  QLabel* m_noticeWords = nullptr;
  std::map<QString, Card*> m_cards;  ///< of the gallery, by id
  std::vector<RecentFile> m_recent;
  std::vector<GuideQuestion> m_questions;
  ThumbnailMaker m_maker;
  std::optional<bool> m_beside;  ///< where the side stands; nothing: nowhere yet
  QTimer m_resized;
};

}  // namespace vqscope
