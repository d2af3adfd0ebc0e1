// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/figure_editor.h"

#include "core/base/text.h"
#include "core/output/figure_command.h"
#include "widgets/figure/file_choice.h"
#include "widgets/figure/look_form.h"
#include "widgets/figure/panel_list.h"
#include "widgets/figure/preset_row.h"
#include "widgets/figure/preview_area.h"
#include "widgets/figure/view_form.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/title/compared_title.h"

#include <QApplication>
#include <QClipboard>
#include <QFormLayout>
#include <QLabel>
#include <QLoggingCategory>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

/// Shown with QT_LOGGING_RULES=vqscope.preview.debug=true.
Q_LOGGING_CATEGORY(previewLog, "vqscope.preview", QtWarningMsg)

constexpr int controlsWidth = 330;
constexpr QSize usualSize(1180, 800);

/// A measurement would run for the preview alone.
bool isUnmeasured(const FigurePanel& panel) {
  const auto* curves = panel.method->curves();
  return curves && (curves->clocked || curves->origin == CurveOrigin::measured) && !panel.made.curves;
}

/// The fields of all these forms begin at one line.
void alignFields(std::initializer_list<QWidget*> forms) {
  std::vector<QWidget*> labels;
  int widest = 0;
  for (QWidget* form : forms) {
    auto* layout = qobject_cast<QFormLayout*>(form->layout());
    for (int row = 0; layout && row < layout->rowCount(); ++row)
      if (auto* label = layout->itemAt(row, QFormLayout::LabelRole)) labels.push_back(label->widget());
  }
  for (QWidget* label : labels) widest = std::max(widest, label->sizeHint().width());
  for (QWidget* label : labels) label->setMinimumWidth(widest);
}

QString sizeText(const FigureSpec& spec) {
  const auto side = [](double points) { return text(to_text(figure_millimetres(points), 4)); };
  return QObject::tr("%1 × %2 mm").arg(side(spec.width), side(spec.height));
}

}  // namespace

FigureEditor::FigureEditor(std::vector<FigureView> views, const std::vector<FigureOffer>& offers,
                           const FigureChoices& choices, QWidget* parent)
    : QDialog(parent),
      m_folder(choices.folder),
      m_panels(new PanelList),
      m_view(new ViewForm),
      m_presets(new PresetRow),
      m_look(new LookForm),
      m_files(new FileChoice),
      m_preview(new PreviewArea(this)),
      m_caption(new QLabel(this)),
      m_note(paragraph(this, "error")),
      m_copyPng(new QPushButton(tr("Copy PNG"), this)),
      m_copySvg(new QPushButton(tr("Copy SVG"), this)),
      m_copyCommand(new QPushButton(tr("Copy command"), this)),
      m_export(new QPushButton(tr("Export…"), this)) {
  setWindowTitle(tr("Export"));
  auto* columns = new QHBoxLayout;
  columns->addWidget(makeControls());
  columns->addLayout(makePreview(), 1);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns, 1);
  layout->addLayout(makeButtons());
  m_panels->setViews(std::move(views));
  m_panels->setOffers(offers);
  m_look->setPanels(m_panels->chosen().size());
  m_look->setSpec(choices.spec);
  if (choices.followsWidth) m_look->followWidth();
  m_files->setFormats(choices.formats);
  connectParts();
  chooseViews();
  m_panels->setFocus();
  resize(parent ? usualSize.boundedTo(parent->window()->size() * 0.95) : usualSize);
}

QWidget* FigureEditor::makeControls() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 10, 0);
  column->addWidget(heading(tr("Panels"), content));
  column->addWidget(m_panels);
  column->addSpacing(6);
  column->addWidget(heading(tr("Figure"), content));
  column->addWidget(m_presets);
  column->addWidget(m_look);
  column->addSpacing(6);
  column->addWidget(heading(tr("Selected panel"), content));
  column->addWidget(m_view);
  column->addStretch(1);
  alignFields({m_look, m_view});
  QWidget* area = scrolled(content);
  area->setFixedWidth(controlsWidth);
  return area;
}

QLayout* FigureEditor::makePreview() {
  auto* column = new QVBoxLayout;
  column->addWidget(m_preview, 1);
  m_caption->setProperty("class", "secondary");
  m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(m_caption);
  column->addSpacing(4);
  column->addWidget(m_files);
  return column;
}

