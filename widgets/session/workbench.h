// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/edit_plan.h"
#include "core/session/page_parameters.h"
#include "core/session/session.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <string>

namespace vqscope {

struct ConfigReport;

/// The document: a Session, and the undo stack for all changes of parameters. Views listen to changed() and show the
/// session.
class Workbench : public QObject {
  Q_OBJECT
 public:
  explicit Workbench(QObject* parent = nullptr);
  /// Emits nothing: the undo stack emits a step at its destruction, when receivers may be gone.
  ~Workbench() override { m_undo.blockSignals(true); }

  const Session& session() const { return m_session; }
  const WorkspaceState& current() const;
  QUndoStack& undoStack() { return m_undo; }
  /// Undoes the last step. Text that is typed but not entered yet becomes that step.
  void undo();
  /// Whether the session has changed since it was opened, saved or started.
  bool isModified() const { return !m_undo.isClean(); }

  /// Puts the change on the undo stack: values that differ from the page's are set, for all pages if the name is
  /// linked. If values are invalid, returns an error and changes nothing. Values that another method or other values
  /// make impossible are moved into range, which adjusted() reports. Consecutive changes with the same `mergeKey` other
  /// than 0 are one step, such as the drag of a slider. During undo and redo, edits are ignored: a box that commits its
  /// text as its page changes would remove the steps ahead.
  Result<void> edit(const QString& text, WorkspaceState next, int mergeKey = 0);

  using Side = PageSide;
  /// Shows a page, and sets its method and some values of a side as one step. Refused: nothing changes.
  Result<void> choose(const QString& text, const std::string& page, const Method& method, const ParameterValues& values,
                      Side side = Side::a);

  /// Sets values of the sequence and the model for all pages. Refused, with nothing changed, if the page on top cannot
  /// show them; what other pages cannot have takes their default.
  Result<void> editSubject(const QString& text, Subject next, int mergeKey = 0);

  /// Replaces a page and the subject as one step, and shows the page.
  Result<void> replace(const QString& text, WorkspaceState next, Subject subject);

  /// Makes a model that of all pages: its values, and the mask of its layers unless the page of masks has a text of its
  /// own. One step, which shows the last page that it sets. Refused: nothing changes.
  Result<void> adoptModel(const QString& name, const std::string& config, const ConfigReport& report);

  /// Gives the page on top a value of its own for a name of the subject, the one it shows; or links the name again.
  Result<void> setLinked(const std::string& page, const std::string& name, bool linked);

  /// Takes back what was set for a name of a page: its own value, or that of the subject if it is linked.
  Result<void> reset(const std::string& page, const std::string& name);

  /// The parameters of a page with its current values, cached until the next edit.
  const PageSides& sidesOf(const std::string& id);

  /// Whether the last edit was merged into the previous step.
  bool isDragging() const { return m_dragging; }

  /// A key for the edits of one drag.
  int newMergeKey() { return ++m_lastMergeKey; }

  /// Changes of the view, which are not undo steps.
  void showWorkspace(const std::string& id);
  void setView(const std::string& id, const std::optional<ViewRange>& view);
  void setAxes(const std::string& id, const std::string& method, const CurveAxes& axes);

  /// Opens another document and clears the undo stack. `modified`: it has changes that are not in its file.
  void setSession(const Session& session, bool modified = false);
  void markSaved() { m_undo.setClean(); }

 signals:
  void changed();
  /// Another session has taken the place of the former; changed() follows.
  void opened();
  /// The page, the last step or the whole session is about to change: commit text that is typed but not entered yet.
  void leaving();
  /// The values that an edit moved into range.
  void adjusted(const QString& sentence);

 private:
  friend class WorkspaceEdit;
  /// What a page keeps, from which its values follow under a subject.
  struct KeptValues {
    ParameterValues own;
    ParameterValues other;  ///< side B, of pages that compare
    friend bool operator==(const KeptValues&, const KeptValues&) = default;
  };
  using OtherPages = std::map<std::string, KeptValues>;
  Result<EditPlan> planSubject(Subject next) const;
  /// A page with own values, method and comparison, as one step.
  Result<void> setState(const QString& text, WorkspaceState next, Subject subject);
  /// Makes a step of a plan. `others`: what it sets on other pages.
  Result<void> make(const QString& text, Result<EditPlan> plan, int mergeKey = 0, const OtherPages& others = {});
  void push(const QString& text, WorkspaceState next, Subject subject, int mergeKey, const OtherPages& others);
  void apply(const WorkspaceState& state, const Subject& subject, const OtherPages& others);

  Session m_session;
  std::map<std::string, PageSides> m_sides;  ///< by page, for pages that were requested
  QUndoStack m_undo;
  bool m_untold = false;   ///< a step has changed the session, and changed() is not emitted yet
  bool m_pushing = false;  ///< a new step is being pushed
  bool m_walking = false;  ///< an undo or redo is in progress
  int m_lastMergeKey = 0;
  int m_editKey = 0;  ///< key of the last edit
  bool m_dragging = false;
};

}  // namespace vqscope
