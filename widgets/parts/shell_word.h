// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Quotes a text as one word of a POSIX shell, if it needs quotes.
QString shellWord(const QString& text);

}  // namespace vqscope
