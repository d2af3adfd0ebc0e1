// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workbench.h"

#include <QUndoCommand>

#include <algorithm>
#include <optional>
#include <utility>

namespace vqscope {
namespace {

/// Undo restores parameters, not what is in view.
void forgetView(PageState& page) {
  page.view.reset();
  page.axes.clear();
}

}  // namespace

/// The only command: what is kept of some pages, and the subject, before and after a step.
class PageEdit : public QUndoCommand {
 public:
  using Step = Workbench::Step;

  /// `start`: the page before the step, if further steps may become a part of it.
  PageEdit(Workbench& workbench, const QString& text, Step before, Step after, int mergeKey,
           std::optional<ShownPage> start)
      : QUndoCommand(text),
        m_workbench(workbench),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_start(std::move(start)),
        m_mergeKey(mergeKey) {}

  // Commands merge only if both have the same id other than -1. Only these commands have one; their
  // keys are compared below.
  int id() const override { return m_mergeKey == 0 ? -1 : 1; }
  void undo() override { m_workbench.apply(m_before); }
  void redo() override { m_workbench.apply(m_after); }

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const PageEdit*>(other);
    if (next->m_mergeKey != m_mergeKey || next->m_after.current != m_after.current) return false;
    // Each may have changed pages that the other has not.
    m_before.pages.insert(next->m_before.pages.begin(), next->m_before.pages.end());
    Step after = next->m_after;
    after.pages.insert(m_after.pages.begin(), m_after.pages.end());
    m_after = std::move(after);
    setObsolete(m_after == m_before);
    return true;
  }

  /// The session before edits that have returned to their start; null: they have not.
  const Step* startOf(const ShownPage& next, int mergeKey) const {
    const bool back = mergeKey != 0 && mergeKey == m_mergeKey && m_start && m_start->id == next.id &&
                      m_start->method == next.method && m_start->values == next.values && m_start->other == next.other;
    return back ? &m_before : nullptr;
  }

 private:
  Workbench& m_workbench;
  Step m_before;
  Step m_after;
  std::optional<ShownPage> m_start;
  int m_mergeKey;
};

Workbench::Workbench(QObject* parent) : QObject(parent), m_session(default_session()), m_pages(m_session) {
  m_undo.setUndoLimit(200);
  // After the step is on the stack, because receivers may make another step.
  connect(&m_undo, &QUndoStack::indexChanged, this, [this] {
    if (std::exchange(m_pending, false)) emit changed();
    m_walking = false;
  });
}

void Workbench::undo() {
  emit leaving();
  m_undo.undo();
}

Result<void> Workbench::edit(const QString& text, ShownPage next, EditPhase phase, const TokenTexts& tokens) {
  const int key = mergeKey(text, next.id, phase);
  if (!find_page(m_session, next.id)) return check_page(next);
  if (m_walking || (page(next.id) == next && (tokens.empty() || tokens == m_session.subject.tokens))) return {};
  return make(text, plan_page(m_pages, std::move(next), tokens), key);
}

Result<void> Workbench::editSubject(const QString& text, Subject next, EditPhase phase) {
  const int key = mergeKey(text, {}, phase);
  if (m_walking || next == m_session.subject) return {};
  return make(text, plan_subject(m_pages, std::move(next)), key);
}

Result<void> Workbench::replace(const QString& text, const ShownPage& next, const Subject& subject) {
  if (m_walking) return {};
  auto done = makeOn(next.id, true, text, [&] { return plan_replacement(m_pages, next, subject); });
  if (!done) return done;
  setView(next.id, next.view);
  emit changed();
  return {};
}

Result<void> Workbench::choose(const QString& text, const std::string& page, const Method& method,
                               const ParameterValues& values, Side side) {
  return makeOn(page, m_session.current != page, text, [&] { return plan_view(m_pages, page, method, values, side); });
}

Result<void> Workbench::adoptModel(const OpenedConfig& model) {
  if (m_walking) return {};
  return make(tr("Open the model %1").arg(QString::fromStdString(model.place.name)), plan_model(m_pages, model));
}

Result<void> Workbench::openTensors(const std::string& page, const Method& method, const ParameterValues& values,
                                    const TokenTexts& tokens) {
  return makeOn(page, m_session.current != page, tr("Open q, k and v"),
                [&] { return plan_tensors(m_pages, page, method, values, tokens); });
}

Result<void> Workbench::editFigures(const QString& text, std::vector<FigurePreset> figures) {
  if (m_walking) return {};
  return make(text, plan_figures(m_pages, std::move(figures)));
}

Result<void> Workbench::editPins(const QString& text, std::vector<PinnedView> pins) {
  if (m_walking) return {};
  return make(text, plan_pins(m_pages, std::move(pins)));
}

Result<void> Workbench::setLinked(const std::string& page, const std::string& name, bool linked) {
  if (m_walking) return {};
  const QString shown = QString::fromStdString(name);
  return make(linked ? tr("Link %1").arg(shown) : tr("Unlink %1").arg(shown), plan_link(m_pages, page, name, linked));
}