QLayout* FigureEditor::makeButtons() {
  auto* row = new QHBoxLayout;
  m_copyPng->setToolTip(tr("Copies the figure of the preview as pixels"));
  m_copySvg->setToolTip(tr("Copies the figure of the preview as lines and text"));
  m_copyCommand->setToolTip(tr("Copies the command line that writes these files"));
  auto* close = new QPushButton(tr("Close"), this);
  for (auto* button : {m_copyPng, m_copySvg, m_copyCommand, close}) button->setAutoDefault(false);
  m_export->setDefault(true);
  m_export->setProperty("class", "primary");  // as wide as its bold text
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_export, &QPushButton::clicked, this, &QDialog::accept);
  row->addWidget(m_note, 1);
  for (auto* button : {m_copyPng, m_copySvg, m_copyCommand, close, m_export}) row->addWidget(button);
  return row;
}

void FigureEditor::connectParts() {
  connect(m_panels, &PanelList::changed, this, &FigureEditor::chooseViews);
  connect(m_panels, &PanelList::selectionChanged, this, &FigureEditor::showSelected);
  connect(m_panels, &PanelList::renamed, this, [this] {
    showSelected();
    refresh();
  });
  connect(m_view, &ViewForm::changed, this, &FigureEditor::takeLabels);
  connect(m_look, &LookForm::changed, this, &FigureEditor::refresh);
  connect(m_presets, &PresetRow::chosen, m_look, &LookForm::setSpec);
  connect(m_presets, &PresetRow::edited, this, &FigureEditor::presetsEdited);
  connect(m_files, &FileChoice::changed, this, &FigureEditor::refresh);
  connect(m_copyPng, &QPushButton::clicked, this, [this] { copy(QStringLiteral("png"), QStringLiteral("image/png")); });
  connect(m_copySvg, &QPushButton::clicked, this,
          [this] { copy(QStringLiteral("svg"), QStringLiteral("image/svg+xml")); });
  connect(m_copyCommand, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command()); });
  connect(&m_maker, &PreviewMaker::resultMade, this, &FigureEditor::takeResult);
  connect(&m_maker, &PreviewMaker::pictureMade, this, &FigureEditor::takePicture);
  connect(&m_maker, &PreviewMaker::fileMade, this, [this](const QString& format) {
    m_files->setSize(format, text(byte_count(static_cast<double>(m_maker.bytes(format).size()))));
  });
  connect(m_preview, &PreviewArea::painted, this, [this] {
    qCDebug(previewLog, "preview of %zu panels on screen after %lld ms", m_panels->chosen().size(), m_asked.elapsed());
  });
  connect(&m_maker, &PreviewMaker::failed, this, &FigureEditor::showProblem);
}

void FigureEditor::showSelected() {
  const auto view = m_panels->selected();
  m_view->setEnabled(view.has_value());
  if (view) m_view->show(m_panels->view(*view));
}

void FigureEditor::takeLabels() {
  if (const auto number = m_panels->selected()) {
    FigureView view = m_panels->view(*number);
    m_view->fill(view);
    m_panels->setView(*number, std::move(view));
  }
  showSelected();
  refresh();
}

void FigureEditor::chooseViews() {
  const std::size_t count = m_panels->chosen().size();
  m_look->setPanels(count);
  m_files->allowNumbers(count <= 1);
  showSelected();
  refresh();
}

Result<ExportRequest> FigureEditor::request() const {
  const auto spec = m_look->spec();
  if (!spec) return spec.error();
  std::vector<FigurePanel> panels;
  for (const std::size_t view : m_panels->chosen()) {
    auto panel = panelOf(m_panels->view(view));
    if (!panel) return panel.error();
    panels.push_back(std::move(*panel));
  }
  if (panels.empty()) return invalid("choose at least one panel");
  if (const auto grid = figure_grid(*spec, panels.size()); !grid) return grid.error();
  ExportRequest request = request_of(std::move(panels));
  request.figure = *spec;
  request.figures = qtFigureMaker();
  return request;
}

void FigureEditor::refresh() {
  m_asked.start();
  const auto wanted = request();
  for (auto* button : {m_export, m_copyCommand}) button->setEnabled(wanted && !formats().isEmpty());
  for (auto* button : {m_copyPng, m_copySvg}) button->setEnabled(static_cast<bool>(wanted));
  if (!wanted) return showProblem(sentence(wanted.error().message));
  m_note->clear();
  m_presets->setCurrent(wanted->figure);
  showNumberSizes();
  if (isVisible()) requestPreview(*wanted);
}

