// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/page_parameters.h"
#include "core/session/session.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <string>

namespace vqscope {

/// The one document: a Session, and the undo stack through which every change of a parameter goes. Views listen to
/// changed() and show what the session says.
class Workbench : public QObject {
  Q_OBJECT
 public:
  explicit Workbench(QObject* parent = nullptr);
  /// Tells nobody: a stack of undo that ends tells of a step, and who listens may be gone already.
  ~Workbench() override { m_undo.blockSignals(true); }

  const Session& session() const { return m_session; }
  const WorkspaceState& current() const;
  QUndoStack& undoStack() { return m_undo; }
  /// Takes back the last step; what is typed and not entered yet becomes that step.
  void undo();
  /// Changed since it was opened, saved or begun.
  bool isModified() const { return !m_undo.isClean(); }

  /// Puts the change on the undo stack. Refused with a sentence, and nothing changes, when values do not check. Values
  /// that another method or other values make impossible are brought into range, which adjusted() says. Changes
  /// with the same `mergeKey` other than 0 that follow each other are one step: a slider's drag. While a step back or
  /// forward is being shown nothing is edited: a box that loses its text with its page would cut off the steps ahead.
  Result<void> edit(const QString& text, WorkspaceState next, int mergeKey = 0);

  /// The page's method and some values at once, one step: what another method brings along comes before the values. The
  /// page is not shown.
  Result<void> choose(const QString& text, const std::string& page, const Method& method,
                      const ParameterValues& values);

  /// The parameters of a page with the values that it has now: looked up once an edit.
  const PageSides& sidesOf(const std::string& id);

  /// The last edit went on with the step before it.
  bool isDragging() const { return m_dragging; }

  /// A key for the edits of one drag.
  int newMergeKey() { return ++m_lastMergeKey; }

  /// What is looked at rather than changed: not an undo step.
  void showWorkspace(const std::string& id);
  void setView(const std::string& id, const std::optional<ViewRange>& view);
  void setAxes(const std::string& id, const std::string& method, const CurveAxes& axes);

  /// Another document: undo starts anew. `modified`: it has changes that its file has not.
  void setSession(const Session& session, bool modified = false);
  void markSaved() { m_undo.setClean(); }

 signals:
  void changed();
  /// The page, the last step or the whole session is about to be another: what is typed and not entered yet still
  /// belongs to this one.
  void leaving();
  /// Which values an edit brought into range.
  void adjusted(const QString& sentence);

 private:
  friend class WorkspaceEdit;
  void apply(const WorkspaceState& state);

  Session m_session;
  std::map<std::string, PageSides> m_sides;  ///< by page; of those that were asked for
  PageSides m_coming;                        ///< of the step that is put on the stack
  QUndoStack m_undo;
  bool m_untold = false;   ///< a step has changed the session, and changed() is still to come
  bool m_pushing = false;  ///< the step is a new one
  bool m_walking = false;  ///< it is one of the stack, and is being shown
  int m_lastMergeKey = 0;
  int m_editKey = 0;  ///< of the last edit
  bool m_dragging = false;
};

}  // namespace vqscope