Result<void> Workbench::reset(const std::string& page, const std::string& name) {
  if (m_walking) return {};
  return make(tr("Reset %1").arg(QString::fromStdString(name)), plan_reset(m_pages, page, name));
}

/// Edits of one text on one page in a row are one gesture until it is finished; an edit that is
/// finished at once is none.
int Workbench::mergeKey(const QString& text, const std::string& page, EditPhase phase) {
  const bool continues = m_gesture.isOpen && m_gesture.text == text && m_gesture.page == page;
  if (phase == EditPhase::ongoing && !continues) m_gesture = {text, page, m_gesture.key + 1, true};
  if (phase == EditPhase::finished) m_gesture.isOpen = false;
  return continues || phase == EditPhase::ongoing ? m_gesture.key : 0;
}

Result<void> Workbench::make(const QString& text, const Result<SessionPlan>& plan, int mergeKey) {
  if (!plan) return plan.error();
  const bool turned = find_page(m_session, plan->page.id)->method != plan->page.method;
  push(text, *plan, mergeKey);
  // Notes of the same method were reported when its values were made.
  if (turned && !plan->notes.empty()) emit adjusted(QString::fromStdString(summary(plan->notes)));
  return {};
}

Result<void> Workbench::makeOn(const std::string& page, bool leaves, const QString& text, const Planner& plan) {
  if (m_walking) return {};
  auto planned = plan();
  if (!planned) return planned.error();
  if (leaves) {
    emit leaving();
    planned = plan();  // text that was typed may have become a step
  }
  if (auto done = make(text, planned); !done) return done;
  if (std::exchange(m_session.current, page) != page) emit changed();
  return {};
}

void Workbench::push(const QString& text, const SessionPlan& plan, int mergeKey) {
  m_dragging = mergeKey != 0 && mergeKey == std::exchange(m_editKey, mergeKey);
  const auto* last = m_undo.count() > 0 && m_undo.index() == m_undo.count()
                         ? dynamic_cast<const PageEdit*>(m_undo.command(m_undo.count() - 1))
                         : nullptr;
  const Step* start = last ? last->startOf(plan.page, mergeKey) : nullptr;
  Step after{
      plan.page.id, start ? start->subject : plan.subject, {}, plan.figures.value_or(m_session.figures), plan.pins};
  if (start) after.pages = start->pages;
  for (const PageState& other : plan.others)
    if (!start) after.pages.emplace(other.id, other);
  PageState& kept = after.pages[plan.page.id] = kept_page(plan.page);
  if (start) kept.own = start->pages.at(kept.id).own;
  Step before{plan.page.id, m_session.subject, {}, m_session.figures, {}};
  if (plan.pins) before.pins = m_session.pins;
  for (auto& [id, page] : after.pages) {
    forgetView(page);
    forgetView(before.pages[id] = *find_page(m_session, id));
  }
  if (before == after) return;
  m_planned = &plan.page;
  auto started = mergeKey == 0 ? std::nullopt : std::optional(page(plan.page.id));
  m_undo.push(new PageEdit(*this, text, std::move(before), std::move(after), mergeKey, std::move(started)));
}

void Workbench::apply(const Step& step) {
  for (const auto& [id, kept] : step.pages) {
    PageState& page = *find_page(m_session, id);
    PageState next = kept;
    next.view = page.view;
    next.axes = page.axes;
    page = std::move(next);
  }
  m_session.subject = step.subject;
  m_session.figures = step.figures;
  if (step.pins) m_session.pins = *step.pins;
  m_session.current = step.current;
  m_sides.clear();
  const ShownPage* planned = std::exchange(m_planned, nullptr);
  m_pages.update(planned);
  m_pending = true;
  m_walking = !planned;  // a new step is no walk
}

const PageSides& Workbench::sidesOf(const std::string& id) {
  const auto known = m_sides.find(id);
  if (known != m_sides.end()) return known->second;
  return m_sides[id] = page_sides(page(id));
}

void Workbench::showPage(const std::string& id) {
  if (m_session.current == id || !find_page(m_session, id)) return;
  emit leaving();
  m_session.current = id;
  emit changed();
}

void Workbench::setView(const std::string& id, const std::optional<ViewRange>& view) {
  PageState* page = find_page(m_session, id);
  if (!page || (view && !is_showable(*view))) return;
  page->view = view;
  m_pages.update_look(id);
}

void Workbench::setAxes(const std::string& id, const std::string& method, const CurveAxes& axes) {
  const auto* info = find_page_info(id);
  if (!info || std::ranges::count(info->curves, method) == 0) return;
  find_page(m_session, id)->axes[method] = axes;
  m_pages.update_look(id);
}

void Workbench::setSession(const Session& session, bool modified) {
  emit leaving();
  m_session = session;
  m_pages.update();
  m_sides.clear();
  m_gesture.isOpen = false;
  m_pending = false;
  m_undo.clear();
  modified ? m_undo.resetClean() : m_undo.setClean();  // clearing an empty stack does neither
  emit opened();
  emit changed();
}

}  // namespace vqscope
