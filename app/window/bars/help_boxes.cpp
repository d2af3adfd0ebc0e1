// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/help_boxes.h"

#include "widgets/session/journal_file.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace vqscope {
namespace {

QString helpText(const char* sentence) { return QCoreApplication::translate("helpBoxes", sentence); }

}  // namespace

void showKeys(QWidget* window) {
  QMessageBox::information(
      window, helpText("Keys and mouse"),
      helpText(
          "<table cellpadding='3'>"
          "<tr><td>Ctrl+1 … 6</td><td>the rooms, in the order of their tabs</td></tr>"
          "<tr><td>F1</td><td>the guide, at the page of this room</td></tr>"
          "<tr><td>F6, Shift+F6</td><td>next and previous area: bars, parameters, page, inspector, rows</td></tr>"
          "<tr><td>Ctrl+L</td><td>survey of position encodings</td></tr>"
          "<tr><td>wheel, + −</td><td>zoom at the cursor</td></tr>"
          "<tr><td>Shift+wheel, Ctrl+wheel</td><td>zoom the y axis of curves; the wheel alone zooms x</td></tr>"
          "<tr><td>drag</td><td>pan; with Shift, zoom into a box; with Ctrl, measure</td></tr>"
          "<tr><td>Backspace</td><td>back to the previous range of a map</td></tr>"
          "<tr><td>right click, Shift+F10</td><td>what can be done with a map, curve, field or table</td></tr>"
          "<tr><td>click in a legend</td><td>highlight a term or label of a map; hide or show a curve</td></tr>"
          "<tr><td>double click, F</td><td>fit the whole matrix</td></tr>"
          "<tr><td>click</td><td>pick a cell; arrow keys move it by one, with Shift by ten</td></tr>"
          "<tr><td>Alt+Up, Alt+Down</td><td>previous and next row in the row debugger</td></tr>"
          "<tr><td>F7, F8, F9</td><td>next row without a visible key, next row that differs, next row that breaks a "
          "rule, in all samples and heads; with Shift the previous one</td></tr>"
          "<tr><td>Ctrl+M</td><td>the mask's text as an editor as high as the window</td></tr>"
          "<tr><td>Alt+PgUp, Alt+PgDown</td><td>previous and next sample of a batch; with Shift head</td></tr>"
          "<tr><td>G</td><td>go to a cell: query, key</td></tr>"
          "<tr><td>N</td><td>note on the cell under the mouse or the picked one</td></tr>"
          "<tr><td>D</td><td>go to the first cell in which masks A and B differ</td></tr>"
          "<tr><td>Ctrl+Z, Ctrl+Shift+Z</td><td>undo and redo any parameter change</td></tr>"
          "<tr><td>Ctrl+P</td><td>print the view</td></tr>"
          "<tr><td>Ctrl+E</td><td>export figures and numbers</td></tr>"
          "<tr><td>Ctrl+Shift+E</td><td>pin this view: a panel of the figure that Ctrl+E shows</td></tr>"
          "<tr><td>Ctrl+Shift+R</td><td>report: one file with picture, findings and rows, for people without the "
          "program</td></tr>"
          "<tr><td>Ctrl+Shift+C</td><td>copy the command that exports the current view</td></tr>"
          "<tr><td>Ctrl+Shift+P</td><td>search actions, views and files, or set a value: T 4096</td></tr></table>"));
}

void showRecoveryHelp(QWidget* window) {
  QMessageBox::information(
      window, helpText("Sessions and recovery"),
      helpText(
          "<p>Each undo step is written to a journal in %1. After a crash the next start offers that session: "
          "<b>Restore</b> opens it, <b>Discard</b> deletes it, and × hides the offer; <b>File &gt; Restore last "
          "session</b> still takes it.</p>"
          "<p>Closing the window keeps the session, saved or not, and the next start opens it.</p>"
          "<p>A session with an invalid value opens with the default in its place, and a message names the value. A "
          "last session that cannot be read is copied to a file ending in .damaged.</p>"
          "<p>A greyed result belongs to previous values: the new one is being computed, or an error in the form must "
          "be fixed first. Until then it cannot be exported.</p>")
          .arg(stateFolder().toHtmlEscaped()));
}

void showAbout(QWidget* window) {
  QMessageBox::about(window, helpText("About VQScope"),
                     helpText("<p><b>VQScope " VQSCOPE_VERSION
                              "</b></p><p>See how attention knows about position: T5 buckets, visibility masks, "
                              "RoPE angles and extrapolation curves, exact at any length.</p>"
                              "<p>Free software under the GNU General Public License, version 3 or later.</p>"));
}

}  // namespace vqscope
