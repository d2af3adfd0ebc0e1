// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/page_parameters.h"
#include "core/session/session_plan.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace vqscope {

/// Whether further edits of the same thing follow: a slider is held, a parameter plays, a number is
/// being typed. All of them are one step.
enum class EditPhase { ongoing, finished };

inline EditPhase phaseOf(bool finished) { return finished ? EditPhase::finished : EditPhase::ongoing; }

/// The document: a Session, and the undo stack for all changes of parameters. Views listen to
/// changed() and show the session.
///
/// Each change is planned and checked as a whole by core/session/session_plan.h, and then is one
/// step: what is refused changes nothing, not even what can be redone. During undo and redo, edits
/// are ignored: a box that commits its text as its page changes would remove the steps ahead.
class Workbench : public QObject {
  Q_OBJECT
 public:
  explicit Workbench(QObject* parent = nullptr);
  /// Emits nothing: the undo stack emits a step at its destruction, when receivers may be gone.
  ~Workbench() override { m_undo.blockSignals(true); }

  const Session& session() const { return m_session; }
  /// A page as it is shown. The reference stays valid.
  const ShownPage& page(std::string_view id) const { return m_pages.at(id); }
  const ShownPage& current() const { return page(m_session.current); }
  QUndoStack& undoStack() { return m_undo; }
  /// Undoes the last step. Text that is typed but not entered yet becomes that step.
  void undo();
  /// Whether the session has changed since it was opened, saved or started.
  bool isModified() const { return !m_undo.isClean(); }

  /// Values that differ from the page's are set, for all pages if the name is linked. Values that
  /// another method or other values make impossible are moved into range, which adjusted() reports.
  /// `tokens`: texts of the sequence, which go with the values; empty: they stay.
  Result<void> edit(const QString& text, ShownPage next, EditPhase phase = EditPhase::finished,
                    const TokenTexts& tokens = {});

  using Side = PageSide;
  /// Shows a page, and sets its method and some values of a side.
  Result<void> choose(const QString& text, const std::string& page, const Method& method, const ParameterValues& values,
                      Side side = Side::a);

  /// Sets values of the sequence and the model for all pages.
  Result<void> editSubject(const QString& text, Subject next, EditPhase phase = EditPhase::finished);

  /// Replaces a page and the subject, and shows the page.
  Result<void> replace(const QString& text, const ShownPage& next, const Subject& subject);

  /// Makes a model that of all pages, and shows the last page that it sets.
  Result<void> adoptModel(const OpenedConfig& model);

  /// Makes tensors of queries, keys and values those of all pages, and shows a method of a page with
  /// them. `tokens`: texts of their sequence; empty: they stay.
  Result<void> openTensors(const std::string& page, const Method& method, const ParameterValues& values,
                           const TokenTexts& tokens = {});

  /// Sets the presets of the figure editor.
  Result<void> editFigures(const QString& text, std::vector<FigurePreset> figures);

  /// Sets the views that are panels of a figure.
  Result<void> editPins(const QString& text, std::vector<PinnedView> pins);

  /// Gives a page a value of its own for a name of the subject, the one it shows; or links the name
  /// again.
  Result<void> setLinked(const std::string& page, const std::string& name, bool linked);

  /// Takes back what was set for a name of a page: its own value, or that of the subject if it is
  /// linked.
  Result<void> reset(const std::string& page, const std::string& name);

  /// The parameters of a page with its current values, cached until the next edit.
  const PageSides& sidesOf(const std::string& id);

  /// Whether the last edit was merged into the previous step.
  bool isDragging() const { return m_dragging; }

  /// Changes of the view, which are not undo steps.
  void showPage(const std::string& id);
  void setView(const std::string& id, const std::optional<ViewRange>& view);
  void setAxes(const std::string& id, const std::string& method, const CurveAxes& axes);
  /// How the last figure was made, for the next one.
  void setFigure(const FigureSpec& spec) { m_session.figure = spec; }

  /// Opens another document and clears the undo stack. `modified`: it has changes that are not in
  /// its file.
  void setSession(const Session& session, bool modified = false);
  void markSaved() { m_undo.setClean(); }

 signals:
  void changed();
  /// Another session has taken the place of the former; changed() follows.
  void opened();
  /// The page, the last step or the whole session is about to change: commit text that is typed but
  /// not entered yet.
  void leaving();
  /// The values that an edit moved into range.
  void adjusted(const QString& sentence);

 private:
  friend class PageEdit;
  /// State after a step: the current page, and the stored state of the pages that change.
  struct Step {
    std::string current;
    Subject subject;
    std::map<std::string, PageState> pages;
    std::vector<FigurePreset> figures;
    std::optional<std::vector<PinnedView>> pins;  ///< nothing: the step leaves them as they are
    friend bool operator==(const Step&, const Step&) = default;
  };
  /// Edits of one thing that are one step.
  struct Gesture {
    QString text;
    std::string page;  ///< empty: the subject
    int key = 0;
    bool isOpen = false;  ///< further edits may follow
  };
  using Planner = std::function<Result<SessionPlan>()>;
  int mergeKey(const QString& text, const std::string& page, EditPhase phase);
  /// Makes a step of a plan.
  Result<void> make(const QString& text, const Result<SessionPlan>& plan, int mergeKey = 0);
  /// The same for a plan that shows `page`. `leaves`: text that is typed and not entered becomes a
  /// step before it.
  Result<void> makeOn(const std::string& page, bool leaves, const QString& text, const Planner& plan);
  void push(const QString& text, const SessionPlan& plan, int mergeKey);
  void apply(const Step& step);

  Session m_session;
  ShownPages m_pages;
  std::map<std::string, PageSides> m_sides;  ///< by page, for pages that were requested
  QUndoStack m_undo;
  Gesture m_gesture;
  const ShownPage* m_planned = nullptr;  ///< the page of the step that is about to be made
  bool m_pending = false;                ///< a step has changed the session, and changed() is not emitted yet
  bool m_walking = false;                ///< an undo or redo is in progress
  int m_editKey = 0;                     ///< key of the last edit
  bool m_dragging = false;
};

}  // namespace vqscope
