// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workbench.h"

#include "core/mask/preset/presets.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/sequence/documents_fit.h"
#include "core/session/layer_views.h"
#include "core/session/resolve.h"
#include "core/session/subject/adopted_model.h"

#include <QScopedValueRollback>
#include <QUndoCommand>

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// T follows documents that have changed, unless somebody has set another T.
void follow_documents(const Subject& before, Subject& next) {
  const auto changed = [&](const char* name) { return !same_value(before.values, next.values, name); };
  if (!changed("document_lengths") || changed("q_length")) return;
  const auto* set = before.values.find("q_length");
  const auto followed = q_length_of_documents(before.values), wanted = q_length_of_documents(next.values);
  if (wanted && (!set || (followed && std::get<Index>(*set) == *followed))) next.values.set("q_length", *wanted);
}

}  // namespace

/// The whole state of a page and the subject before and after a step: a few kilobytes, at most two megabytes with the
/// longest lists.
class WorkspaceEdit : public QUndoCommand {
 public:
  struct Side {
    WorkspaceState state;
    Subject subject;
    Workbench::SidesB others;
    friend bool operator==(const Side&, const Side&) = default;
  };

  WorkspaceEdit(Workbench& workbench, const QString& text, Side before, Side after, int mergeKey)
      : QUndoCommand(text),
        m_workbench(workbench),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_mergeKey(mergeKey) {}

  // Commands merge only if both have the same id other than -1. Only these commands have one; their keys are compared
  // below.
  int id() const override { return m_mergeKey == 0 ? -1 : 1; }
  void undo() override { m_workbench.apply(m_before.state, m_before.subject, m_before.others); }
  void redo() override { m_workbench.apply(m_after.state, m_after.subject, m_after.others); }

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const WorkspaceEdit*>(other);
    if (next->m_mergeKey != m_mergeKey || next->m_after.state.id != m_after.state.id) return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    return true;
  }

  /// The state before a drag that has come back to where it began; null: it has not.
  const Side* startOf(const WorkspaceState& next, int mergeKey) const {
    const WorkspaceState& start = m_before.state;
    const bool back = mergeKey != 0 && mergeKey == m_mergeKey && start.id == next.id && start.method == next.method &&
                      start.values == next.values && start.other == next.other;
    return back ? &m_before : nullptr;
  }

 private:
  Workbench& m_workbench;
  Side m_before;
  Side m_after;
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
  Subject subject = m_session.subject;
  if (auto kept = keep_edits(next, *now, subject); !kept) return kept;
  return editBoth(text, std::move(next), std::move(subject), mergeKey);
}

Result<void> Workbench::editSubject(const QString& text, Subject next, int mergeKey) {
  if (next == m_session.subject || m_walking) return {};
  if (auto checked = check_subject(next); !checked) return checked;
  WorkspaceState page = current();
  follow_subject(page, m_session.subject, next);
  return editBoth(text, std::move(page), std::move(next), mergeKey);
}

Result<void> Workbench::replace(const QString& text, WorkspaceState next, Subject subject) {
  if (m_walking) return {};
  const auto view = next.view;
  const std::string page = next.id;
  emit leaving();
  if (auto edited = editBoth(text, std::move(next), std::move(subject), 0); !edited) return edited;
  setView(page, view);
  m_session.current = page;
  emit changed();
  return {};
}

Result<void> Workbench::adoptModel(const QString& name, const std::string& config, const ConfigReport& report) {
  const QString text = tr("Open the model %1").arg(name);
  const WorkspaceState& masks = *find_workspace(m_session, "masks");
  const auto* mask = masks.own.find("mask");
  const bool free = !mask || !std::ranges::count(std::array{"custom", "dump"}, std::get<std::string>(*mask));
  m_undo.beginMacro(text);
  Result<void> done = editSubject(text, adopted_model(m_session.subject, name.toStdString(), config, report));
  const ModelLayer* layer = first_mask_of(report.schedule);
  if (done && free && layer)
    if (const auto shown = mask_of_layer(*layer)) done = setOwn(text, "masks", *shown);
  if (done && !report.schedule.layers.empty()) done = setOwn(text, "model", schedule_values(report.schedule));
  m_undo.endMacro();
  return done;
}

/// Gives a page values of its own, but those that it shares.
Result<void> Workbench::setOwn(const QString& text, const std::string& page, const ParameterValues& values) {
  WorkspaceState next = *find_workspace(m_session, page);
  for (const auto& [key, value] : values.map()) {
    const auto* shared = m_session.subject.values.find(key);
    if (!is_linked(next, key) || !shared || *shared != value) next.own.set(key, value);
  }
  return editBoth(text, std::move(next), m_session.subject, 0);
}

