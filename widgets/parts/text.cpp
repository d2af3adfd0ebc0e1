// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/text.h"

#include "core/base/text.h"
#include "core/io/bytes/path_text.h"

#include <QObject>
#include <QRegularExpression>

namespace vqscope {
namespace {

constexpr char16_t escapedByte = 0xdc00;

bool isEscapedByte(QChar c) { return c.unicode() >= 0xdc80 && c.unicode() <= 0xdcff; }

}  // namespace

QString groupedNumbers(const QString& given) {
  static const QRegularExpression number(QStringLiteral("(?<![\\w.])\\d{5,15}(?!\\w)"));
  QString grouped;
  qsizetype done = 0;
  for (auto match = number.globalMatch(given); match.hasNext();) {
    const auto found = match.next();
    grouped += given.mid(done, found.capturedStart() - done) + text(vqscope::grouped(found.captured().toLongLong()));
    done = found.capturedEnd();
  }
  return grouped + given.mid(done);
}

QString durationText(double seconds) {
  // From 99.5 on, two digits would be 1e+02.
  const auto [unit, size] = seconds < 99.5   ? std::pair(QObject::tr("s"), 1.0)
                            : seconds < 5940 ? std::pair(QObject::tr("min"), 60.0)
                                             : std::pair(QObject::tr("h"), 3600.0);
  return text(to_text(seconds / size, 2)) + " " + unit;
}

QString textOfBytes(QByteArrayView bytes) {
  QString text;
  std::string_view rest(bytes.data(), static_cast<std::size_t>(bytes.size()));
  for (std::size_t valid = 0; !rest.empty();) {
    while (const std::size_t more = utf8_sequence(rest.substr(valid))) valid += more;
    text += QString::fromUtf8(rest.data(), static_cast<qsizetype>(valid));
    rest.remove_prefix(valid);
    valid = 0;
    if (rest.empty()) break;
    text += QChar(static_cast<char16_t>(escapedByte + static_cast<unsigned char>(rest.front())));
    rest.remove_prefix(1);
  }
  return text;
}

std::string bytesOf(const QString& text) {
  std::string bytes;
  for (qsizetype begin = 0; begin < text.size();) {
    qsizetype end = begin;
    const auto escaped = [&](qsizetype at) {
      return isEscapedByte(text[at]) && (at == 0 || !text[at - 1].isHighSurrogate());
    };
    while (end < text.size() && !escaped(end)) ++end;
    bytes += QStringView(text).mid(begin, end - begin).toUtf8().toStdString();
    if (end < text.size()) bytes += static_cast<char>(text[end++].unicode() & 0xff);
    begin = end;
  }
  return bytes;
}

std::string shownText(const QString& text) { return shortened(bytesOf(text)); }
std::string shownPath(const QString& path) { return shown_path(bytesOf(path)); }

QString withoutFolder(QString sentence, const QString& path) {
  const QString folder = path.left(path.lastIndexOf(QLatin1Char('/')) + 1);
  return folder.size() > 1 ? sentence.replace(folder, QString()) : sentence;
}

}  // namespace vqscope
