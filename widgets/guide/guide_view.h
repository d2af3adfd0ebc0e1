// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUrl>
#include <QWidget>

#include <memory>
#include <vector>

class QLineEdit;
class QListWidget;
class QSplitter;
class QTextBrowser;
class QTextDocument;
class QToolButton;

namespace vqscope {

/// The guide: its contents or the results of a search at the left, a page at the right. Links to
/// other pages and to the glossary open here, links to web pages in the desktop's browser.
class GuideView : public QWidget {
  Q_OBJECT
 public:
  explicit GuideView(QWidget* parent = nullptr);
  ~GuideView() override;

  /// Shows a page, from an anchor or its beginning on. An unknown page is the index, an unknown
  /// anchor the beginning.
  void showPage(const QString& id, const QString& anchor = {});
  /// Follows a link of a page: "masks.md#rows", "#rows", "glossary:term-pair", "vqscope:…",
  /// "https://…".
  void follow(const QUrl& link);

  void goBack();
  void goForward();
  /// Puts the cursor into the search.
  void focusSearch();

  QString page() const;
  QString anchor() const;

 signals:
  /// A link to something in the program: vqscope:page/masks, vqscope:gallery/ID, vqscope:method/ID.
  void linkRequested(const QUrl& link);
  void pageShown(const QString& id);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Stop {
    QString page;
    QString anchor;
    int scrolled = -1;  ///< -1: at the anchor
  };
  void makeBar();
  void closeWindow();
  void onEscape();
  void listContents();
  void listHits(const QString& typed);
  void openItem(int row);
  void render(const Stop& stop);
  void visit(const Stop& stop);
  void keepScroll();
  void markContents();

  QToolButton* m_back;
  QToolButton* m_forward;
  QToolButton* m_contents;
  QLineEdit* m_search;
  QListWidget* m_list;
  QSplitter* m_split;
  QTextBrowser* m_text;
  std::unique_ptr<QTextDocument> m_document;
  std::vector<Stop> m_history;
  std::size_t m_at = 0;
};

}  // namespace vqscope
