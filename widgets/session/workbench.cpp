// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workbench.h"

#include "core/schedule/setting/schedule_parameters.h"
#include "core/session/layer_views.h"
#include "core/session/resolve.h"
#include "core/session/subject/adopted_model.h"

#include <QScopedValueRollback>
#include <QUndoCommand>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace vqscope {
namespace {

/// The page with values of its own, but those that it shares.
WorkspaceState withOwn(WorkspaceState page, const ParameterValues& values, const Subject& subject) {
  for (const auto& [key, value] : values.map()) {
    const auto* shared = subject.values.find(key);
    if (!is_linked(page, key) || !shared || *shared != value) page.own.set(key, value);
  }
  return page;
}

/// The values that a model has on pages of its own: the mask of its layers, unless the page of masks has a text, and
/// the layers.
std::vector<std::pair<std::string, ParameterValues>> valuesOfPages(const Session& session, const ConfigReport& report) {
  std::vector<std::pair<std::string, ParameterValues>> pages;
  const auto* mask = find_workspace(session, "masks")->own.find("mask");
  const bool free = !mask || !std::ranges::count(std::array{"custom", "dump"}, std::get<std::string>(*mask));
  if (const ModelLayer* layer = first_mask_of(report.schedule); layer && free)
    if (auto shown = mask_of_layer(*layer)) pages.emplace_back("masks", std::move(*shown));
  if (!report.schedule.layers.empty()) pages.emplace_back("model", schedule_values(report.schedule));
  return pages;
}

}  // namespace

/// The whole state of a page and the subject before and after a step: a few kilobytes, at most two megabytes with the
/// longest lists.
class WorkspaceEdit : public QUndoCommand {
 public:
  struct Side {
    WorkspaceState state;
    Subject subject;
    Workbench::OtherPages others;
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
  return make(text, plan_values(*now, m_session.subject, std::move(next)), mergeKey);
}

Result<void> Workbench::editSubject(const QString& text, Subject next, int mergeKey) {
  if (next == m_session.subject || m_walking) return {};
  return make(text, planSubject(std::move(next)), mergeKey);
}

Result<EditPlan> Workbench::planSubject(Subject next) const {
  if (const auto checked = check_subject(next); !checked) return checked.error();
  WorkspaceState page = current();
  follow_subject(page, m_session.subject, next);
  return plan_state(current(), m_session.subject, std::move(page), std::move(next));
}

Result<void> Workbench::replace(const QString& text, WorkspaceState next, Subject subject) {
  if (m_walking) return {};
  const auto view = next.view;
  const std::string page = next.id;
  emit leaving();
  if (auto edited = setState(text, std::move(next), std::move(subject)); !edited) return edited;
  setView(page, view);
  m_session.current = page;
  emit changed();
  return {};
}

Result<void> Workbench::adoptModel(const QString& name, const std::string& config, const ConfigReport& report) {
  if (m_walking) return {};
  auto plan = planSubject(adopted_model(m_session.subject, name.toStdString(), config, report));
  OtherPages others;
  for (const auto& [page, values] : valuesOfPages(m_session, report)) {
    if (!plan) break;
    const WorkspaceState now = plan->page.id == page
                                   ? plan->page
                                   : page_under(*find_workspace(m_session, page), m_session.subject, plan->subject);
    if (plan->page.id != page) others[plan->page.id] = {plan->page.own, plan->page.other};
    plan = plan_state(now, plan->subject, withOwn(now, values, plan->subject), plan->subject);
  }
  return make(tr("Open the model %1").arg(name), std::move(plan), 0, others);
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
  return setState(text, std::move(next), m_session.subject);
}

Result<void> Workbench::reset(const std::string& page, const std::string& name) {
  if (m_walking) return {};
  WorkspaceState next = *find_workspace(m_session, page);
  Subject subject = m_session.subject;
  if (is_linked(next, name))
    subject.values = without(subject.values, name);
  else
    next.own = without(next.own, name);
  return setState(tr("Reset %1").arg(QString::fromStdString(name)), std::move(next), std::move(subject));
}

Result<void> Workbench::setState(const QString& text, WorkspaceState next, Subject subject) {
  const WorkspaceState& now = *find_workspace(m_session, next.id);
  return make(text, plan_state(now, m_session.subject, std::move(next), std::move(subject)));
}

Result<void> Workbench::make(const QString& text, Result<EditPlan> plan, int mergeKey, const OtherPages& others) {
  if (!plan) return plan.error();
  const bool turned = find_workspace(m_session, plan->page.id)->method != plan->page.method;
  push(text, std::move(plan->page), std::move(plan->subject), mergeKey, others);
  // Notes of the same method were told when the values came about.
  if (turned && !plan->notes.empty()) emit adjusted(QString::fromStdString(summary(plan->notes)));
  return {};
}

void Workbench::push(const QString& text, WorkspaceState next, Subject subject, int mergeKey,
                     const OtherPages& others) {
  const WorkspaceState& now = *find_workspace(m_session, next.id);
  m_dragging = mergeKey != 0 && mergeKey == std::exchange(m_editKey, mergeKey);
  const auto* last = m_undo.count() > 0 && m_undo.index() == m_undo.count()
                         ? dynamic_cast<const WorkspaceEdit*>(m_undo.command(m_undo.count() - 1))
                         : nullptr;
  if (const auto* start = last ? last->startOf(next, mergeKey) : nullptr) {
    next.own = start->state.own;
    subject = start->subject;
  }
  OtherPages before, after;
  for (const WorkspaceState& page : m_session.workspaces) {
    const auto set = others.find(page.id);
    if (page.id == next.id || (page.compare == CompareMode::none && set == others.end())) continue;
    before.emplace(page.id, KeptValues{page.own, page.other});
    if (set != others.end()) {
      after.insert(*set);
    } else {
      WorkspaceState moved = page_under(page, m_session.subject, subject);
      after.emplace(page.id, KeptValues{std::move(moved.own), std::move(moved.other)});
    }
  }
  if (now == next && m_session.subject == subject && before == after) return;
  const QScopedValueRollback pushing(m_pushing, true);
  m_undo.push(new WorkspaceEdit(*this, text, {now, m_session.subject, std::move(before)},
                                {std::move(next), std::move(subject), std::move(after)}, mergeKey));
}

Result<void> Workbench::choose(const QString& text, const std::string& page, const Method& method,
                               const ParameterValues& values, Side side) {
  if (m_walking) return {};
  if (m_session.current != page) emit leaving();
  const auto done = make(text, plan_method(*find_workspace(m_session, page), m_session.subject, method, values, side));
  if (done) showWorkspace(page);
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
  emit opened();
  emit changed();
}

void Workbench::apply(const WorkspaceState& state, const Subject& subject, const OtherPages& others) {
  WorkspaceState* mine = find_workspace(m_session, state.id);
  // Undo restores parameters, not the visible range.
  const auto view = mine->view;
  const auto axes = mine->axes;
  *mine = state;
  mine->view = view;
  mine->axes = axes;
  m_sides.clear();
  const bool another = std::exchange(m_session.subject, subject) != subject;
  for (auto& page : m_session.workspaces) {
    if (page.id == state.id) continue;
    const auto kept = others.find(page.id);
    const bool set = kept != others.end() && (kept->second.own != page.own || kept->second.other != page.other);
    if (!another && !set) continue;
    if (set) page.own = kept->second.own, page.other = kept->second.other;
    resolve_workspace(page, subject);
  }
  m_session.current = state.id;
  m_untold = true;
  m_walking = !m_pushing;
}

}  // namespace vqscope
