// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_export.h"

#include "app/window/block_lists.h"
#include "app/window/page_print.h"
#include "app/window/page_stack.h"
#include "core/base/text.h"
#include "core/catalogue/survey/survey_files.h"
#include "core/io/bytes/whole_file.h"
#include "core/session/command_arguments.h"
#include "widgets/figure/figure_export.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPrintDialog>
#include <QPrinter>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t longestCommandLine = 65536;  // many systems allow 128 KiB for each argument

/// "Wrote a.png, 34 KiB", "Wrote a.png and a.svg, 60 KiB" or "Wrote a.png, a.svg and a.pdf, 90 KiB".
QString wroteSentence(const QStringList& paths) {
  double bytes = 0;
  QStringList names;
  for (const QString& path : paths) {
    bytes += static_cast<double>(QFileInfo(path).size());
    names << (names.isEmpty() ? path : QFileInfo(path).fileName());
  }
  const QString last = names.takeLast();
  const QString all = names.isEmpty() ? last : PageExport::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
  return PageExport::tr("Wrote %1, %2").arg(all, text(byte_count(bytes)));
}

}  // namespace

PageExport::PageExport(Workbench& workbench, PageStack& pages, QWidget* window)
    : m_workbench(workbench), m_pages(pages), m_window(window) {
  connect(&m_workbench, &Workbench::opened, this, [this] {
    m_measured.clear();
    const Session& session = m_workbench.session();
    if (session.figure) m_choices.spec = *session.figure;
    if (session.figure) m_choices.followsWidth = false;
  });
}

std::size_t PageExport::indexOf(const ExportTarget& target) const {
  const auto targets = m_pages.page()->exportTargets();
  const auto same = std::ranges::find_if(
      targets, [&](const ExportTarget& each) { return each.method == target.method && each.values == target.values; });
  return static_cast<std::size_t>(same == targets.end() ? 0 : same - targets.begin());
}

void PageExport::exportTarget(const ExportTarget& target) {
  if (m_pages.refuses() || m_pages.page()->exportTargets().empty()) return;
  auto views = pinnedViews(false);
  for (FigureView& view : pageViews(indexOf(target)))
    if (view.isChosen || view.panel.method->field()) views.push_back(std::move(view));
  edit(std::move(views));
}

/// After a failure, or where no file was named, the editor comes back with its input.
void PageExport::edit(std::vector<FigureView> views) {
  const auto offered = offers();
  for (const FigureOffer& offer : offered) keepCurves(offer.view);
  FigureEditor editor(std::move(views), offered, m_choices, m_window);
  editor.setPresets(m_workbench.session().figures);
  connect(&editor, &FigureEditor::presetsEdited, this,
          [&](const QString& title, const std::vector<FigurePreset>& presets) {
            const auto edited = m_workbench.editFigures(title, presets);
            if (!edited) QMessageBox::warning(&editor, tr("Presets"), text(edited.error().message));
            editor.setPresets(m_workbench.session().figures);
          });
  QStringList written;
  while (written.isEmpty() && editor.exec() == QDialog::Accepted) {
    const auto paths = exportFigure(editor, m_window);
    if (paths)
      written = *paths;
    else
      QMessageBox::warning(m_window, tr("Export"), text(paths.error().message));
    if (!m_window->isVisible()) break;  // closed meanwhile, which cancels the export
  }
  m_choices = editor.choices();
  m_workbench.setFigure(m_choices.spec);
  keepPins(tr("Edit the panels of the figure"), editor.pins());
  if (written.isEmpty()) return;
  m_choices.folder = QFileInfo(written.front()).absolutePath();
  emit notified(wroteSentence(written), false);
}

void PageExport::keepPins(const QString& title, std::vector<PinnedView> pins) {
  if (pins == m_workbench.session().pins) return;
  if (const auto kept = m_workbench.editPins(title, std::move(pins)); !kept)
    emit notified(text(kept.error().message), true);
}

std::vector<FigureView> PageExport::pageViews(std::size_t asked) const {
  return figureViews(m_pages.page()->exportTargets(), asked, m_workbench.current(),
                     m_workbench.session().subject.tokens);
}

