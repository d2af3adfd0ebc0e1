// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/recognise.h"
#include "core/session/batch/mask_reading.h"
#include "widgets/import/attention_tensors.h"
#include "widgets/mask/source/batch_overview.h"
#include "widgets/parts/text.h"
#include "widgets/session/file_reading.h"
#include "widgets/session/file_watcher.h"
#include "widgets/session/workbench.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QPushButton;

namespace vqscope {

class ReadingRows;

/// Sources of a page's mask besides presets: an editable text made from a preset, a file, or a
/// recognised mask. Each use is one undo step. A file of several samples or heads, or of numbers, is
/// read again for another sample or threshold; the session keeps which one is shown. The file is
/// watched: its new content is read in its place unless the mask was changed here.
class MaskSource : public QWidget {
  Q_OBJECT
 public:
  MaskSource(Workbench& workbench, std::string page, QWidget* parent = nullptr);

  /// Shows the controls for the page's mask. `second`: for the mask to compare with.
  void sync(bool second);
  /// Uses the mask of a file for that side. It is read on another thread; notified() reports how it
  /// was read, or the error. `asSecond`: as B, beside the mask that is shown.
  void importFile(const QString& path, bool asSecond = false);
  /// Uses the mask that stands beside q, k and v in files, of the sample and head that were chosen of
  /// them.
  void importBeside(const FileTensor& mask, const QkvChoice& chosen);
  /// Uses the mask of a file of a watched folder, without questions. Masks one after the other are
  /// one undo step.
  void follow(const QString& path);
  /// The file of the mask, or the next one of its folder, cannot be read: the mask is an old one.
  void setFileProblem(const QString& sentence);
  /// Makes a preset an editable text.
  void editAsText();
  /// Asks the user for the file.
  void chooseImport(bool asSecond = false);
  /// Uses the recognised text for the mask, or for the second mask.
  void useAsText(const Recognition& found, bool second);
  /// Shows that sample and head of the file, and then says the notice if there is one.
  void chooseSample(Index sample, Index head, const QString& notice = {});
  /// The samples of the file that is shown; one if there is no such file.
  const BatchOverview& overview() const { return m_overview; }
  /// Reads the files of the mask.
  const FileReading& reading() const { return m_imports; }
  void stopReading() { m_imports.stop(); }
  /// A file is being read.
  bool isBusy() const { return m_imports.isBusy() || m_looks.isBusy(); }

 signals:
  /// The user opens a file of a mask.
  void fileRequested();
  void notified(const QString& sentence, bool bad);
  /// The requested mask is set; text typed for the previous mask is void.
  void replaced();
  /// The mask is now an editable text.
  void textOpened();
  /// overview() is another one.
  void samplesChecked();
  /// Why the present content of the mask's file is not the mask; empty: it is, or the mask is from no
  /// file.
  void fileProblemChanged(const QString& sentence);
  /// A file that the user opened is the mask now.
  void opened(const QString& file);
  /// Emitted if a file is no mask but queries, keys or values.
  void tensorsRequested(const QString& path);

 private:
  /// The last file read.
  struct Opened {
    MaskReading reading;
    ParameterValues values;  ///< of the side that uses it
  };
  /// How a file becomes the mask.
  struct Use {
    QString title = {};   ///< of the undo step
    QString notice = {};  ///< empty: how the file was read
    EditPhase phase = EditPhase::finished;
    bool isQuiet = false;
    bool isBesideQkv = false;  ///< q, k and v of the same file are those of all pages
    bool isSecond = false;     ///< the page is compared with the file's mask
    bool isOpened = false;     ///< by the user, who wants to see it
  };

  void read(const QString& path, const ImportOptions& options, const Use& how);
  void readAnd(const BatchChoice& choice, const ImportOptions& options,
               std::function<void(const Result<MaskReading>&)> done);
  void readAgain(const BatchChoice& choice, const ImportOptions& options, const Use& use);
  void readChanged();
  Result<void> takeChanged(const MaskReading& reading);
  bool isUsed(const Opened& opened) const;
  /// Makes the file's mask that of the page.
  Result<void> use(const MaskReading& reading, const Use& how);
  /// The same; an error is notified.
  void take(const Result<MaskReading>& reading, const Use& how);
  void notifyOf(const MaskReading& reading, const ParameterValues& side, bool isBesideQkv);
  /// Asks what a file is that is no mask.
  void confirmUse(const MaskReading& reading, const Use& how);
  /// The file of the session's choice, after a session is opened or a step is undone.
  void followSession();
  void watch();
  void takeRestored(const BatchChoice& choice, const Result<MaskReading>& reading);
  void showReading();
  BatchOverview overviewOf(const MaskReading& reading);
  /// Checks all samples and heads of the file, which is read whole for it, together with what the
  /// samples have in common.
  void checkSamples(const SampleValues& with);
  void keepCases();
  void forgetChecks() {
    m_looks.stop();
    m_checkedBy.reset();
    m_checked.reset();
    m_cases.reset();
    m_unchecked.clear();
  }
  SampleValues commonValues(const SampleBatch& batch) const;
  Result<void> edit(const QString& what, const ShownPage& next, const TokenTexts& tokens = {},
                    EditPhase phase = EditPhase::finished);
  void notifyOf(const Error& error) { emit notified(text(error.message), true); }
  const ParameterValues& values() const;
  QString nameOf(const MaskReading& reading) const;

  Workbench& m_workbench;
  std::string m_page;
  bool m_second = false;
  FileReading m_imports;
  FieldScheduler m_looks;
  FileWatcher m_watcher{this};
  std::optional<Opened> m_opened;
  BatchChoice m_restored;  ///< of the session, whose file was asked for last
  QString m_fileProblem;
  BatchOverview m_overview;
  std::shared_ptr<const BatchLooks> m_checked;  ///< of the opened file's samples
  std::shared_ptr<const SampleCases> m_cases;   ///< of the same
  std::string m_unchecked;                      ///< why they cannot be checked
  std::optional<SampleValues> m_checkedBy;      ///< with these values; nothing: they were not asked for
  QPushButton* m_asText;
  ReadingRows* m_reading;
};

}  // namespace vqscope
