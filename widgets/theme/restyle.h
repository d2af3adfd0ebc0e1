// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

class QApplication;

namespace vqscope {

/// Sets colours and style sheet of the application. Visible widgets take them at once, hidden ones when they are shown,
/// so that hidden pages do not slow down the change.
void restyle(QApplication& app, const QPalette& colours, const QString& sheet);

}  // namespace vqscope
