// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <string>

namespace vqscope {

/// A file's name is bytes, and not every name is UTF-8. Bytes that are none become lone surrogates U+DC80 to U+DCFF, as
/// Python has them, so that the name survives as a QString; QFile and QFileInfo do not know such names.
QString textOfBytes(QByteArrayView bytes);

/// The bytes again. Of a text without lone surrogates this is UTF-8.
std::string bytesOf(const QString& text);

/// For sentences: a given text, shortened; a path may be longer.
std::string shownText(const QString& text);
std::string shownPath(const QString& path);

}  // namespace vqscope