std::vector<FigureView> PageExport::pinnedViews(bool chosen) const {
  std::vector<FigureView> views;
  for (const PinnedView& pin : m_workbench.session().pins) {
    views.push_back(figureView(pin));
    views.back().isChosen = chosen;
    for (const FigureView& kept : m_measured)
      if (kept.panel.method->id == pin.method && kept.panel.values == pin.values)
        views.back().panel.made = kept.panel.made;
  }
  return views;
}

/// Every view of every page that was shown.
std::vector<FigureOffer> PageExport::offers() const {
  std::vector<FigureOffer> offers;
  if (!m_pages.page()->exportTargets().empty())
    for (FigureView& view : pageViews(0)) offers.push_back({{}, std::move(view)});
  for (const PageWidget* page : m_pages.behind()) {
    const auto targets = page->exportTargets();
    if (targets.empty()) continue;
    for (FigureView& view :
         figureViews(targets, 0, m_workbench.page(page->info().id), m_workbench.session().subject.tokens))
      offers.push_back({text(page->info().title), std::move(view)});
  }
  return offers;
}

void PageExport::keepCurves(const FigureView& view) {
  const CurveRecipe* curves = view.panel.method->curves();
  const bool isKnown = view.panel.made.curves || view.panel.made.coming;
  if (!curves || !isKnown || (!curves->clocked && curves->origin != CurveOrigin::measured)) return;
  std::erase_if(m_measured, [&](const FigureView& kept) {
    return kept.panel.method == view.panel.method && kept.panel.values == view.panel.values;
  });
  m_measured.push_back(view);
}

void PageExport::pin(const std::vector<FigureView>& views) {
  auto pins = m_workbench.session().pins;
  const auto extent = m_pages.page()->extent();
  for (FigureView view : views) {
    keepCurves(view);
    if (view.visible) view.part = FigurePart::visible;
    if (view.visible && extent && view.panel.method->field()) view.visible = view_of(cellsIn(*view.visible, *extent));
    PinnedView next = pinOf(view);
    if (std::ranges::count(pins, next) == 0) pins.push_back(std::move(next));
  }
  const qsizetype before = static_cast<qsizetype>(m_workbench.session().pins.size());
  const qsizetype count = static_cast<qsizetype>(pins.size());
  if (count == before) return emit notified(tr("This view is pinned already; Ctrl+E shows it"), false);
  keepPins(tr("Pin a view for a figure"), std::move(pins));
  if (m_workbench.session().pins.size() == static_cast<std::size_t>(count))
    emit notified(tr("Pinned for a figure of %1; Ctrl+E shows it").arg(counted(count, tr("panel"), tr("panels"))),
                  false);
}

void PageExport::pinTarget(const ExportTarget& target) {
  if (m_pages.refuses() || m_pages.page()->exportTargets().empty()) return;
  auto views = pageViews(indexOf(target));
  const bool isDifference = m_workbench.current().compare == CompareMode::difference;
  std::erase_if(views, [&](const FigureView& view) {
    const bool minus = subtrahend(*view.panel.method, view.panel.look).has_value();
    return view.panel.method != target.method || view.panel.values != target.values ||
           (view.panel.method->field() && minus != isDifference);
  });
  pin(views);
}

void PageExport::pinPage() {
  if (m_pages.refuses()) return;
  if (m_pages.page()->exportTargets().empty()) return emit notified(tr("This page has no view to pin"), true);
  auto views = pageViews(0);
  std::erase_if(views, [](const FigureView& view) { return !view.isChosen; });
  pin(views);
}

std::optional<ExportTarget> PageExport::mainTarget() {
  const auto targets = m_pages.page()->exportTargets();
  if (!targets.empty()) return targets.front();
  emit notified(tr("This page has no numbers to export"), true);
  return std::nullopt;
}

