// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

class QApplication;

namespace vqscope {

/// Gives the application these colours and this style sheet. What is on screen takes them at once; what is hidden is
/// styled when it is shown, so that a window of many pages answers as fast as one of the page that is shown.
void restyle(QApplication& app, const QPalette& colours, const QString& sheet);

}  // namespace vqscope
