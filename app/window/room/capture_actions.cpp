// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/capture_actions.h"

#include "app/cli/output/parity/parity_document.h"
#include "core/catalogue/registry.h"
#include "core/encoding/snippet/encoding_snippet.h"
#include "core/io/bytes/whole_file.h"
#include "core/report/document/html.h"
#include "widgets/capture/parity_dialog.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QTimer>

namespace vqscope {
namespace {

/// Shows frequencies, and has code that rotates.
const std::string ropeMethod = "rope_phase";

}  // namespace

void CaptureActions::show(const Capture& capture, std::optional<Index> layer) {
  if (m_dialog) m_dialog->close();
  auto* dialog = new CaptureDialog(std::make_shared<const Capture>(capture), layer, m_window);
  m_dialog = dialog;
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CaptureDialog::layerRequested, this, [this, dialog](const QStringList& files, qlonglong layer) {
    dialog->hide();
    emit layerRequested(files, layer);
  });
  connect(dialog, &CaptureDialog::comparisonRequested, this,
          [this, folder = textOfBytes(capture.path)] { chooseOther(folder); });
  connect(dialog, &CaptureDialog::positionsRequested, this, [this, dialog](const ParameterValues& values) {
    dialog->hide();
    emit viewRequested(text(ropeMethod), values);
  });
  connect(dialog, &CaptureDialog::codeRequested, this, &CaptureActions::copyCode);
  connect(dialog, &QDialog::finished, this, [this, dialog] {
    if (m_dialog != dialog) return;
    m_dialog = nullptr;
    emit hasCaptureChanged(false);
  });
  emit hasCaptureChanged(true);
  QTimer::singleShot(0, dialog, &QDialog::show);
}

void CaptureActions::compare(const Capture& a, const Capture& b) {
  auto* dialog = new ParityDialog(std::make_shared<const Capture>(a), std::make_shared<const Capture>(b), m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ParityDialog::reportRequested, this, &CaptureActions::writeReport);
  QTimer::singleShot(0, dialog, &QDialog::show);
}

QString CaptureActions::chooseFolder(const QString& title) {
  return QFileDialog::getExistingDirectory(m_window, title);
}

void CaptureActions::chooseOther(const QString& folder) {
  const QString first = folder.isEmpty() ? chooseFolder(tr("Choose the first capture, a folder")) : folder;
  if (first.isEmpty()) return;
  const QString second = chooseFolder(tr("Choose the capture to compare with, a folder"));
  if (!second.isEmpty()) emit comparisonRequested({first, second});
}

void CaptureActions::copyCode(const ParameterValues& rope) {
  const Method& method = *find_method(ropeMethod);
  const auto code = encoding_snippet(method, default_values(method.parameters, rope.map()), SnippetLibrary::torch);
  if (!code) return emit notified(text(code.error().message), true);
  QApplication::clipboard()->setText(text(*code));
  emit notified(tr("Copied Python that rotates as the capture does"), false);
}

void CaptureActions::writeReport(const Parity& parity, const Capture& a, const Capture& b) {
  const QString path = chooseSavePath(m_window, tr("Write a report"), QStringLiteral("parity.html"),
                                      tr("Web pages (*.html)"), QStringLiteral("html"));
  if (path.isEmpty()) return;
  const auto written = write_whole_file(bytesOf(path), html_of(parityDocument(parity, a, b)));
  emit notified(written ? tr("Wrote %1").arg(path) : text(written.error().message), !written);
}

void CaptureActions::showAgain() {
  if (!m_dialog) return;
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
}

}  // namespace vqscope
