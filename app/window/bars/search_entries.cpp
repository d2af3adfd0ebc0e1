// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/search_entries.h"

#include "app/window/bars/action_words.h"
#include "core/base/text.h"
#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey.h"
#include "core/session/session.h"
#include "widgets/guide/guide_pages.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <algorithm>
#include <array>
#include <set>

namespace vqscope {
namespace {

constexpr char hiddenProperty[] = "searchHidden";

QString entryText(const char* sentence) { return QCoreApplication::translate("searchEntries", sentence); }
QString withoutMnemonic(QString title) { return title.remove(QLatin1Char('&')); }

QString roomSection(const std::string& room) {
  for (const auto& info : room_infos())
    if (info.id == room) return entryText("In %1").arg(text(info.title));
  return {};
}

/// The section of an action while a room is on top; empty: none.
QString sectionOf(const ActionWords& words, const std::string& room) {
  if (words.rooms == "*") return entryText("Everywhere");
  const auto rooms = split(words.rooms, ' ');
  return std::ranges::count(rooms, room) > 0 ? roomSection(room) : QString();
}

/// Actions of a menu within a menu have its title before theirs: "Theme: Dark".
void addActions(const QMenu& menu, const QString& before, const SearchTargets& targets,
                std::vector<SearchEntry>& entries) {
  for (QAction* action : menu.actions()) {
    if (action->menu()) {
      if (action->menu()->property(hiddenProperty).toBool()) continue;
      addActions(*action->menu(), before + withoutMnemonic(action->text()) + QStringLiteral(": "), targets, entries);
      continue;
    }
    if (action->isSeparator()) continue;
    SearchEntry entry{.kind = SearchKind::action,
                      .title = before + withoutMnemonic(action->text()),
                      .keys = action->shortcut().toString(QKeySequence::NativeText),
                      .run =
                          [action = QPointer(action)] {
                            if (action) action->trigger();  // a page remakes its menus
                          },
                      .keywords = withoutMnemonic(menu.title()),
                      .enabled = action->isEnabled()};
    if (entry.keys.isEmpty()) entry.detail = entryText("%1 menu").arg(withoutMnemonic(menu.title()));
    if (const auto* words = find_action_words(entry.title.toStdString())) {
      entry.keywords +=
          QLatin1Char(' ') + QString::fromUtf8(words->keywords.data(), static_cast<qsizetype>(words->keywords.size()));
      entry.section = sectionOf(*words, targets.room);
    }
    entries.push_back(std::move(entry));
  }
}

/// Files have their folders after their names: many are called config.json.
void addFiles(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const RecentFile& file : targets.recent) {
    entries.push_back({.kind = SearchKind::file,
                       .title = QFileInfo(file.path).fileName(),
                       .name = folderText(file.path),
                       .detail = entryText("file"),
                       .run = [open = targets.openFile, path = file.path] { open(path); },
                       .section = entryText("Recent files"),
                       .id = QStringLiteral("file:") + file.path});
  }
}

bool hasView(const Method& method) { return page_of(method) && (method.field() || method.curves()); }

void addMethods(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const auto& method : methods()) {
    if (!hasView(method)) continue;
    const RoomInfo& room = room_of(page_of(method)->id);
    entries.push_back({.kind = SearchKind::method,
                       .title = text(method.title),
                       .name = text(method.id),
                       .detail = text(room.title),
                       .run = [open = targets.openMethod, &method] { open(method.id); },
                       .keywords = text(method.help),
                       .section = room.id == targets.room ? entryText("Views") : QString()});
  }
}

/// "YaRN" opens its view with its values; encodings without values of their own are methods. What is typed as
/// it is written comes before values of that name.
void addEncodings(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const SurveyRow& row : survey_rows()) {
    const PageInfo* page = page_of(*row.method);
    if (!page || row.values.map().empty()) continue;
    entries.push_back({.kind = SearchKind::action,
                       .title = text(row.title),
                       .name = text(row.id),
                       .detail = entryText("%1 in %2").arg(text(row.method->title), text(room_of(page->id).title)),
                       .run = [open = targets.openEncoding, &row] { open(row); },
                       .keywords = text(row.group),
                       .id = text("encoding:" + row.id)});
  }
}

void addQuestions(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const ExperimentPreset& preset : experiment_presets()) {
    const PageInfo* page = page_of(*preset.experiment);
    if (!page) continue;
    entries.push_back({.kind = SearchKind::method,
                       .title = text(preset.title),
                       .detail = text(room_of(page->id).title),
                       .run = [open = targets.openQuestion, &preset] { open(preset); },
                       .keywords = text(preset.brief + " " + preset.note + " " + preset.source),
                       .section = page->id == targets.room ? entryText("Questions") : QString()});
  }
}

