// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/recognise.h"
#include "widgets/import/mask_import.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/session/workbench.h"

#include <QWidget>

#include <optional>

class QDoubleSpinBox;
class QFormLayout;
class QPushButton;
class QSpinBox;

namespace vqscope {

/// Where the mask of a page comes from other than its presets: a preset as text to edit, a file, what was recognised.
/// Each is one step of undo. A file of several masks, or of numbers, is read again with another plane or threshold.
class MaskSource : public QWidget {
  Q_OBJECT
 public:
  MaskSource(Workbench& workbench, std::string workspace, QWidget* parent = nullptr);

  /// Shows what goes with the page's mask; `second`: the one that is compared with.
  void sync(bool second);
  /// Takes the mask of a file for that side. It is read on another thread; said() tells how, or what is wrong with it.
  void importFile(const QString& path);
  /// Asks for the file.
  void askImport();
  /// What was recognised becomes the text of the mask, or of the second one.
  void useAsText(const Recognition& found, bool second);
  /// A file is being read.
  bool isBusy() const { return m_imports.isBusy(); }

 signals:
  void said(const QString& sentence, bool bad);
  /// The mask is the one asked for; what was typed of the one before is void.
  void replaced();
  /// The mask has become a text to edit.
  void textOpened();

 private:
  /// What was read last, for reading it in another way.
  struct Opened {
    QString path;
    DumpOptions options;
    MaskImport import;
    ParameterValues values;  ///< of the side that took it
  };

  void editAsText();
  void read(const QString& path, const DumpOptions& options);
  void readAgain();
  void take(const QString& path, const DumpOptions& options, const MaskImport& import, bool second);
  void showReading();
  QSpinBox* addPlane(const QString& title);
  bool edit(const QString& what, const WorkspaceState& next);
  const ParameterValues& values() const;

  Workbench& m_workbench;
  std::string m_workspace;
  bool m_second = false;
  FieldScheduler m_imports;
  std::optional<Opened> m_opened;
  QPushButton* m_asText;
  QWidget* m_reading;
  QFormLayout* m_rows;
  QSpinBox* m_batch;
  QSpinBox* m_head;
  QDoubleSpinBox* m_threshold;
};

}  // namespace vqscope
