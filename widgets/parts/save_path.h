// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace vqscope {

/// Shows a dialog for a path to save to; empty: cancelled. The suffix is added before the dialog
/// asks whether to replace a file of that name.
QString chooseSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                       const QString& suffix);

}  // namespace vqscope
