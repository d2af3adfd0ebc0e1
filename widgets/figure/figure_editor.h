// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exporter.h"
#include "widgets/figure/figure_view.h"
#include "widgets/figure/preview_maker.h"

#include <QDialog>
#include <QElapsedTimer>

class QLabel;
class QPushButton;

namespace vqscope {

class FileChoice;
class LookForm;
class PanelList;
class PresetRow;
class PreviewArea;
class ViewForm;

/// The last choices, used as the initial choices of the next export.
struct FigureChoices {
  FigureSpec spec = {};
  bool followsWidth = false;  ///< the height is the one that suits the width and the panels
  QStringList formats{QStringLiteral("png")};
  QString folder = {};  ///< empty: the current directory
};

/// Chooses views, look and files of an export beside a preview of the figure, which is the file's
/// own bytes, made in the background. Results that take long are made off the GUI thread too.
class FigureEditor : public QDialog {
  Q_OBJECT
 public:
  /// `offers`: views that can be added.
  FigureEditor(std::vector<FigureView> views, const std::vector<FigureOffer>& offers, const FigureChoices& choices,
               QWidget* parent);

  /// Those of the session.
  void setPresets(const std::vector<FigurePreset>& presets);

  /// The figure and its files, or what is wrong with them.
  Result<ExportRequest> request() const;
  QStringList formats() const;
  /// Of the files, without a suffix.
  QString suggestedName() const;
  FigureChoices choices() const;
  /// The views that the session is to keep, in their order.
  std::vector<PinnedView> pins() const;
  /// The command line that writes the files under their suggested names.
  QString command() const;
  /// Whether the preview is being made.
  bool isBusy() const { return m_maker.isBusy(); }
  void done(int result) override;

 signals:
  /// Other presets are to be kept in the session, which then sets them.
  void presetsEdited(const QString& text, const std::vector<vqscope::FigurePreset>& presets);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeControls();
  QLayout* makePreview();
  QLayout* makeButtons();
  void connectParts();
  void showSelected();
  void takeLabels();
  void chooseViews();
  void refresh();
  void requestPreview(const ExportRequest& request);
  void showProblem(const QString& sentence);
  void takeResult(std::size_t view, const MadeBefore& made);
  void takePicture(const QImage& pixels, const FigureSpec& spec);
  void showNumberSizes();
  /// `awaited`: formats of which the file is being made.
  void showFigureSizes(const QStringList& awaited);
  void copy(const QString& format, const QString& type);

  QString m_folder;
  PanelList* m_panels;
  ViewForm* m_view;
  PresetRow* m_presets;
  LookForm* m_look;
  FileChoice* m_files;
  PreviewArea* m_preview;
  QLabel* m_caption;
  QLabel* m_note;
  QPushButton* m_copyPng;
  QPushButton* m_copySvg;
  QPushButton* m_copyCommand;
  QPushButton* m_export;
  PreviewMaker m_maker;
  QElapsedTimer m_asked;  ///< since the last change of the figure
};

}  // namespace vqscope
