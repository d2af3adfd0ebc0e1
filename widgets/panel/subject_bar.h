// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/shown_tensors.h"
#include "widgets/session/workbench.h"

#include <QFrame>

#include <map>
#include <string>
#include <vector>

class QMenu;
class QToolButton;

namespace vqscope {

class ParameterForm;
class TokenForm;

/// The model and the sequence that all pages look at, as chips in one line. A chip opens its
/// parameters below itself. Values that are not set are grey: each page then has its own default. A
/// chip with an open chain marks a value of the current page's own.
class SubjectBar : public QFrame {
  Q_OBJECT
 public:
  explicit SubjectBar(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the subject of the session.
  void sync();
  /// Why the present content of the model's file is not that of the subject; empty: it is.
  void setModelProblem(const QString& sentence);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }
  /// Opens the chip of a parameter and gives its field the focus; false if no chip has it.
  bool open(const QString& parameter);

 signals:
  void notified(const QString& sentence, bool bad);
  void modelRequested();
  /// Queries, keys and values are to be chosen.
  void tensorsRequested();
  void pasteRequested();
  /// The path of a config that the program brings along.
  void presetRequested(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Chip {
    QString title;
    std::vector<std::string> names;  ///< of the first value is the chip's; empty: the token texts
    bool isTensors = false;          ///< q, k and v, which a dialog chooses
    QToolButton* button = nullptr;
    int width = 0;
  };

  void addModel();
  void addChip(const QString& title, const std::vector<std::string>& names);
  void addCaption(const QString& title);
  void addTensors();
  void showChip(const Chip& chip);
  void showTensors(const Chip& chip);
  /// Of the subject's files, which are opened after a change alone.
  const ShownTensors& shownTensors();
  QString warningOf(const Chip& chip) const;
  void popUp(const Chip& chip, const QString& parameter = {});
  QWidget* parameterForm(const Chip& chip);
  QWidget* tokenForm();
  void enterTokens(const TokenTexts& texts);
  void enter(const QString& name, const ParameterValue& value, bool finished);
  void forget(const QString& name);
  void clearModel();
  /// The value set for all pages, else that of the page on top; null if neither has one.
  const ParameterValue* valueOf(const std::string& name) const;
  bool isOwn(const Chip& chip) const;
  QString textOf(const Chip& chip) const;
  /// Chips without room are in a menu at the end.
  void arrange();

  Workbench& m_workbench;
  QString m_modelProblem;
  QToolButton* m_model;
  std::vector<Chip> m_chips;
  Subject m_tensorsOf;  ///< what m_tensors belongs to: tensors, head and records
  ShownTensors m_tensors;
  std::map<std::string, std::string> m_warnings;  ///< of lengths that the page's mask contradicts
  std::vector<QWidget*> m_row;                    ///< captions and chips in their order
  QToolButton* m_more;
  QMenu* m_moreMenu;
  ParameterForm* m_form = nullptr;  ///< of the chip that is open
  TokenForm* m_tokenForm = nullptr;
};

}  // namespace vqscope
