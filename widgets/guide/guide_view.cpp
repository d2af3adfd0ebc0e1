// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guide_view.h"

#include "widgets/guide/guide_document.h"
#include "widgets/guide/guide_pages.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QResizeEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

constexpr int pageRole = Qt::UserRole;
constexpr int anchorRole = Qt::UserRole + 1;
constexpr int mostHits = 60;
/// A narrower view has no room for the contents beside a page.
constexpr int leastWidthForContents = 620;

QToolButton* barButton(const QString& sign, const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(sign);
  button->setToolTip(name);
  button->setAccessibleName(name);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

}  // namespace

GuideView::GuideView(QWidget* parent)
    : QWidget(parent),
      m_back(barButton(QStringLiteral("←"), tr("Back (Alt+Left)"), this)),
      m_forward(barButton(QStringLiteral("→"), tr("Forward (Alt+Right)"), this)),
      m_contents(barButton(QStringLiteral("☰"), tr("Contents"), this)),
      m_search(new QLineEdit(this)),
      m_list(new QListWidget),
      m_split(new QSplitter(this)),
      m_text(new QTextBrowser) {
  makeBar();
  m_list->setObjectName(QStringLiteral("contents"));
  m_list->setAccessibleName(tr("Contents"));
  m_list->setProperty("class", "contents");
  m_list->setMinimumWidth(150);
  m_list->setWordWrap(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_text->setAccessibleName(tr("Guide"));
  m_text->setOpenLinks(false);
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setProperty("class", "guide");
  m_split->addWidget(m_list);
  m_split->addWidget(m_text);
  m_split->setStretchFactor(1, 1);
  m_split->setSizes({210, 600});
  m_split->setChildrenCollapsible(false);
  connect(m_text, &QTextBrowser::anchorClicked, this, &GuideView::follow);
  connect(m_list, &QListWidget::itemClicked, this, [this] { openItem(m_list->currentRow()); });
  connect(m_list, &QListWidget::itemActivated, this, [this] { openItem(m_list->currentRow()); });
  listContents();
  showPage(QStringLiteral("index"));
}

GuideView::~GuideView() { m_text->setDocument(nullptr); }

void GuideView::makeBar() {
  m_search->setPlaceholderText(tr("Search the guide"));
  m_search->setAccessibleName(tr("Search the guide"));
  m_search->setClearButtonEnabled(true);
  m_contents->setCheckable(true);
  m_contents->setChecked(true);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 6, 8, 6);
  row->setSpacing(4);
  for (auto* button : {m_back, m_forward, m_contents}) row->addWidget(button);
  row->addWidget(m_search, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_split, 1);
  connect(m_back, &QToolButton::clicked, this, &GuideView::goBack);
  connect(m_forward, &QToolButton::clicked, this, &GuideView::goForward);
  connect(m_contents, &QToolButton::toggled, m_list, &QWidget::setVisible);
  connect(m_search, &QLineEdit::textEdited, this, &GuideView::listHits);
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& typed) {
    if (typed.isEmpty()) listContents();
  });
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    if (!m_search->text().isEmpty()) openItem(0);
  });
  for (const auto& [keys, run] : {std::pair{QKeySequence(Qt::ALT | Qt::Key_Left), &GuideView::goBack},
                                  {QKeySequence(Qt::ALT | Qt::Key_Right), &GuideView::goForward},
                                  {QKeySequence(QKeySequence::Find), &GuideView::focusSearch},
                                  {QKeySequence(Qt::CTRL | Qt::Key_W), &GuideView::closeWindow},
                                  {QKeySequence(Qt::Key_Escape), &GuideView::onEscape}}) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, run);
  }
}

void GuideView::closeWindow() { window()->close(); }

/// Escape ends the search first, then the window.
void GuideView::onEscape() {
  if (m_search->text().isEmpty()) return closeWindow();
  m_search->clear();
}

void GuideView::focusSearch() {
  m_search->setFocus(Qt::ShortcutFocusReason);
  m_search->selectAll();
}

