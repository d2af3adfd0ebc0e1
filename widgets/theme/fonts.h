// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace vqscope {

/// The desktop's font at the desktop's size.
QFont uiFont();

/// For numbers and code: one width for every digit, no ligatures, as large as uiFont().
QFont monospaceFont();

/// The same face, `factor` times as large.
QFont scaledFont(QFont font, double factor);

}  // namespace vqscope
