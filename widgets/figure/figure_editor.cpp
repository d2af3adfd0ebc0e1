// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/figure_editor.h"

#include "core/base/text.h"
#include "core/output/figure_command.h"
#include "widgets/figure/file_choice.h"
#include "widgets/figure/look_form.h"
#include "widgets/figure/preset_row.h"
#include "widgets/figure/preview_area.h"
#include "widgets/figure/view_form.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/title/compared_title.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int controlsWidth = 330;
constexpr int leastRow = 22;  // pixels, for its box
constexpr int mostRows = 5;   // of the list of views, without scrolling
constexpr QSize usualSize(1080, 680);

/// A measurement would run for the preview alone.
bool isUnmeasured(const FigurePanel& panel) {
  const auto* curves = panel.method->curves();
  return curves && (curves->clocked || curves->origin == CurveOrigin::measured) && !panel.made.curves;
}

QString sizeText(const FigureSpec& spec) {
  const auto side = [](double points) { return text(to_text(figure_millimetres(points), 4)); };
  return QObject::tr("%1 × %2 mm").arg(side(spec.width), side(spec.height));
}

}  // namespace

FigureEditor::FigureEditor(std::vector<FigureView> views, const FigureChoices& choices, QWidget* parent)
    : QDialog(parent),
      m_views(std::move(views)),
      m_folder(choices.folder),
      m_list(new QListWidget(this)),
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
  fillList();
  m_look->setSpec(choices.spec);
  m_files->setFormats(choices.formats);
  connectParts();
  chooseViews();
  m_list->setFocus();
  resize(parent ? usualSize.boundedTo(parent->window()->size() * 0.95) : usualSize);
}

QWidget* FigureEditor::makeControls() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 10, 0);
  column->addWidget(heading(tr("Views"), content));
  column->addWidget(makeViews());
  column->addSpacing(6);
  column->addWidget(heading(tr("Figure"), content));
  column->addWidget(m_presets);
  column->addWidget(m_look);
  column->addSpacing(6);
  column->addWidget(heading(tr("Selected view"), content));
  column->addWidget(m_view);
  column->addStretch(1);
  QWidget* area = scrolled(content);
  area->setFixedWidth(controlsWidth);
  return area;
}

QWidget* FigureEditor::makeViews() {
  m_list->setAccessibleName(tr("Views"));
  m_list->setToolTip(tr("Views with a tick are the panels of the figure, in this order: drag them to change it"));
  m_list->setDragDropMode(QAbstractItemView::InternalMove);
  m_list->setDefaultDropAction(Qt::MoveAction);
  m_list->setSpacing(2);
  m_list->setTextElideMode(Qt::ElideRight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return m_list;
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
  auto* cancel = new QPushButton(tr("Cancel"), this);
  for (auto* button : {m_copyPng, m_copySvg, m_copyCommand, cancel}) button->setAutoDefault(false);
  m_export->setDefault(true);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_export, &QPushButton::clicked, this, &QDialog::accept);
  row->addWidget(m_note, 1);
  for (auto* button : {m_copyPng, m_copySvg, m_copyCommand, cancel, m_export}) row->addWidget(button);
  return row;
}

void FigureEditor::fillList() {
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    auto* item = new QListWidgetItem(m_views[i].name, m_list);
    item->setToolTip(m_views[i].name);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
    item->setCheckState(m_views[i].isChosen ? Qt::Checked : Qt::Unchecked);
    item->setData(Qt::UserRole, static_cast<int>(i));
    item->setSizeHint({0, std::max(leastRow, fontMetrics().height() + 4)});
  }
  const int rows = std::clamp(m_list->count(), 2, mostRows);
  m_list->setFixedHeight(rows * (m_list->sizeHintForRow(0) + 2 * m_list->spacing()) + 2 * m_list->frameWidth());
  const auto first = std::ranges::find_if(m_views, &FigureView::isChosen);
  m_list->setCurrentRow(first == m_views.end() ? 0 : static_cast<int>(first - m_views.begin()));
}

