// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/room_views.h"

#include "app/window/room/view_tabs.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey.h"
#include "widgets/panel/view_list_delegate.h"
#include "widgets/parts/text.h"
#include "widgets/thumbnail/thumbnail_maker.h"

#include <QEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int whole = 1000;  // thousandths of the column
constexpr int usualShare = 430;
constexpr int leastShare = 100;

QString tipOf(const SurveyRow& row) {
  QString tip = QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                    .arg(text(row.title).toHtmlEscaped(), text(row.traits.extrapolation).toHtmlEscaped());
  if (!row.trade_off.empty()) tip += QStringLiteral("<p>%1</p>").arg(text(row.trade_off).toHtmlEscaped());
  if (!row.published.empty())
    tip += QStringLiteral("<p>%1 <i>(%2)</i></p>")
               .arg(text(row.published).toHtmlEscaped(), text(row.published_source).toHtmlEscaped());
  return tip;
}

/// Curves that explain the matrices of a page are shown beside these, not by themselves.
bool hasPage(const Method& method) {
  const PageInfo* page = page_of(method);
  return page && std::ranges::count(page->choices(), method.id) > 0;
}

std::vector<ListedSubject> encodings() {
  std::vector<ListedSubject> all;
  for (const auto& row : survey_rows()) {
    ListedSubject subject{
        text(row.id), text(row.title), text(row.group), text(join(trait_words(row), " · ")), tipOf(row), {}};
    for (const auto& view : row.views)
      if (hasPage(*view.method)) subject.views.push_back({text(view.title), view.method, view.values});
    if (!subject.views.empty()) all.push_back(std::move(subject));
  }
  return all;
}

/// The methods of a page, one a line.
void addPage(const std::string& id, std::vector<ListedSubject>& all) {
  const PageInfo& info = *find_page_info(id);
  const QString group = text(info.title);
  for (const auto& choice : info.choices()) {
    const Method* method = find_method(choice);
    all.push_back({text(choice),
                   text(method->title),
                   group,
                   text(method->help),
                   text(method->help),
                   {{text(method->title), method, {}}}});
  }
}

}  // namespace

std::vector<ListedSubject> roomSubjects(std::string_view room) {
  if (room == "positions") return encodings();
  std::vector<ListedSubject> all;
  const RoomInfo& info = *std::ranges::find(room_infos(), room, &RoomInfo::id);
  if (info.lists_methods)
    for (const auto& page : info.pages) addPage(page, all);
  return all;
}

const Method* shownMethod(const ShownPage& page) { return page.method.empty() ? nullptr : find_method(page.method); }

RoomViews::RoomViews(Workbench& workbench, QWidget* panels, QWidget* window)
    : QObject(window),
      m_workbench(workbench),
      m_side(new QSplitter(Qt::Vertical, window)),
      m_stack(new QStackedWidget(m_side)),
      m_tabs(new ViewTabs(window)),
      m_thumbnails(new ThumbnailMaker(this)) {
  m_side->setObjectName(QStringLiteral("side"));
  m_side->setChildrenCollapsible(false);
  m_side->setHandleWidth(1);
  m_side->addWidget(m_stack);
  m_side->addWidget(panels);
  m_stack->hide();
  connect(m_side, &QSplitter::splitterMoved, this, [this] {
    const QList<int> now = m_side->sizes();
    m_shares[m_room] = whole * now[0] / std::max(1, now[0] + now[1]);
  });
  m_side->installEventFilter(this);
  m_tabs->setProperty("class", "views");
  m_tabs->setAccessibleName(tr("Views"));
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int number) {
    if (!m_syncing && m_list) m_list->requestView(number);
  });
  connect(m_thumbnails, &ThumbnailMaker::ready, this, [this](const QString& key, const QImage& image) {
    const QString room = key.section(QLatin1Char('/'), 0, 0);
    const auto list = m_lists.find(room.toStdString());
    if (list != m_lists.end()) list->second->setPicture(key.section(QLatin1Char('/'), 1), QPixmap::fromImage(image));
  });
}

QWidget* RoomViews::side() const { return m_side; }
QWidget* RoomViews::tabs() const { return m_tabs; }