/// Closed, or about to export.
void FigureEditor::done(int result) {
  m_maker.stop();
  QDialog::done(result);
}

void FigureEditor::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  refresh();
}

void FigureEditor::requestPreview(const ExportRequest& request) {
  PreviewMaker::Wish wish{.panels = {panel_of(request, {request.field, request.curves, request.coming})},
                          .views = m_panels->chosen(),
                          .spec = request.figure,
                          .formats = formats()};
  wish.panels.insert(wish.panels.end(), request.panels.begin(), request.panels.end());
  if (std::ranges::any_of(wish.panels, isUnmeasured)) {
    m_maker.stop();
    showFigureSizes({});
    const bool runs = std::ranges::any_of(
        wish.panels, [](const FigurePanel& panel) { return isUnmeasured(panel) && !panel.made.coming; });
    m_preview->setNote(runs ? tr("No preview: the measurement runs when the figure is exported.")
                            : tr("No preview: the measurement goes on, and an export waits for its end."));
    return;
  }
  wish.formats.removeIf([](const QString& format) { return !is_figure_format(format.toStdString()); });
  if (!wish.formats.contains(QLatin1String("svg"))) wish.formats << QStringLiteral("svg");  // to copy
  showFigureSizes(QStringList(wish.formats) << QStringLiteral("png"));
  m_maker.request(wish);
}

/// Sizes of the figure before are none of this one.
void FigureEditor::showFigureSizes(const QStringList& awaited) {
  for (const char* format : {"png", "svg", "pdf"})
    m_files->setSize(QLatin1String(format),
                     awaited.contains(QLatin1String(format)) ? QString(QChar(0x2026)) : QString());
}

void FigureEditor::showProblem(const QString& sentence) {
  m_note->setText(sentence);
  showFigureSizes({});
  if (m_preview->pixels().isEmpty()) m_preview->setProblem(sentence);
}

void FigureEditor::takeResult(std::size_t view, const MadeBefore& made) {
  FigureView shown = m_panels->view(view);
  shown.panel.made = made;
  m_panels->setView(view, std::move(shown));
  if (m_panels->selected() == view) showSelected();
  showNumberSizes();
}

void FigureEditor::takePicture(const QImage& pixels, const FigureSpec& spec) {
  m_preview->setFigure(pixels, {spec.width, spec.height});
  m_caption->setText(tr("%1 · %2 × %3 pixels in PNG").arg(sizeText(spec)).arg(pixels.width()).arg(pixels.height()));
}

/// The size of curves is not shown: it is small.
void FigureEditor::showNumberSizes() {
  const auto wanted = request();
  for (const char* format : {"csv", "npy", "json"}) {
    const bool isKnown = wanted && wanted->field && wanted->panels.empty();
    m_files->setSize(QLatin1String(format),
                     isKnown ? tr("≤ %1").arg(text(byte_count(export_size(*wanted, format)))) : QString());
  }
}

void FigureEditor::copy(const QString& format, const QString& type) {
  const QByteArray bytes = m_maker.bytes(format);
  if (bytes.isEmpty()) return m_note->setText(tr("The figure is not ready yet."));
  auto* data = new QMimeData;  // the clipboard owns it
  data->setData(type, bytes);
  QApplication::clipboard()->setMimeData(data);
}

QString FigureEditor::command() const {
  const auto wanted = request();
  if (!wanted) return {};
  std::vector<std::string> paths;
  for (const QString& format : formats()) paths.push_back((suggestedName() + QLatin1Char('.') + format).toStdString());
  return text(figure_command(*wanted, paths));
}

void FigureEditor::setPresets(const std::vector<FigurePreset>& presets) { m_presets->setPresets(presets); }

QStringList FigureEditor::formats() const { return m_files->formats(); }

QString FigureEditor::suggestedName() const {
  const auto views = m_panels->chosen();
  if (views.empty()) return QStringLiteral("figure");
  const FigurePanel& first = m_panels->view(views.front()).panel;
  QString name = text(first.method->id);
  if (const auto minus = subtrahend(*first.method, first.look))
    name += QLatin1Char('_') + comparedFileName(comparedTitle(*first.method, first.values, *minus));
  return name;
}

FigureChoices FigureEditor::choices() const {
  const auto spec = m_look->spec();
  return {spec ? *spec : FigureSpec(), m_look->followsWidth(), formats(), m_folder};
}

std::vector<PinnedView> FigureEditor::pins() const { return m_panels->pins(); }

}  // namespace vqscope