Result<void> Workbench::setLinked(const std::string& page, const std::string& name, bool linked) {
  WorkspaceState next = *find_workspace(m_session, page);
  const auto* value = next.values.find(name);
  if (!value || m_walking) return {};
  if (linked)
    next.own = without(next.own, name);
  else
    next.own.set(name, *value);
  const QString text =
      linked ? tr("Link %1").arg(QString::fromStdString(name)) : tr("Unlink %1").arg(QString::fromStdString(name));
  return editBoth(text, std::move(next), m_session.subject, 0);
}

Result<void> Workbench::reset(const std::string& page, const std::string& name) {
  if (m_walking) return {};
  WorkspaceState next = *find_workspace(m_session, page);
  Subject subject = m_session.subject;
  if (is_linked(next, name))
    subject.values = without(subject.values, name);
  else
    next.own = without(next.own, name);
  return editBoth(tr("Reset %1").arg(QString::fromStdString(name)), std::move(next), std::move(subject), 0);
}

/// Values that contradict each other are refused if a person has just put them together, and give way to defaults if
/// the page has brought them along.
Result<void> Workbench::editBoth(const QString& text, WorkspaceState next, Subject subject, int mergeKey) {
  const WorkspaceState& now = *find_workspace(m_session, next.id);
  if (!pads_by_itself(next.values)) follow_documents(m_session.subject, subject);
  fill_workspace(next, subject);
  Notes notes;
  if (auto checked = check_workspace(next, page_sides(next)); !checked) {
    WorkspaceState settled = next;
    notes = resolve_workspace(settled, subject);
    const auto stays = [&](const auto& entry) {
      const auto* former = now.values.find(entry.first);
      const auto* shown = settled.values.find(entry.first);
      return (former && *former == entry.second) || (shown && *shown == entry.second);
    };
    const bool given = next.method == now.method && !std::ranges::all_of(next.values.map(), stays);
    const bool compared = next.method == now.method && next.compare != CompareMode::none && settled.other != next.other;
    if (given || compared) return checked;
    if (auto shown = check_workspace(settled, page_sides(settled)); !shown) return shown;
    if (next.method == now.method) notes.clear();  // told when it came about
    next = std::move(settled);
  }
  push(text, std::move(next), std::move(subject), mergeKey);
  if (!notes.empty()) emit adjusted(QString::fromStdString(summary(notes)));
  return {};
}

void Workbench::push(const QString& text, WorkspaceState next, Subject subject, int mergeKey) {
  const WorkspaceState& now = *find_workspace(m_session, next.id);
  m_dragging = mergeKey != 0 && mergeKey == std::exchange(m_editKey, mergeKey);
  const auto* last = m_undo.count() > 0 && m_undo.index() == m_undo.count()
                         ? dynamic_cast<const WorkspaceEdit*>(m_undo.command(m_undo.count() - 1))
                         : nullptr;
  if (const auto* start = last ? last->startOf(next, mergeKey) : nullptr) {
    next.own = start->state.own;
    subject = start->subject;
  }
  if (now == next && m_session.subject == subject) return;
  const QScopedValueRollback pushing(m_pushing, true);
  SidesB others = sidesB(next.id, m_session.subject), followed = sidesB(next.id, subject);
  m_undo.push(new WorkspaceEdit(*this, text, {now, m_session.subject, std::move(others)},
                                {std::move(next), std::move(subject), std::move(followed)}, mergeKey));
}

Workbench::SidesB Workbench::sidesB(const std::string& but, const Subject& subject) const {
  SidesB sides;
  for (const WorkspaceState& each : m_session.workspaces) {
    if (each.id == but || each.compare == CompareMode::none) continue;
    WorkspaceState page = each;
    if (subject != m_session.subject) {
      follow_subject(page, m_session.subject, subject);
      resolve_workspace(page, subject);
    }
    sides.emplace(page.id, std::move(page.other));
  }
  return sides;
}

Result<void> Workbench::choose(const QString& text, const std::string& page, const Method& method,
                               const ParameterValues& values, Side side) {
  const auto changed = [&](bool withValues) {
    WorkspaceState next = *find_workspace(m_session, page);
    const auto& choices = find_workspace_info(page)->choices();
    if (std::ranges::count(choices, method.id) > 0) next.method = method.id;
    for (const auto& [name, value] : values.map())
      if (withValues) (side == Side::b ? next.other : next.values).set(name, value);
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

void Workbench::apply(const WorkspaceState& state, const Subject& subject, const SidesB& others) {
  WorkspaceState* mine = find_workspace(m_session, state.id);
  // Undo restores parameters, not the visible range.
  const auto view = mine->view;
  const auto axes = mine->axes;
  *mine = state;
  mine->view = view;
  mine->axes = axes;
  m_sides.clear();
  if (m_session.subject != subject) {
    m_session.subject = subject;
    for (auto& other : m_session.workspaces) {
      if (other.id == state.id) continue;
      if (const auto side = others.find(other.id); side != others.end()) other.other = side->second;
      resolve_workspace(other, subject);
    }
  }
  m_session.current = state.id;
  m_untold = true;
  m_walking = !m_pushing;
}

}  // namespace vqscope