/// Tables on screen, by what they show.
void addTableCopies(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const auto& [title, action] : targets.tableCopies)
    entries.push_back({.kind = SearchKind::action,
                       .title = title.isEmpty() ? action->text() : action->text() + QStringLiteral(": ") + title,
                       .detail = entryText("table"),
                       .run =
                           [action = QPointer(action)] {
                             if (action) action->trigger();
                           },
                       .keywords = entryText("clipboard markdown latex csv")});
}

/// Titles of the methods of a parameter that few have, so that "alibi slopes" finds it.
QString ownersOf(const std::string& parameter) {
  constexpr qsizetype most = 18;
  QStringList titles;
  for (const auto& method : methods())
    if (find_spec(method.parameters, parameter)) titles << text(method.title);
  return titles.size() <= most ? titles.join(QLatin1Char(' ')) : QString();
}

/// A name that several pages have is found once, on the first of them.
void addParameters(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  std::set<std::string> seen;
  for (const auto& info : page_infos())
    for (const auto& spec : specs_of_page(info)) {
      if (info.id == "model" || !seen.insert(spec.name).second) continue;  // its page has no form
      entries.push_back({.kind = SearchKind::parameter,
                         .title = text(spec.title()),
                         .name = text(spec.name),
                         .detail = entryText("%1 parameter").arg(text(room_of(info.id).title)),
                         .run = [go = targets.goToParameter, &info, name = text(spec.name)] { go(info.id, name); },
                         .keywords = text(spec.help) + QLatin1Char(' ') + ownersOf(spec.name)});
    }
}

/// "rope_type = yarn", of the first method that has it.
void addValues(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& method : methods()) {
    if (!hasView(method)) continue;
    for (const auto& spec : method.parameters) {
      if (spec.kind != ParameterKind::choice) continue;
      for (const Choice& choice : spec.choices) {
        if (!seen.emplace(spec.name, choice.id).second) continue;
        const ValueTarget target{method.id, spec.name, choice.id};
        entries.push_back({.kind = SearchKind::value,
                           .title = text(spec.name) + QStringLiteral(" = ") + text(choice.id),
                           .name = text(choice.id),
                           .detail = entryText("%1 value").arg(text(method.title)),
                           .run = [set = targets.setValue, target] { set(target); },
                           .keywords = text(spec.label) + QLatin1Char(' ') + text(choice.help)});
      }
    }
  }
}

void addGallery(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const GalleryEntry& entry : gallery_entries())
    entries.push_back({.kind = SearchKind::gallery,
                       .title = text(entry.title),
                       .detail = entryText("gallery"),
                       .run = [open = targets.openGallery, id = text(entry.id)] { open(id); },
                       .keywords = text(entry.note + " " + entry.what_to_try + " " + entry.source)});
}

void addGuide(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const GuidePage& page : guidePages())
    for (const GuideSection& section : page.sections)
      entries.push_back({.kind = SearchKind::guide,
                         .title = section.anchor.isEmpty() ? page.title : section.title,
                         .detail = entryText("guide · %1").arg(page.title.section(QLatin1Char(':'), 0, 0)),
                         .run = [open = targets.openGuide, id = page.id, anchor = section.anchor] { open(id, anchor); },
                         .keywords = page.title});
}

}  // namespace

void hideFromSearch(QMenu& menu) { menu.setProperty(hiddenProperty, true); }

std::vector<SearchEntry> searchEntries(const QMenuBar& menus, const std::vector<QMenu*>& ofPage,
                                       const SearchTargets& targets) {
  std::vector<SearchEntry> entries;
  for (const QAction* top : menus.actions())
    if (top->menu()) addActions(*top->menu(), {}, targets, entries);
  for (const QMenu* menu : ofPage)
    addActions(*menu, withoutMnemonic(menu->title()) + QStringLiteral(": "), targets, entries);
  if (targets.openFile) addFiles(targets, entries);
  addTableCopies(targets, entries);
  if (targets.openEncoding) addEncodings(targets, entries);
  if (targets.openQuestion) addQuestions(targets, entries);
  if (targets.openMethod) addMethods(targets, entries);
  if (targets.setValue) addValues(targets, entries);
  if (targets.goToParameter) addParameters(targets, entries);
  if (targets.openGallery) addGallery(targets, entries);
  if (targets.openGuide) addGuide(targets, entries);
  const std::array order{entryText("Recent files"), roomSection(targets.room), entryText("Everywhere")};
  std::ranges::stable_sort(entries, {}, [&order](const SearchEntry& entry) {
    return std::ranges::find(order, entry.section) - order.begin();
  });
  return entries;
}

}  // namespace vqscope