/// The survey is a table of words: CSV, or JSON by the name of the file.
void PageExport::exportSurvey() {
  const QString path = QFileDialog::getSaveFileName(
      m_window, tr("Export the survey"), QDir(m_choices.folder).filePath("survey.csv"), tr("Tables (*.csv *.json)"));
  if (path.isEmpty()) return;
  const bool json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
  const auto written = write_whole_file(bytesOf(path), json ? survey_json() : survey_csv());
  emit notified(written ? tr("Wrote %1").arg(path) : text(written.error().message), !written);
}

void PageExport::exportPage() {
  if (m_workbench.session().pins.empty()) {
    if (m_pages.page()->info().id == "survey") return exportSurvey();
    if (const auto target = mainTarget()) exportTarget(*target);
    return;
  }
  if (m_pages.refuses()) return;
  auto views = pinnedViews(true);
  if (!m_pages.page()->exportTargets().empty())
    for (FigureView& view : pageViews(0)) {
      if (!std::exchange(view.isChosen, false)) continue;
      const auto isSame = [pin = pinOf(view)](const FigureView& pinned) {
        const PinnedView other = pinOf(pinned);
        return other.method == pin.method && other.values == pin.values && other.minus == pin.minus;
      };
      if (std::ranges::none_of(views, isSame)) views.push_back(std::move(view));
    }
  edit(std::move(views));
}

void PageExport::exportBlockLists() {
  if (m_pages.refuses()) return;
  if (!m_workbench.current().values.find("mask_text"))
    return emit notified(tr("This page has no mask: turn to Masks"), true);
  const QString path = chooseSavePath(m_window, tr("Block lists"), QDir(m_choices.folder).filePath("blocks.npz"),
                                      tr("Arrays (*.npz *.safetensors)"), QStringLiteral("npz"));
  if (!path.isEmpty()) writeBlockListsTo(path);
}

void PageExport::writeBlockListsTo(const QString& path) {
  const auto written = writeBlockLists(m_workbench.current(), path, m_window);
  if (!written && written.error().code == Errc::cancelled) return;
  if (!written) return emit notified(text(written.error().message), true);
  m_choices.folder = QFileInfo(path).absolutePath();
  emit notified(wroteSentence({path}), false);
}

/// Both sides of a comparison that stand beside each other.
void PageExport::printPage() {
  if (m_pages.refuses() || !mainTarget()) return;
  std::vector<FigurePanel> panels;
  for (const FigureView& view : pageViews(0))
    if (view.isChosen) panels.push_back(view.panel);
  QPrinter printer(QPrinter::HighResolution);
  printer.setPageOrientation(QPageLayout::Landscape);
  printer.setDocName(m_window->windowTitle().remove(QStringLiteral("[*]")));
  QPrintDialog dialog(&printer, m_window);
  if (dialog.exec() != QDialog::Accepted) return;
  const auto printed = printFigure(panels, printer, m_window);
  if (!printed && printed.error().code == Errc::cancelled) return;
  emit notified(printed ? tr("Printed %1").arg(text(panels.front().method->title)) : text(printed.error().message),
                !printed);
}

void PageExport::copyCommandLine() {
  if (m_pages.refuses()) return;
  const auto target = mainTarget();
  if (!target) return;
  const ShownPage& look = m_workbench.current();
  const std::string& id = target->method->id;
  const MaskSource* source = m_pages.panel()->maskSource();
  const bool isFile = source && look.compare == CompareMode::none;
  const auto beside = isFile ? source->overview().beside({target->values, {}}) : std::nullopt;
  const std::string file = beside ? batch_arguments(source->overview().choice, false) : std::string();
  const ParameterValues& values = beside ? beside->values : target->values;
  std::string line = "vqscope export " + view_arguments(*target->method, values, look, m_pages.page()->extent(), file) +
                     token_arguments(*target->method, target->values, m_workbench.session().subject.tokens);
  line += " --out " + id + ".png";
  if (line.size() > longestCommandLine)
    return emit notified(
        tr("The command for this view would be %1 characters long. Save the session and pass it with --session")
            .arg(line.size()),
        true);
  QApplication::clipboard()->setText(text(line));
  emit notified(tr("Copied: %1").arg(text(shortened(line, 200))), false);
}

}  // namespace vqscope
