// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <string>

namespace vqscope {

/// A file name consists of bytes, not always UTF-8. Invalid bytes become lone surrogates U+DC80 to U+DCFF, as in
/// Python, so that a QString preserves the name. QFile and QFileInfo do not support such names.
QString textOfBytes(QByteArrayView bytes);

/// Converts back to bytes; UTF-8 for a text without lone surrogates.
std::string bytesOf(const QString& text);

/// For sentences: a given text, shortened; a path may be longer.
std::string shownText(const QString& text);
std::string shownPath(const QString& path);

}  // namespace vqscope
