// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/pdf_time.h"

#include <QByteArrayView>

namespace vqscope {
namespace {

constexpr qsizetype offsetDigits = 10;
constexpr qsizetype entrySize = 20;  // of the table: "0000000015 00000 n \n"

/// Moves the offset at `at`, of `size` digits, if it leads behind `place`. `width`: least number of
/// digits. Returns whether there is an offset.
bool moveOffset(QByteArray& pdf, qsizetype at, qsizetype size, qsizetype width, qsizetype place, qsizetype by) {
  bool isNumber = false;
  const qsizetype offset = QByteArrayView(pdf).sliced(at, size).toLongLong(&isNumber);
  if (!isNumber) return false;
  if (offset > place) pdf.replace(at, size, QByteArray::number(offset + by).rightJustified(width, '0'));
  return true;
}

/// Corrects the table of offsets and its own place after the bytes behind `place` have moved.
void moveOffsets(QByteArray& pdf, qsizetype place, qsizetype by) {
  const qsizetype table = pdf.lastIndexOf("\nxref\n");
  const qsizetype trailer = pdf.indexOf("trailer", table);
  const QByteArray word("\nstartxref\n");
  const qsizetype start = pdf.lastIndexOf(word);
  if (table < 0 || trailer < 0 || start < 0) return;
  qsizetype entry = pdf.indexOf('\n', table + 6) + 1;  // behind the line with the number of entries
  for (; entry > 0 && entry + entrySize <= trailer; entry += entrySize)
    if (!moveOffset(pdf, entry, offsetDigits, offsetDigits, place, by)) return;
  const qsizetype begin = start + word.size();
  // Qt ends the number with a blank.
  qsizetype end = begin;
  while (end < pdf.size() && pdf[end] >= '0' && pdf[end] <= '9') ++end;
  if (end > begin) moveOffset(pdf, begin, end - begin, 1, place, by);
}

}  // namespace

QByteArray withoutTime(QByteArray pdf) {
  const QByteArray key("/CreationDate (D:");
  const QByteArray constant("20000101000000Z");
  const qsizetype begin = pdf.indexOf(key) + key.size();
  const qsizetype end = pdf.indexOf(')', begin);
  if (begin < key.size() || end < begin) return pdf;
  const qsizetype longer = constant.size() - (end - begin);
  pdf.replace(begin, end - begin, constant);
  if (longer != 0) moveOffsets(pdf, begin, longer);
  return pdf;
}

}  // namespace vqscope