ViewList* RoomViews::listOf(const std::string& room) {
  if (const auto made = m_lists.find(room); made != m_lists.end()) return made->second;
  auto subjects = roomSubjects(room);
  if (subjects.empty()) return m_lists[room] = nullptr;
  auto* list = new ViewList(room == "positions" ? tr("Find an encoding") : tr("Find a view"), m_side);
  list->setSubjects(std::move(subjects));
  m_stack->addWidget(list);
  connect(list, &ViewList::viewRequested, this, &RoomViews::viewRequested);
  connect(list, &ViewList::filtered, this, &RoomViews::divide);
  connect(list, &ViewList::shownChanged, this, [this, list] {
    if (list == m_list) showTabs(list);
  });
  m_lists[room] = list;
  requestThumbnails(room);
  return list;
}

void RoomViews::setShares(const std::map<QString, int>& shares) {
  m_shares = shares;
  divide();
}

void RoomViews::showList(ViewList* list, const std::string& room) {
  const bool shown = m_list == list && !m_stack->isHidden();
  m_list = list;
  m_stack->setVisible(list != nullptr);
  if (!list || shown) return;
  m_room = QString::fromStdString(room);
  m_stack->setCurrentWidget(list);
  divide();
}

/// As the user divided the column in this room; else, and while a filter leaves few lines, a list has
/// the height of its lines, but not more than the form.
void RoomViews::divide() {
  if (!m_list) return;
  const auto chosen = m_shares.find(m_room);
  const int height = std::max(m_side->height(), whole);
  int share = usualShare;
  if (chosen != m_shares.end()) share = std::clamp(chosen->second, leastShare, whole - leastShare);
  if (chosen == m_shares.end() || m_list->isFiltered()) share = std::min(share, whole * m_list->wholeHeight() / height);
  m_side->setSizes({height * share / whole, height - height * share / whole});
}

void RoomViews::requestThumbnails(const std::string& room) {
  const ViewList* list = m_lists.at(room);
  if (!list) return;
  const double ratio = m_side->devicePixelRatioF();
  for (const auto& subject : list->subjects()) {
    const ListedView& view = subject.views.front();
    m_thumbnails->request(QString::fromStdString(room) + QLatin1Char('/') + subject.id, *view.method, view.values,
                          ViewListDelegate::picture * ratio, ratio);
  }
  m_thumbnails->start();
}

bool RoomViews::eventFilter(QObject* watched, QEvent* event) {
  // After the event: the theme is changed while it goes through the widgets.
  if (watched == m_side && event->type() == QEvent::PaletteChange)
    QTimer::singleShot(0, this, [this] {
      for (const auto& [room, list] : m_lists) requestThumbnails(room);
    });
  // QSplitter does not keep the shares.
  if (watched == m_side && event->type() == QEvent::Resize) QTimer::singleShot(0, this, &RoomViews::divide);
  return QObject::eventFilter(watched, event);
}

void RoomViews::showTabs(const ViewList* list) {
  const ListedSubject* shown = list ? list->shown() : nullptr;
  m_syncing = true;
  QStringList titles;
  if (shown)
    for (const auto& view : shown->views) titles << view.title;
  while (m_tabs->count() > titles.size()) m_tabs->removeTab(m_tabs->count() - 1);
  for (int i = 0; i < titles.size(); ++i) {
    if (i >= m_tabs->count()) m_tabs->addTab(titles[i]);
    m_tabs->setTabText(i, titles[i]);
    m_tabs->setTabToolTip(i, QString::fromStdString(shown->views[static_cast<std::size_t>(i)].method->help));
  }
  if (list && list->shownView() >= 0) m_tabs->setCurrentIndex(list->shownView());
  m_tabs->setVisible(titles.size() > 1);
  m_syncing = false;
}

void RoomViews::sync(const ParameterValues& values) {
  const ShownPage& page = m_workbench.current();
  ViewList* list = listOf(room_of(page.id).id);
  showList(list, room_of(page.id).id);
  if (list) list->setShown(shownMethod(page), values);
  showTabs(list);  // those of another room may be there
}

}  // namespace vqscope
