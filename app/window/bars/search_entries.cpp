// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/search_entries.h"

#include "core/catalogue/registry.h"
#include "core/session/session.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

namespace vqscope {
namespace {

QString entryText(const char* sentence) { return QCoreApplication::translate("searchEntries", sentence); }

void addActions(const QMenuBar& menus, std::vector<SearchEntry>& entries) {
  for (const auto* menu : menus.findChildren<QMenu*>())
    for (QAction* action : menu->actions()) {
      if (action->isSeparator() || action->menu()) continue;
      entries.push_back({QString(action->text()).remove(QLatin1Char('&')), action->shortcut().toString(),
                         [action] { action->trigger(); }});
    }
}

/// `title  name`, or one of them if they are equal.
QString named(const std::string& title, const std::string& name) {
  return title == name ? text(name) : text(title) + QStringLiteral("  ") + text(name);
}

}  // namespace

std::vector<SearchEntry> searchEntries(
    const QMenuBar& menus, const std::function<void(const std::string& method)>& openMethod,
    const std::function<void(const std::string& page, const QString& parameter)>& goToParameter) {
  std::vector<SearchEntry> entries;
  addActions(menus, entries);
  for (const auto& method : methods()) {
    if (!workspace_of(method) || (!method.field() && !method.curves())) continue;
    entries.push_back(
        {named(method.title, method.id), entryText("method"), [openMethod, &method] { openMethod(method.id); }});
  }
  for (const auto& info : workspace_infos())
    for (const auto& spec : workspace_parameters(info))
      entries.push_back({named(spec.title(), spec.name), entryText("%1 parameter").arg(text(info.title)),
                         [goToParameter, &info, name = text(spec.name)] { goToParameter(info.id, name); }});
  return entries;
}

}  // namespace vqscope
