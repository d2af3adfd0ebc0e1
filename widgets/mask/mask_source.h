// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/batch_looks.h"
#include "core/mask/preset/mask_import.h"
#include "core/mask/recognise/recognise.h"
#include "widgets/import/attention_tensors.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/session/file_watcher.h"
#include "widgets/session/workbench.h"

#include <QWidget>

#include <optional>

class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace vqscope {

class SampleStrip;

/// Sources of a page's mask besides presets: an editable text made from a preset, a file, or a
/// recognised mask. Each use is one undo step. A file of several masks, or of numbers, is read
/// again for another plane or threshold. The file is watched: its new content is read in its place
/// unless the mask was changed here.
class MaskSource : public QWidget {
  Q_OBJECT
 public:
  MaskSource(Workbench& workbench, std::string page, QWidget* parent = nullptr);

  /// Shows the controls for the page's mask. `second`: for the mask to compare with.
  void sync(bool second);
  /// Uses the mask of a file for that side. It is read on another thread; notified() reports how it
  /// was read, or the error.
  void importFile(const QString& path);
  /// Uses the mask that stands beside q, k and v in files, of the sample and head that were chosen of
  /// them.
  void importBeside(const FileTensor& mask, const QkvChoice& chosen);
  /// Uses the mask of a file of a watched folder, without questions. Masks one after the other are
  /// one undo step.
  void follow(const QString& path);
  /// Asks the user for the file.
  void chooseImport();
  /// Uses the recognised text for the mask, or for the second mask.
  void useAsText(const Recognition& found, bool second);
  /// A file is being read.
  bool isBusy() const { return m_imports.isBusy() || m_looks.isBusy(); }

 signals:
  void notified(const QString& sentence, bool bad);
  /// The requested mask is set; text typed for the previous mask is void.
  void replaced();
  /// The mask is now an editable text.
  void textOpened();
  /// Emitted if a file is no mask but queries, keys or values.
  void tensorsRequested(const QString& path);

 private:
  /// The last file read, to read it again with other options.
  struct Opened {
    QString path;
    ImportOptions options;
    MaskImport import;
    ParameterValues values;  ///< values of the side that uses it
    bool second = false;
  };

  void editAsText();
  void read(const QString& path, const ImportOptions& options);
  void readAgain();
  /// A file's mask, and the texts of its sequence.
  struct ReadFile {
    MaskImport import;
    TokenTexts tokens;
  };

  void takeFollowed(const QString& path, const MaskImport& import);
  void readChanged();
  void takeChanged(const MaskImport& import);
  bool isUsed(const Opened& opened) const;
  void take(const QString& path, const ImportOptions& options, const MaskImport& import, bool second);
  /// Asks what a file is that is no mask.
  void confirmUse(const QString& path, const ImportOptions& options, const MaskImport& import, bool second);
  void showReading();
  /// Shows that sample and head of the file.
  void choosePlane(Index sample, Index head);
  /// Reads and checks all samples and heads of the file, for the strip.
  void lookAtAll();
  void showLooks(Index samples, Index heads, const std::vector<BatchLook>& looks);
  QSpinBox* addPlane(const QString& title);
  /// `tokens`: texts of the sequence, which go with the mask; empty: they stay.
  bool edit(const QString& what, const ShownPage& next, const TokenTexts& tokens = {});
  const ParameterValues& values() const;

  Workbench& m_workbench;
  std::string m_page;
  bool m_second = false;
  FieldScheduler m_imports;
  FieldScheduler m_looks;
  FileWatcher m_watcher{this};
  TokenTexts m_tokens;             ///< of the file that is taken; empty: it has none
  bool m_isBesideVectors = false;  ///< the file that is read: a mask for certain
  std::optional<Opened> m_opened;
  QPushButton* m_asText;
  QWidget* m_reading;
  QFormLayout* m_rows;
  QSpinBox* m_batch;
  QSpinBox* m_head;
  QDoubleSpinBox* m_threshold;
  SampleStrip* m_strip;
  QLabel* m_found;  ///< findings of other samples, as links to them
};

}  // namespace vqscope
