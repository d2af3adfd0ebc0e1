// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/mask_file.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::array values_names{"boolean", "integers", "zero_one", "additive", "no_tensor"};
constexpr std::array polarity_names{"visible_true", "masked_true"};
constexpr std::array decided_names{"stated", "guessed", "unknown"};

TensorValues values_of(const ImportedReading& reading) {
  if (reading.cells == ImportedCells::text || reading.cells == ImportedCells::grey) return TensorValues::no_tensor;
  switch (reading.kind) {
    case ImportedKind::boolean: return TensorValues::boolean;
    case ImportedKind::zero_one: return TensorValues::integers;
    case ImportedKind::zero_one_float: return TensorValues::zero_one;
    default: return TensorValues::additive;
  }
}

template <class Value, std::size_t count>
std::optional<Value> value_named(const std::array<const char*, count>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Value>(found - names.begin()));
}

std::string name_in(std::span<const char* const> names, int value) { return names[static_cast<std::size_t>(value)]; }

/// A field of the text must not end it.
std::string as_field(std::string text) {
  std::ranges::replace(text, ';', ',');
  return text;
}

std::string kind_text(TensorValues values) {
  switch (values) {
    case TensorValues::boolean: return "is boolean";
    case TensorValues::integers: return "has integers 0 and 1";
    case TensorValues::zero_one: return "has floats 0 and 1";
    case TensorValues::additive: return "is additive";
    case TensorValues::no_tensor: break;
  }
  return "is not a tensor";
}

}  // namespace

MaskFile mask_file(const ImportedReading& reading, std::string source) {
  return {values_of(reading), reading.polarity, reading.decided, reading.evidence, std::move(source)};
}

std::string tensor_values_name(TensorValues values) { return name_in(values_names, static_cast<int>(values)); }

std::string mask_file_text(const MaskFile& file) {
  const std::string masks = file.masks == 1 ? std::string() : fmt::format(" of {}", file.masks);
  return fmt::format(
      "{} {} {}{}; {}; {}", tensor_values_name(file.values), name_in(polarity_names, static_cast<int>(file.polarity)),
      name_in(decided_names, static_cast<int>(file.decided)), masks, as_field(file.evidence), as_field(file.source));
}

std::optional<MaskFile> parse_mask_file(std::string_view text) {
  const auto fields = split(text, ';');
  if (fields.size() != 3) return {};
  const auto words = split(trimmed(fields[0]), ' ');
  const bool has_count = words.size() == 5 && words[3] == "of";
  if (words.size() != 3 && !has_count) return {};
  const auto values = value_named<TensorValues>(values_names, words[0]);
  const auto polarity = value_named<ImportedPolarity>(polarity_names, words[1]);
  const auto decided = value_named<PolaritySource>(decided_names, words[2]);
  const auto masks = has_count ? parse_index(words[4]) : std::optional<Index>(1);
  if (!values || !polarity || !decided || !masks || *masks < 1) return {};
  return MaskFile{*values, *polarity, *decided, std::string(trimmed(fields[1])), std::string(trimmed(fields[2])),
                  *masks};
}

std::string polarity_reason(const MaskFile& file) {
  switch (file.decided) {
    case PolaritySource::stated: return "stated";
    case PolaritySource::guessed: return "guessed: " + file.evidence;
    case PolaritySource::unknown: break;
  }
  return "assumed: the cells do not tell";
}

std::string mask_file_sentence(const MaskFile& file) {
  const std::string head = (file.source.empty() ? "the file" : file.source) + " " + kind_text(file.values);
  if (!file.has_polarity()) return head;
  return fmt::format("{}; {} is {} ({})", head, file.values == TensorValues::boolean ? "True" : "1",
                     file.polarity == ImportedPolarity::visible_true ? "visible" : "masked", polarity_reason(file));
}

}  // namespace vqscope