void FigureEditor::connectParts() {
  connect(m_list, &QListWidget::itemChanged, this, &FigureEditor::chooseViews);
  connect(m_list, &QListWidget::currentItemChanged, this, &FigureEditor::showSelected);
  connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &FigureEditor::chooseViews, Qt::QueuedConnection);
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
  connect(&m_maker, &PreviewMaker::failed, this, &FigureEditor::showProblem);
}

std::vector<std::size_t> FigureEditor::chosen() const {
  std::vector<std::size_t> all;
  for (int row = 0; row < m_list->count(); ++row)
    if (const auto* item = m_list->item(row); item->checkState() == Qt::Checked)
      all.push_back(static_cast<std::size_t>(item->data(Qt::UserRole).toInt()));
  return all;
}

std::optional<std::size_t> FigureEditor::selected() const {
  const auto* item = m_list->currentItem();
  return item ? std::optional(static_cast<std::size_t>(item->data(Qt::UserRole).toInt())) : std::nullopt;
}

void FigureEditor::showSelected() {
  if (const auto view = selected()) m_view->show(m_views[*view]);
}

void FigureEditor::takeLabels() {
  if (const auto view = selected()) m_view->fill(m_views[*view]);
  showSelected();
  refresh();
}

void FigureEditor::chooseViews() {
  const std::size_t count = chosen().size();
  m_look->setPanels(count);
  m_files->allowNumbers(count <= 1);
  showSelected();
  refresh();
}

Result<ExportRequest> FigureEditor::request() const {
  const auto spec = m_look->spec();
  if (!spec) return spec.error();
  std::vector<FigurePanel> panels;
  for (const std::size_t view : chosen()) {
    auto panel = panelOf(m_views[view]);
    if (!panel) return panel.error();
    panels.push_back(std::move(*panel));
  }
  if (panels.empty()) return invalid("choose at least one view");
  if (const auto grid = figure_grid(*spec, panels.size()); !grid) return grid.error();
  const FigurePanel& first = panels.front();
  ExportRequest request{.method = first.method, .values = first.values, .cells = first.cells, .look = first.look};
  request.figure = *spec;
  request.sides = first.sides;
  request.tokens = first.tokens;
  request.labels = first.labels;
  request.field = first.made.field;
  request.curves = first.made.curves;
  request.panels.assign(panels.begin() + 1, panels.end());
  request.figures = qtFigureMaker();
  return request;
}

void FigureEditor::refresh() {
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
  PreviewMaker::Wish wish{.panels = {panel_of(request, {request.field, request.curves})},
                          .views = chosen(),
                          .spec = request.figure,
                          .formats = formats()};
  wish.panels.insert(wish.panels.end(), request.panels.begin(), request.panels.end());
  if (std::ranges::any_of(wish.panels, isUnmeasured)) {
    m_maker.stop();
    m_preview->setProblem(tr("No preview: the measurement runs when the figure is exported."));
    return;
  }
  wish.formats.removeIf([](const QString& format) { return !is_figure_format(format.toStdString()); });
  if (!wish.formats.contains(QLatin1String("svg"))) wish.formats << QStringLiteral("svg");  // to copy
  m_maker.request(wish);
}

void FigureEditor::showProblem(const QString& sentence) {
  m_note->setText(sentence);
  if (m_preview->pixels().isEmpty()) m_preview->setProblem(sentence);
}

void FigureEditor::takeResult(std::size_t view, const MadeBefore& made) {
  m_views[view].panel.made = made;
  if (selected() == view) m_view->show(m_views[view]);
  showNumberSizes();
}

void FigureEditor::takePicture(const QByteArray& png, const FigureSpec& spec) {
  m_preview->setFigure(png, {spec.width, spec.height});
  const QSize pixels = m_preview->pixels();
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
  const auto views = chosen();
  if (views.empty()) return QStringLiteral("figure");
  const FigurePanel& first = m_views[views.front()].panel;
  QString name = text(first.method->id);
  if (const auto minus = subtrahend(*first.method, first.look))
    name += QLatin1Char('_') + comparedFileName(comparedTitle(*first.method, first.values, *minus));
  return name;
}

FigureChoices FigureEditor::choices() const {
  const auto spec = m_look->spec();
  return {spec ? *spec : FigureSpec(), formats(), m_folder};
}

}  // namespace vqscope