void GuideView::listContents() {
  m_list->clear();
  for (const GuidePage& each : guidePages()) {
    auto* item = new QListWidgetItem(each.title, m_list);
    item->setData(pageRole, each.id);
    item->setData(anchorRole, QString());
  }
  markContents();
}

void GuideView::listHits(const QString& typed) {
  if (typed.isEmpty()) return;
  m_contents->setChecked(true);
  m_list->clear();
  for (const GuideHit& hit : searchGuide(typed)) {
    if (m_list->count() == mostHits) break;
    const bool whole = hit.section->anchor.isEmpty();
    auto* item = new QListWidgetItem(
        whole ? hit.page->title : hit.page->title + QStringLiteral(" › ") + hit.section->title, m_list);
    item->setData(pageRole, hit.page->id);
    item->setData(anchorRole, hit.section->anchor);
  }
  if (m_list->count() > 0) return;
  auto* none = new QListWidgetItem(tr("The guide does not mention %1.").arg(typed), m_list);
  none->setFlags(Qt::NoItemFlags);
}

void GuideView::openItem(int row) {
  const QListWidgetItem* item = m_list->item(row);
  if (!item || item->data(pageRole).isNull()) return;
  showPage(item->data(pageRole).toString(), item->data(anchorRole).toString());
}

void GuideView::showPage(const QString& id, const QString& anchor) {
  visit({findGuidePage(id) ? id : QStringLiteral("index"), anchor});
}

void GuideView::visit(const Stop& stop) {
  const bool same = !m_history.empty() && page() == stop.page && this->anchor() == stop.anchor;
  if (!same) {
    keepScroll();
    m_history.resize(m_history.empty() ? 0 : m_at + 1);
    m_history.push_back(stop);
    m_at = m_history.size() - 1;
  }
  render(stop);
}

void GuideView::keepScroll() {
  if (!m_history.empty()) m_history[m_at].scrolled = m_text->verticalScrollBar()->value();
}

void GuideView::render(const Stop& stop) {
  const GuidePage* shown = findGuidePage(stop.page);
  if (!shown) return;
  auto document = makeGuideDocument(*shown, currentPalette());
  m_text->setDocument(document.get());
  m_document = std::move(document);
  if (stop.scrolled >= 0)
    m_text->verticalScrollBar()->setValue(stop.scrolled);
  else if (stop.anchor.isEmpty())
    m_text->verticalScrollBar()->setValue(0);
  else
    m_text->scrollToAnchor(stop.anchor);
  m_back->setEnabled(m_at > 0);
  m_forward->setEnabled(m_at + 1 < m_history.size());
  markContents();
  emit pageShown(stop.page);
}

void GuideView::markContents() {
  if (!m_search->text().isEmpty()) return;
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->data(pageRole).toString() == page()) m_list->setCurrentRow(row);
}

void GuideView::follow(const QUrl& link) {
  if (link.scheme() == QLatin1String("glossary")) return showPage(QStringLiteral("glossary"), link.path());
  if (link.scheme() == QLatin1String("vqscope")) {
    emit linkRequested(link);
    return;
  }
  if (link.scheme() == QLatin1String("https")) {
    QDesktopServices::openUrl(link);
    return;
  }
  const QString file = link.path();
  showPage(file.isEmpty() ? page() : QFileInfo(file).completeBaseName().toLower(), link.fragment());
}

void GuideView::goBack() {
  if (m_at == 0) return;
  keepScroll();
  render(m_history[--m_at]);
}

void GuideView::goForward() {
  if (m_at + 1 >= m_history.size()) return;
  keepScroll();
  render(m_history[++m_at]);
}

QString GuideView::page() const { return m_history.empty() ? QString() : m_history[m_at].page; }
QString GuideView::anchor() const { return m_history.empty() ? QString() : m_history[m_at].anchor; }

void GuideView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || m_history.empty()) return;
  keepScroll();
  render(m_history[m_at]);
}

void GuideView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool fits = width() >= leastWidthForContents;
  const bool fitted = !event->oldSize().isValid() || event->oldSize().width() >= leastWidthForContents;
  if (fits != fitted) m_contents->setChecked(fits);
}

}  // namespace vqscope
