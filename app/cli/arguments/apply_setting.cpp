// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/apply_setting.h"

#include "app/cli/arguments/token_arguments.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/preset/mask_import.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <filesystem>

namespace vqscope {
namespace {

/// Forms show labels, so users may type a label: T for q_length.
std::string nameHint(std::span<const ParameterSpec> specs, const std::string& given) {
  std::vector<std::string> names;
  for (const auto& spec : specs) {
    if (spec.label == given) return "; did you mean " + spec.name + "?";
    const std::string_view free = free_name_of(spec.name);
    names.emplace_back(free.empty() ? std::string_view(spec.name) : free);
  }
  return did_you_mean(given, names);
}

/// A list has no slash, and no letters after a full stop.
bool looksLikeFile(const std::string& text) {
  const std::string suffix = file_suffix(text);
  return text.find('/') != std::string::npos || (!suffix.empty() && suffix[0] >= 'a' && suffix[0] <= 'z');
}

/// data=PATH of a method with a `text_file`.
bool isTextPath(const ParameterSpec& spec, std::span<const ParameterSpec> specs, const Setting& setting) {
  std::error_code failed;
  return spec.name == "data" && find_spec(specs, "text_file") && !setting.array &&
         std::ranges::count(spec.choices, setting.value, &Choice::id) == 0 &&
         (setting.value.find_first_of("./") != std::string::npos || std::filesystem::exists(setting.value, failed));
}

/// For --array name=FILE or name=FILE:NAME, the contents of the file.
Result<void> setParsed(const ParameterSpec& spec, const Setting& setting, ParameterValues& values) {
  if (setting.numbers) {
    values.set(spec.name, *setting.numbers);
    return {};
  }
  auto value = parse_value(spec, setting.value);
  if (!value && setting.array) {
    const auto name = parse_tensor_name(setting.value);
    if (name) return read_array_file(spec, setting.value, values);
    if (looksLikeFile(setting.value)) return invalid(setting.name + ": " + name.error().message);
  }
  if (!value) return value.error();
  values.set(spec.name, std::move(*value));
  return {};
}

}  // namespace

Result<void> applySetting(const Setting& setting, std::span<const ParameterSpec> specs, const std::string& owner,
                          ParameterValues& values) {
  const auto* spec = find_meant(specs, setting.name, owner);
  // A separate parameter sets a name to None.
  const std::string_view name = free_name_of(spec ? spec->name : std::string_view(setting.name));
  const auto* none = setting.value == "None" ? find_spec(specs, none_key(name.empty() ? setting.name : name)) : nullptr;
  if (none) {
    values.set(none->name, true);
    return {};
  }
  // A text of one mask leaves nothing to choose.
  if (!spec && setting.name == "mask_function" && has_mask_text(values)) return check_mask_name(values, setting.value);
  if (!spec && isTokenIds(setting)) return {};
  if (!spec)
    return invalid("unknown parameter " + shortened(setting.name) + " of " + owner + nameHint(specs, setting.name));
  if (isTextPath(*spec, specs, setting)) {
    values.set("data", std::string("text"));
    values.set("text_file", setting.value);
    return {};
  }
  if (!setting.array || is_number_list(spec->kind)) return setParsed(*spec, setting, values);
  // A free name of a text becomes an array once it is set as an array.
  if (const auto free = free_name_of(spec->name); !free.empty())
    return setParsed(free_array_parameter(free), setting, values);
  return invalid(shortened(setting.name) + " is not an array; use --set");
}

}  // namespace vqscope
