// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/room_subjects.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey.h"
#include "widgets/parts/text.h"

#include <algorithm>

namespace vqscope {
namespace {

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

}  // namespace vqscope
