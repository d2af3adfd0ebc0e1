// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/sample_values.h"

#include "core/base/sentence.h"
#include "core/lint/lint_case.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/method/free_name.h"
#include "core/method/method_list.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {
namespace {

Result<void> check_place(const char* what, Index given, Index count) {
  if (given >= 0 && given < count) return {};
  if (count == 1) return invalid("{} {} is not in the batch, which has one {}", what, given, what);
  return invalid("{} {} is not in the batch, which has {} {}s", what, given, count, what);
}

void set_default(ParameterValues& values, const char* name) {
  values.set(name, find_spec(find_method(mask_methods(), "visibility")->parameters, name)->default_value);
}

/// Another sequence of this length; a preset, if the mask is the cells of another file.
void set_length(ParameterValues& values, Index length) {
  if (has_imported_mask(values)) set_default(values, "mask");
  values = with_sequence(values, {length, length});
  // T of the form is that of the keys too.
  if (!chosen_preset(values).is_cross()) set_default(values, "kv_length");
}

/// Padding and documents of another sequence do not stay beside those of the batch.
void set_sequence(ParameterValues& values, const SampleBatch& batch, const SampleSequence& sequence) {
  const Index length = batch.q_length.value_or(values.integer("q_length"));
  const bool gives_way = length != values.integer("q_length") || (sequence.padding && has_imported_mask(values));
  if (!batch.has_cells() && gives_way) set_length(values, length);
  if (!sequence.padding) return;
  values.set("padding", sequence.padding->padding);
  values.set("padding_side", std::string(sequence.padding->side == PaddingSide::left ? "left" : "right"));
  values.set("document_lengths", sequence.document_lengths.value_or(std::vector<Index>()));
}

/// The prefix belongs to the mask if it has one, else to the expected mask.
void set_prefix(SampleValues& all, Index prefix) {
  const std::string free = free_name_key(std::string(prefix_name));
  const bool is_free = all.values.choice("mask") == text_mask_id && all.values.find(free);
  if (is_free)
    all.values.set(free, prefix);
  else if (chosen_preset(all.values).has("prefix"))
    all.values.set(std::string(prefix_name), prefix);
  else
    all.stated.set(std::string(prefix_name), prefix);
}

/// The names of the mask's values that depend on the sample.
std::vector<std::string> names_of_sample(const SampleBatch& batch) {
  std::vector<std::string> names;
  if (batch.has_cells()) names = {"mask_rows", "mask_inverted", "mask_values", "mask_file"};
  if (!batch.padding.empty() || !batch.documents.empty())
    names.insert(names.end(), {"padding", "padding_side", "document_lengths"});
  if (!batch.prefixes.empty())
    names.insert(names.end(), {std::string(prefix_name), free_name_key(std::string(prefix_name))});
  return names;
}

ParameterValues without_names(const ParameterValues& values, const std::vector<std::string>& names) {
  ParameterValues left;
  for (const auto& [name, value] : values.map())
    if (std::ranges::count(names, name) == 0) left.set(name, value);
  return left;
}

}  // namespace

Result<SampleValues> with_sample(const SampleValues& before, const SampleBatch& batch, Index sample, Index head) {
  if (auto fits = check_place("sample", sample, batch.samples); !fits) return fits.error();
  if (auto fits = check_place("head", head, batch.heads); !fits) return fits.error();
  const SampleSequence sequence = batch.sequence_of(sample);
  if (sequence.is_padding) return invalid("sample {} is padding alone", sample);
  SampleValues all = before;
  if (const auto mask = batch.mask_of(sample, head)) {
    auto imported = with_import(all.values, *mask);
    if (!imported) return imported.error();
    all.values = std::move(*imported);
  }
  set_sequence(all.values, batch, sequence);
  if (const auto prefix = batch.prefix_of(sample)) set_prefix(all, *prefix);
  for (const NamedSampleArray& each : batch.arrays) {
    const auto row = each.array.row(sample);
    all.stated.set(each.name, std::vector<Index>(row.begin(), row.end()));
  }
  return all;
}

SampleValues without_batch(const SampleValues& values, const SampleBatch& batch) {
  SampleValues left = values;
  if (!batch.padding.empty() || !batch.documents.empty())
    for (const char* name : {"padding", "padding_side", "document_lengths"}) set_default(left.values, name);
  if (!batch.prefixes.empty()) set_default(left.values, "prefix_length");
  if (left.stated.map().empty()) return left;
  const auto specs = lint_parameters();
  if (!batch.prefixes.empty()) left.stated.set("prefix_length", find_spec(specs, "prefix_length")->default_value);
  for (const NamedSampleArray& each : batch.arrays) left.stated.set(each.name, std::vector<Index>());
  return left;
}

bool have_same_sample(const ParameterValues& a, const ParameterValues& b, const SampleBatch& batch) {
  std::vector<std::string> names = names_of_sample(batch);
  names.insert(names.end(), {"q_length"});
  if (batch.has_cells()) names.emplace_back("mask");
  return std::ranges::all_of(names, [&](const std::string& name) {
    const auto *x = a.find(name), *y = b.find(name);
    return x && y ? *x == *y : x == y;
  });
}

SampleValues without_sample(const SampleValues& values, const SampleBatch& batch) {
  std::vector<std::string> arrays;
  for (const NamedSampleArray& each : batch.arrays) arrays.push_back(each.name);
  if (!batch.prefixes.empty()) arrays.emplace_back(prefix_name);
  return {without_names(values.values, names_of_sample(batch)), without_names(values.stated, arrays)};
}

SampleValues beside_batch(const SampleValues& values, const SampleBatch& batch) {
  SampleValues beside = without_sample(values, batch);
  std::vector<std::string> names{"q_length", "kv_length"};
  if (batch.has_cells()) names.emplace_back("mask");
  beside.values = without_names(beside.values, names);
  return beside;
}

}  // namespace vqscope
