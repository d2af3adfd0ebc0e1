// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/value_text.h"

#include "core/base/text.h"
#include "core/io/tensor/tensor_file.h"

#include <QRegularExpression>
#include <QStringList>

#include <cmath>

namespace vqscope {
namespace {

/// The largest integer below which a double represents all integers exactly.
constexpr double exact_limit = 9007199254740992.0;

std::string bare(QString text) {
  text.remove(' ').remove(QChar(0x202f)).remove(QChar(0x2009)).remove(QChar(0xa0)).remove('_');
  return text.replace("**", "^").toStdString();
}

/// Commas between groups of three only: "1,5" is a mistake, not fifteen.
std::optional<std::string> ungrouped(const std::string& text) {
  std::string digits;
  std::size_t run = 0;
  bool grouped = false;
  for (const char c : text) {
    if (c == ',') {
      if (run == 0 || run > 3 || (grouped && run != 3)) return {};
      grouped = true;
      run = 0;
    } else {
      digits += c;
      ++run;
    }
  }
  if (grouped && run != 3) return {};
  return digits;
}

std::optional<double> readNumber(const QString& typed) {
  const auto digits = ungrouped(bare(typed));
  return digits ? parse_amount(*digits) : std::nullopt;
}

std::optional<Index> readInteger(const QString& typed) {
  const auto digits = ungrouped(bare(typed));
  return digits ? parse_count(*digits) : std::nullopt;
}

/// Commas separate; where there is none, blanks do. Brackets around the list are those of a
/// programming language.
QStringList itemsOf(const QString& text) {
  QString list = text.trimmed();
  if (list.startsWith('[') && list.endsWith(']')) list = list.mid(1, list.size() - 2).trimmed();
  if (list.contains(',')) return list.split(',');
  static const QRegularExpression blanks(QStringLiteral("[ \\t\\r\\n]+"));
  return list.split(blanks, Qt::SkipEmptyParts);
}

template <class T>
std::optional<std::vector<T>> readList(const QString& text, std::optional<T> (*readItem)(const QString&)) {
  std::vector<T> items;
  for (const QString& part : itemsOf(text)) {
    const auto item = readItem(part);
    if (!item) return {};
    items.push_back(*item);
  }
  return items;
}

/// The error for an invalid text; states the valid values.
Error refusal(const ParameterSpec& spec, const QString& text) {
  const std::string given = shortened(text.toStdString());
  return invalid(spec.name + " is " + (given.empty() ? "empty" : given) + " but must be " + allowed(spec));
}

template <class T>
Result<ParameterValue> orRefused(std::optional<T> value, const ParameterSpec& spec, const QString& text) {
  if (!value) return refusal(spec, text);
  return ParameterValue(std::move(*value));
}

bool isText(const ParameterSpec& spec) {
  return spec.kind == ParameterKind::tensor || spec.kind == ParameterKind::text;
}

/// A tensor name for parse_tensor_name; empty: none.
Result<ParameterValue> readTensor(const QString& text) {
  const std::string name = text.trimmed().toStdString();
  if (name.empty()) return ParameterValue(name);
  const auto parsed = parse_tensor_name(name);
  return parsed ? Result<ParameterValue>(ParameterValue(name)) : parsed.error();
}

template <class T>
QString listText(const std::vector<T>& items) {
  if (static_cast<Index>(items.size()) > longest_shown_list)
    return QStringLiteral("%1 items").arg(QString::fromStdString(grouped(static_cast<Index>(items.size()))));
  return QString::fromStdString(format_value(items)).replace(",", ", ");
}

}  // namespace

Result<ParameterValue> readValue(const ParameterSpec& spec, const QString& text) {
  const bool number = spec.kind == ParameterKind::integer || spec.kind == ParameterKind::real;
  if (number && text.trimmed().isEmpty() && !spec.automatic.empty()) return asValue(spec, spec.minimum);
  switch (spec.kind) {
    case ParameterKind::integer: return orRefused(readInteger(text), spec, text);
    case ParameterKind::real: return orRefused(readNumber(text), spec, text);
    case ParameterKind::integer_list: return orRefused(readList<Index>(text, readInteger), spec, text);
    case ParameterKind::real_list: return orRefused(readList<double>(text, readNumber), spec, text);
    case ParameterKind::tensor: return readTensor(text);
    default: return parse_value(spec, text.toStdString());
  }
}

bool isAutomatic(const ParameterSpec& spec, const ParameterValue& value) {
  if (spec.automatic.empty() || isText(spec)) return false;
  if (const auto size = listSize(value)) return *size == 0;
  return asNumber(value) == spec.minimum;
}

QString plainText(const ParameterSpec& spec, const ParameterValue& value) {
  if (isAutomatic(spec, value)) return {};
  if (const auto* items = std::get_if<std::vector<Index>>(&value)) return listText(*items);
  if (const auto* items = std::get_if<std::vector<double>>(&value)) return listText(*items);
  return QString::fromStdString(format_value(value));
}

QString shownText(const ParameterSpec& spec, const ParameterValue& value) {
  const bool choice = spec.kind == ParameterKind::choice || spec.kind == ParameterKind::choice_set;
  if (choice || spec.kind == ParameterKind::boolean) return QString::fromStdString(format_value(value));
  if (isText(spec) || isAutomatic(spec, value) || listSize(value)) return plainText(spec, value);
  const double number = asNumber(value);
  if (std::floor(number) == number && std::abs(number) < exact_limit)
    return QString::fromStdString(grouped(static_cast<Index>(number)));
  return plainText(spec, value);
}

std::optional<Index> listSize(const ParameterValue& value) {
  if (const auto* items = std::get_if<std::vector<Index>>(&value)) return static_cast<Index>(items->size());
  if (const auto* items = std::get_if<std::vector<double>>(&value)) return static_cast<Index>(items->size());
  return {};
}

double asNumber(const ParameterValue& value) {
  if (const auto* integer = std::get_if<Index>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

ParameterValue asValue(const ParameterSpec& spec, double number) {
  if (spec.kind == ParameterKind::integer) return static_cast<Index>(number);
  return number;
}

}  // namespace vqscope
