// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/option_table.h"
#include "core/io/bytes/path_text.h"

#include <filesystem>

namespace vqscope {
namespace {

/// An empty text means that this end of the range is left out; any other text must be a number.
bool readEnd(std::string_view text, std::optional<Index>& end) {
  end = parse_count(text);
  return end || trimmed(text).empty();
}

}  // namespace

Error refusedOption(std::string_view option, const std::string& given, std::string_view expected) {
  return invalid(std::string(option) + " is " + (given.empty() ? "empty" : shortened(given)) + " but must be " +
                 std::string(expected));
}

Result<Setting> parseSetting(std::string_view option, const std::string& text, bool array) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return refusedOption(option, text, array ? "name=1,2,3 or name=FILE" : "name=value");
  return Setting{text.substr(0, equals), text.substr(equals + 1), array};
}

Result<PartialRange> parsePartialRange(std::string_view option, const std::string& text) {
  const auto ends = split(text, ':');
  PartialRange read;
  if (ends.size() != 2 || !readEnd(ends[0], read.begin) || !readEnd(ends[1], read.end))
    return refusedOption(option, text, "a:b, for a to b - 1");
  if (read.begin.value_or(0) < 0 || read.end.value_or(0) < 0)
    return refusedOption(option, text, "a:b with a and b counted from 0");
  return read;
}

Result<void> readPolarity(ImportOptions& imported, const std::string& text) {
  if (text == "visible_true")
    imported.polarity = ImportedPolarity::visible_true;
  else if (text == "masked_true")
    imported.polarity = ImportedPolarity::masked_true;
  else
    return refusedOption("--polarity", text, "visible_true or masked_true");
  return {};
}

Result<void> readThreshold(ImportOptions& imported, const std::string& text) {
  imported.threshold = parse_real(text);
  return imported.threshold ? Result<void>() : refusedOption("--threshold", text, "a number");
}

Result<void> readArrayIndex(const char* option, std::optional<Index>& index, const std::string& text) {
  const auto number = parse_index(text);
  if (!number || *number < 0) return refusedOption(option, text, "a whole number from 0");
  index = *number;
  return {};
}

Result<void> addOutput(std::vector<std::string>& outputs, const std::string& path) {
  if (path.empty()) return refusedOption("--out", path, "a file");
  const auto absolute = [](const std::string& each) { return std::filesystem::absolute(each).lexically_normal(); };
  for (const auto& other : outputs)
    if (absolute(other) == absolute(path)) return invalid("--out names " + shown_path(path) + " twice");
  outputs.push_back(path);
  return {};
}

}  // namespace vqscope
