// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/search_entries.h"

#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
#include "core/session/session.h"
#include "widgets/guide/guide_pages.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <set>

namespace vqscope {
namespace {

/// Order of kinds among entries with equal matches.
enum Rank { ofGuide, ofParameter = 2, ofGallery = 3, ofMethod = 4, ofValue = 5, ofAction = 6 };

QString entryText(const char* sentence) { return QCoreApplication::translate("searchEntries", sentence); }
QString withoutMnemonic(QString title) { return title.remove(QLatin1Char('&')); }

/// Actions of a menu within a menu have its title before theirs: "Theme: Dark".
void addActions(const QMenu& menu, const QString& before, std::vector<SearchEntry>& entries) {
  for (QAction* action : menu.actions()) {
    if (action->menu())
      addActions(*action->menu(), before + withoutMnemonic(action->text()) + QStringLiteral(": "), entries);
    else if (!action->isSeparator())
      entries.push_back({before + withoutMnemonic(action->text()),
                         action->shortcut().isEmpty() ? entryText("action") : action->shortcut().toString(),
                         [action = QPointer(action)] {
                           if (action) action->trigger();  // a page remakes its menus
                         },
                         withoutMnemonic(menu.title()), ofAction});
  }
}

/// `title  name`, or one of them if they are equal.
QString named(const std::string& title, const std::string& name) {
  return title == name ? text(name) : text(title) + QStringLiteral("  ") + text(name);
}

bool hasView(const Method& method) { return page_of(method) && (method.field() || method.curves()); }

void addMethods(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const auto& method : methods())
    if (hasView(method))
      entries.push_back({named(method.title, method.id), entryText("method"),
                         [open = targets.openMethod, &method] { open(method.id); }, text(method.help), ofMethod});
}

/// A name that several pages have is found once, on the first of them.
void addParameters(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  std::set<std::string> seen;
  for (const auto& info : page_infos())
    for (const auto& spec : specs_of_page(info)) {
      if (info.id == "model" || !seen.insert(spec.name).second) continue;  // its page has no form
      entries.push_back({named(spec.title(), spec.name), entryText("%1 parameter").arg(text(room_of(info.id).title)),
                         [go = targets.goToParameter, &info, name = text(spec.name)] { go(info.id, name); },
                         text(spec.help), ofParameter});
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
        entries.push_back({text(spec.name) + QStringLiteral(" = ") + text(choice.id),
                           entryText("%1 value").arg(text(method.title)),
                           [set = targets.setValue, target] { set(target); },
                           text(spec.label) + QLatin1Char(' ') + text(choice.help), ofValue});
      }
    }
  }
}

void addGallery(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const GalleryEntry& entry : gallery_entries())
    entries.push_back({text(entry.title), entryText("gallery"),
                       [open = targets.openGallery, id = text(entry.id)] { open(id); },
                       text(entry.note + " " + entry.what_to_try + " " + entry.source), ofGallery});
}

void addGuide(const SearchTargets& targets, std::vector<SearchEntry>& entries) {
  for (const GuidePage& page : guidePages())
    for (const GuideSection& section : page.sections) {
      const bool whole = section.anchor.isEmpty();
      entries.push_back({whole ? page.title : page.title + QStringLiteral(" › ") + section.title,
                         entryText("guide"),
                         [open = targets.openGuide, id = page.id, anchor = section.anchor] { open(id, anchor); },
                         {},
                         ofGuide});
    }
}

}  // namespace

std::vector<SearchEntry> searchEntries(const QMenuBar& menus, const std::vector<QMenu*>& ofPage,
                                       const SearchTargets& targets) {
  std::vector<SearchEntry> entries;
  for (const QAction* top : menus.actions())
    if (top->menu()) addActions(*top->menu(), {}, entries);
  for (const QMenu* menu : ofPage) addActions(*menu, withoutMnemonic(menu->title()) + QStringLiteral(": "), entries);
  if (targets.openMethod) addMethods(targets, entries);
  if (targets.setValue) addValues(targets, entries);
  if (targets.goToParameter) addParameters(targets, entries);
  if (targets.openGallery) addGallery(targets, entries);
  if (targets.openGuide) addGuide(targets, entries);
  return entries;
}

}  // namespace vqscope
