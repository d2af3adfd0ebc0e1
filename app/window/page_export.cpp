// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_export.h"

#include "app/window/page_print.h"
#include "app/window/page_stack.h"
#include "core/base/text.h"
#include "core/catalogue/survey/survey_files.h"
#include "core/io/bytes/whole_file.h"
#include "core/session/command_arguments.h"
#include "widgets/figure/figure_export.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/parameter_panel.h"
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

namespace vqscope {
namespace {

constexpr std::size_t longestCommandLine = 65536;  // many systems allow 128 KiB for each argument

/// "Wrote a.png, 34 KiB" or "Wrote a.png and a.svg, 60 KiB".
QString wroteSentence(const QStringList& paths) {
  double bytes = 0;
  QStringList names;
  for (const QString& path : paths) {
    bytes += static_cast<double>(QFileInfo(path).size());
    names << (names.isEmpty() ? path : QFileInfo(path).fileName());
  }
  return PageExport::tr("Wrote %1, %2").arg(names.join(PageExport::tr(" and ")), text(byte_count(bytes)));
}

}  // namespace

void PageExport::exportTarget(const ExportTarget& target) {
  if (m_pages.refuses()) return;
  auto targets = m_pages.page()->exportTargets();
  if (targets.empty()) return;
  const auto same = std::ranges::find_if(
      targets, [&](const ExportTarget& each) { return each.method == target.method && each.values == target.values; });
  const auto index = static_cast<std::size_t>(same == targets.end() ? 0 : same - targets.begin());
  FigureEditor editor(viewsFor(targets, index), m_choices, m_window);
  editor.setPresets(m_workbench.session().figures);
  connect(&editor, &FigureEditor::presetsEdited, this,
          [&](const QString& title, const std::vector<FigurePreset>& presets) {
            const auto edited = m_workbench.editFigures(title, presets);
            if (!edited) QMessageBox::warning(&editor, tr("Presets"), text(edited.error().message));
            editor.setPresets(m_workbench.session().figures);
          });
  // After a failure, the editor stays open with its input.
  while (editor.exec() == QDialog::Accepted) {
    m_choices = editor.choices();
    const auto written = exportFigure(editor, m_window);
    if (!written) {
      QMessageBox::warning(m_window, tr("Export"), text(written.error().message));
      continue;
    }
    if (written->isEmpty()) return;
    m_choices.folder = QFileInfo(written->front()).absolutePath();
    return emit notified(wroteSentence(*written), false);
  }
}

/// Those of the page, then the main views of pages that were shown before.
std::vector<FigureView> PageExport::viewsFor(const std::vector<ExportTarget>& targets, std::size_t asked) const {
  const TokenTexts& tokens = m_workbench.session().subject.tokens;
  auto views = figureViews(targets, asked, m_workbench.current(), tokens);
  for (const PageWidget* page : m_pages.behind()) {
    const auto others = page->exportTargets();
    if (others.empty()) continue;
    for (FigureView& view : figureViews({others.front()}, 0, m_workbench.page(page->info().id), tokens)) {
      view.isChosen = false;
      view.name = text(page->info().title) + QStringLiteral(" · ") + view.name;
      views.push_back(std::move(view));
    }
  }
  return views;
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
  if (m_pages.page()->info().id == "survey") return exportSurvey();
  if (const auto target = mainTarget()) exportTarget(*target);
}

/// Both sides of a comparison that stand beside each other.
void PageExport::printPage() {
  if (m_pages.refuses() || !mainTarget()) return;
  std::vector<FigurePanel> panels;
  for (const FigureView& view :
       figureViews(m_pages.page()->exportTargets(), 0, m_workbench.current(), m_workbench.session().subject.tokens))
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
  std::string line = "vqscope export " + id;
  if (beside) line += batch_arguments(source->overview().choice, false);
  line += set_arguments(*target->method, beside ? beside->values : target->values);
  if (const auto minus = subtrahend(*target->method, look))
    line += minus_arguments(*target->method, target->values, *minus);
  line += look_arguments(*target->method, look, m_pages.page()->extent());
  const TokenTexts& tokens = m_workbench.session().subject.tokens;
  if (const TokenAxes axes = token_axes(*target->method, target->values); !tokens.empty() && (axes.rows || axes.cols))
    line += " --tokens " + shell_word(token_list(tokens));
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
