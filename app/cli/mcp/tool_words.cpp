// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/tool_words.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/whole_file.h"
#include "core/mask/preset/presets.h"

#include <algorithm>

namespace vqscope {
namespace {

/// A value of --set: numbers and truth values as JSON has them, lists as [[1,2],[3]] or 1,2,3. Nothing: an object or
/// null.
std::optional<std::string> valueText(const ConfigValue& value, bool isOutermost = true) {
  if (const std::string* text = value.text()) return isOutermost ? std::optional(*text) : std::nullopt;
  if (const bool* truth = value.boolean()) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<Index>(&value.data)) return to_text(*whole);
  if (const auto* real = std::get_if<double>(&value.data)) return to_text(*real);
  const ConfigValue::List* list = value.list();
  if (!list) return std::nullopt;
  std::vector<std::string> items;
  bool isNested = false;
  for (const ConfigValue& item : *list) {
    const auto text = valueText(item, isOutermost && item.text() != nullptr);
    if (!text) return std::nullopt;
    isNested = isNested || item.list();
    items.push_back(*text);
  }
  const std::string all = join(items, ",");
  return isNested || !isOutermost ? "[" + all + "]" : all;
}

/// Whether this is Python and not a name: what a caller that does not know of mask_text gives as the mask.
bool isPython(std::string_view mask) {
  return mask.find('\n') != std::string_view::npos || mask.starts_with("lambda ") || mask.starts_with("return ");
}

}  // namespace

void ToolWords::refuse(std::string_view name, std::string_view expected) {
  if (!m_error) m_error = invalid("{} must be {}", name, expected);
}

ToolWords& ToolWords::plain(std::string_view name) {
  const ConfigValue* value = m_arguments.find(name);
  if (!value) return *this;
  const auto text = valueText(*value);
  if (!text || text->empty() || text->starts_with('-'))
    refuse(name, "a path or a name that does not begin with a dash");
  else
    m_words.push_back(*text);
  return *this;
}

ToolWords& ToolWords::option(std::string_view name, const std::string& option) {
  const ConfigValue* value = m_arguments.find(name);
  if (!value) return *this;
  const auto text = valueText(*value);
  if (!text || *text == "-")
    refuse(name, "a text, a number or a list; there is no standard input");
  else
    m_words.push_back(option + "=" + *text);
  return *this;
}

ToolWords& ToolWords::settings(std::string_view name, const std::string& option, const std::string& array) {
  const ConfigValue* value = m_arguments.find(name);
  if (!value) return *this;
  if (!value->object()) {
    refuse(name, "an object of names and values");
    return *this;
  }
  for (const ConfigValue& member : value->object()->members) {
    const auto text = valueText(member);
    const ConfigValue::List* list = member.list();
    const bool isArray = list && !list->empty() && !list->front().text();
    if (!text)
      refuse(fmt::format("{}.{}", name, shortened(member.key)), "a text, a number, a truth value or a list of them");
    else
      m_words.push_back((isArray ? array : option) + "=" + member.key + "=" + *text);
  }
  return *this;
}

ToolWords& ToolWords::textFile(std::string_view name, const std::string& option) {
  const ConfigValue* value = m_arguments.find(name);
  if (!value) return *this;
  if (!value->text()) {
    refuse(name, "a text");
    return *this;
  }
  const std::string path = m_folder + "/" + std::string(name) + ".py";
  const auto written = write_whole_file(path, *value->text());
  if (!written && !m_error) m_error = written.error();
  m_words.push_back(option + "=" + path);
  return *this;
}

ToolWords& ToolWords::mask() {
  if (m_arguments.find("mask") && m_arguments.find("mask_text")) refuse("mask", "a file, or mask_text be given");
  const ConfigValue* mask = m_arguments.find("mask");
  const std::string* name = mask ? mask->text() : nullptr;
  if (name && isPython(*name)) refuse("mask", "a file or a preset; Python is given as mask_text");
  const bool isPreset = name && std::ranges::count(mask_presets(), *name, &MaskPreset::id) > 0 && !open_file(*name);
  return option("mask", isPreset ? "--set=mask" : "--mask")
      .textFile("mask_text", "--mask")
      .settings("set", "--set", "--array")
      .option("batch", "--batch")
      .option("head", "--head")
      .option("polarity", "--polarity");
}

}  // namespace vqscope
