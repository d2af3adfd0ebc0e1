// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace vqscope {

/// Asks where to save; empty: nowhere. A name without the suffix gets it before the dialog asks whether a file of that
/// name may be replaced.
QString askSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                    const QString& suffix);

}  // namespace vqscope
