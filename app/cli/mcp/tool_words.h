// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a tool as words of a command line.
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Collects the words of a command. The first error stays.
class ToolWords {
 public:
  /// `folder`: for the files of texts.
  ToolWords(const ConfigValue& arguments, std::string folder, std::vector<std::string> words)
      : m_arguments(arguments), m_folder(std::move(folder)), m_words(std::move(words)) {}

  ToolWords& word(std::string text) {
    m_words.push_back(std::move(text));
    return *this;
  }
  /// A plain word, which must not begin as an option; nothing where the argument is absent.
  ToolWords& plain(std::string_view name);
  /// OPTION=VALUE.
  ToolWords& option(std::string_view name, const std::string& option);
  /// OPTION=NAME=VALUE for each member of an object; lists of numbers are arrays.
  ToolWords& settings(std::string_view name, const std::string& option, const std::string& array);
  /// mask, mask_text, set, batch, head and polarity.
  ToolWords& mask();
  /// `text`: a mask as text, which is written to a file for OPTION.
  ToolWords& textFile(std::string_view name, const std::string& option);

  Result<std::vector<std::string>> take() { return m_error ? Result<std::vector<std::string>>(*m_error) : m_words; }

 private:
  void refuse(std::string_view name, std::string_view expected);

  const ConfigValue& m_arguments;
  std::string m_folder;
  std::vector<std::string> m_words;
  std::optional<Error> m_error;
};

}  // namespace vqscope
