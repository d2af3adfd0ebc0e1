// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_report.h"

#include "app/process/report_date.h"
#include "app/window/page_stack.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"
#include "widgets/dialog/export_run.h"
#include "widgets/export/figure.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

ReportFormat formatOf(const QString& path) {
  const std::string suffix = file_suffix(bytesOf(path));
  return suffix == "md" || suffix == "markdown" ? ReportFormat::markdown : ReportFormat::html;
}

}  // namespace

void PageReport::setCell(const Cell& cell) {
  m_cell = cell;
  m_method = m_pages.page()->mainMethod();
}

void PageReport::writePage() {
  if (m_pages.refuses()) return;
  const PageWidget& page = *m_pages.page();
  if (page.exportTargets().empty() && page.info().id != "survey")
    return emit notified(tr("This page has nothing to report: turn to a picture, a model or the survey"), true);
  const QString path = chooseSavePath(m_window, tr("Report"), QDir(m_folder).filePath(QStringLiteral("report.html")),
                                      tr("Web pages (*.html);;Markdown (*.md)"), QStringLiteral("html"));
  if (!path.isEmpty()) write(path);
}

/// A page of blocks has other cells than its mask, of which the picked one is.
ReportRequest PageReport::request(const QString& path) const {
  const PageWidget& page = *m_pages.page();
  ReportRequest request{.session = m_workbench.session(),
                        .figures = qtFigureMaker(),
                        .file = std::string(file_name(bytesOf(path))),
                        .program = "VQScope " VQSCOPE_VERSION ", " + reportDate(),
                        .curves = nullptr};
  const auto extent = page.extent();
  const bool isOfPage = m_cell && m_method == page.mainMethod() && !page.blocks();
  if (isOfPage && extent && isIn(*m_cell, *extent)) {
    request.row = m_cell->row;
    request.col = m_cell->col;
  }
  const auto targets = page.exportTargets();
  const auto main = std::ranges::find(targets, page.mainMethod(), &ExportTarget::method);
  if (main != targets.end()) request.curves = main->curves;
  return request;
}

void PageReport::write(const QString& path) {
  if (m_pages.refuses()) return;
  ExportRun run(path, m_window);
  ReportRequest request = this->request(path);
  request.offload = run.offload();
  const auto document =
      make_report(request, {.progress = [&run](double fraction) { run.setFraction(fraction); }, .stop = run.token()});
  if (!document) {
    if (document.error().code != Errc::cancelled) emit notified(text(document.error().message), true);
    return;
  }
  const auto files = report_files(*document, formatOf(path), bytesOf(path));
  if (const auto written = write_report(files); !written) return emit notified(text(written.error().message), true);
  m_folder = QFileInfo(path).absolutePath();
  std::size_t bytes = 0;
  for (const auto& file : files) bytes += file.bytes.size();
  QString what = tr("Wrote %1, %2").arg(path, text(byte_count(static_cast<double>(bytes))));
  if (files.size() > 1)
    what += tr(", with %1 beside it").arg(counted(std::ssize(files) - 1, tr("picture"), tr("pictures")));
  emit notified(what, false);
}

}  // namespace vqscope
