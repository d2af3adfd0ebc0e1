// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/look_edits.h"

#include "core/catalogue/registry.h"
#include "widgets/parts/text.h"
#include "widgets/view/map/look_menus.h"

namespace vqscope {

void connectLookEdits(LookMenus& menus, Workbench& workbench, const std::string& page,
                      const std::function<void(const QString& sentence)>& refused) {
  const auto edit = [&workbench, page, refused](const QString& what, const auto& change) {
    ShownPage next = workbench.page(page);
    change(next);
    if (const auto done = workbench.edit(what, next); !done) refused(text(done.error().message));
  };
  QObject::connect(&menus, &LookMenus::aggregateChosen, &menus, [edit](Aggregate aggregate) {
    edit(LookMenus::tr("Pixel shows %1").arg(text(aggregate_names()[static_cast<std::size_t>(aggregate)])),
         [aggregate](ShownPage& next) { next.aggregate = aggregate; });
  });
  QObject::connect(&menus, &LookMenus::coloursChosen, &menus, [edit](const std::string& id) {
    edit(LookMenus::tr("Colours"), [&id](ShownPage& next) { next.colour_map = id; });
  });
  QObject::connect(&menus, &LookMenus::squareChosen, &menus, [edit](bool on) {
    edit(LookMenus::tr("Square cells"), [on](ShownPage& next) { next.keep_aspect = on; });
  });
  QObject::connect(&menus, &LookMenus::compareChosen, &menus, [edit](CompareMode mode) {
    edit(LookMenus::tr("Compare"), [mode](ShownPage& next) {
      if (next.compare == CompareMode::none) next.other = next.values;  // B begins as a copy of A
      next.compare = mode;
    });
  });
  QObject::connect(&menus, &LookMenus::curvePinned, &menus, [edit](const std::string& id, bool pinned) {
    edit((pinned ? LookMenus::tr("Pin %1") : LookMenus::tr("Unpin %1")).arg(text(find_method(id)->title)),
         [&](ShownPage& next) {
           std::erase(next.pinned, id);
           if (pinned) next.pinned.push_back(id);
         });
  });
}

}  // namespace vqscope
