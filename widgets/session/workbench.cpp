// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workbench.h"

#include "core/session/settle.h"

#include <QScopedValueRollback>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace vqscope {

/// The whole state of a page before and after a step: a few kilobytes, at most two megabytes with the longest lists.
class WorkspaceEdit : public QUndoCommand {
 public:
  WorkspaceEdit(Workbench& workbench, const QString& text, WorkspaceState before, WorkspaceState after, int mergeKey)
      : QUndoCommand(text),
        m_workbench(workbench),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_mergeKey(mergeKey) {}

  // Commands merge only if both have the same id other than -1. Only these commands have one; their keys are compared
  // below.
  int id() const override { return m_mergeKey == 0 ? -1 : 1; }
  void undo() override { m_workbench.apply(m_before); }
  void redo() override { m_workbench.apply(m_after); }

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const WorkspaceEdit*>(other);
    if (next->m_mergeKey != m_mergeKey || next->m_after.id != m_after.id) return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    return true;
  }

 private:
  Workbench& m_workbench;
  WorkspaceState m_before;
  WorkspaceState m_after;
  int m_mergeKey;
};

Workbench::Workbench(QObject* parent) : QObject(parent), m_session(default_session()) {
  m_undo.setUndoLimit(200);
  // After the step is on the stack, because receivers may make another step.
  connect(&m_undo, &QUndoStack::indexChanged, this, [this] {
    if (std::exchange(m_untold, false)) emit changed();
    m_walking = false;
  });
}

void Workbench::undo() {
  emit leaving();
  m_undo.undo();
}

const WorkspaceState& Workbench::current() const { return *find_workspace(m_session, m_session.current); }

Result<void> Workbench::edit(const QString& text, WorkspaceState next, int mergeKey) {
  const WorkspaceState* now = find_workspace(m_session, next.id);
  if (!now) return check_workspace(next);
  if (*now == next || m_walking) return {};
  auto sides = complete_edit(next, *now, sidesOf(next.id));
  if (!sides) return sides.error();
  Notes notes;
  if (next.method != now->method) {
    const WorkspaceInfo& info = *find_workspace_info(next.id);
    settle_shown(info, next.method, next.values, notes);
    if (next.compare != CompareMode::none) settle_shown(info, next.method, next.other, notes);
    if (!notes.empty()) *sides = page_sides(next);
  }
  if (auto checked = check_workspace(next, *sides); !checked) return checked;
  m_dragging = mergeKey != 0 && mergeKey == std::exchange(m_editKey, mergeKey);
  if (*now != next) {
    const QScopedValueRollback pushing(m_pushing, true);
    m_coming = std::move(*sides);
    m_undo.push(new WorkspaceEdit(*this, text, *now, next, mergeKey));
  }
  if (!notes.empty()) emit adjusted(QString::fromStdString(summary(notes)));
  return {};
}

Result<void> Workbench::choose(const QString& text, const std::string& page, const Method& method,
                               const ParameterValues& values) {
  const auto changed = [&](bool withValues) {
    WorkspaceState next = *find_workspace(m_session, page);
    const auto& choices = find_workspace_info(page)->choices();
    if (std::ranges::count(choices, method.id) > 0) next.method = method.id;
    for (const auto& [name, value] : values.map())
      if (withValues) next.values.set(name, value);
    return next;
  };
  const auto& now = *find_workspace(m_session, page);
  if (changed(true) == now) return {};
  m_undo.beginMacro(text);
  Result<void> done = edit(text, changed(false));
  if (done) done = edit(text, changed(true));
  m_undo.endMacro();
  return done;
}

const PageSides& Workbench::sidesOf(const std::string& id) {
  const auto known = m_sides.find(id);
  if (known != m_sides.end()) return known->second;
  return m_sides[id] = page_sides(*find_workspace(m_session, id));
}

void Workbench::showWorkspace(const std::string& id) {
  if (m_session.current == id || !find_workspace(m_session, id)) return;
  emit leaving();
  m_session.current = id;
  emit changed();
}

void Workbench::setView(const std::string& id, const std::optional<ViewRange>& view) {
  if (auto* state = find_workspace(m_session, id); state && (!view || is_showable(*view))) state->view = view;
}

void Workbench::setAxes(const std::string& id, const std::string& method, const CurveAxes& axes) {
  const auto* info = find_workspace_info(id);
  if (info && std::ranges::count(info->curves, method) > 0) find_workspace(m_session, id)->axes[method] = axes;
}

void Workbench::setSession(const Session& session, bool modified) {
  emit leaving();
  m_session = session;
  m_sides.clear();
  m_untold = false;
  m_undo.clear();
  modified ? m_undo.resetClean() : m_undo.setClean();  // clearing an empty stack does neither
  emit changed();
}

void Workbench::apply(const WorkspaceState& state) {
  WorkspaceState* mine = find_workspace(m_session, state.id);
  // Undo restores parameters, not the visible range.
  const auto view = mine->view;
  const auto axes = mine->axes;
  *mine = state;
  if (m_pushing)
    m_sides[state.id] = m_coming;
  else
    m_sides.erase(state.id);
  mine->view = view;
  mine->axes = axes;
  m_session.current = state.id;
  m_untold = true;
  m_walking = !m_pushing;
}

}  // namespace vqscope
