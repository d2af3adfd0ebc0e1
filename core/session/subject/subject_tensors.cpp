// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/subject_tensors.h"

#include "core/base/fingerprint.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_name.h"
#include "core/method/qkv/qkv_names.h"
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

/// Parameters that say where the vectors of a method come from.
constexpr std::array data_names{"data", "vectors"};
/// Parameters that name a tensor which is used wherever it is named.
constexpr std::array alone_names{"bias_tensor", "codebook_tensor"};

/// Bytes of a sample, and the most samples of a file: 1 MiB, whatever its size.
constexpr std::uint64_t sample_bytes = 1 << 14;
constexpr std::uint64_t most_samples = 64;

std::string text_of(const Subject& subject, std::string_view name) {
  const auto* value = subject.values.find(name);
  return value ? std::get<std::string>(*value) : std::string();
}

/// The first and the last bytes, and samples at equal distances between.
Result<std::string> checksum_of_samples(const ByteSource& file) {
  Fingerprint fingerprint;
  const std::uint64_t size = file.size(), length = std::min(size, sample_bytes);
  const std::uint64_t samples = size <= sample_bytes ? 1 : most_samples;
  std::string bytes(static_cast<std::size_t>(length), '\0');
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t offset = samples == 1 ? 0 : (size - length) / (samples - 1) * i;
    const bool is_last = samples > 1 && i + 1 == samples;
    if (auto read = file.read(is_last ? size - length : offset, bytes); !read) return read.error();
    fingerprint.add(bytes);
  }
  return fingerprint.text();
}

Result<TensorRecord> read_record(const std::string& tensor) {
  const auto name = parse_tensor_name(tensor);
  if (!name) return name.error();
  const auto file = open_file(name->file);
  if (!file) return file.error();
  auto checksum = checksum_of_samples(**file);
  if (!checksum) return checksum.error();
  return TensorRecord{static_cast<Index>((*file)->size()), std::move(*checksum),
                      is_of_attention_function(**file, name->file)};
}

/// Values of parameters that name tensors, without empty ones.
std::vector<std::string> used_tensors(const ParameterValues& values) {
  std::vector<std::string> names(alone_names.begin(), alone_names.end());
  if (shows_tensors(values)) names.insert(names.end(), tensor_names().begin(), tensor_names().end());
  std::vector<std::string> tensors;
  for (const std::string& name : names)
    if (const auto* value = values.find(name))
      if (const auto* tensor = std::get_if<std::string>(value); tensor && !tensor->empty()) tensors.push_back(*tensor);
  return tensors;
}

bool has_choice(const ParameterSpec& spec, std::string_view id) {
  return std::ranges::count(spec.choices, id, &Choice::id) > 0;
}

/// The RoPE of the model; of one with a rope_theta alone, the plain one.
std::optional<ParameterValue> value_of_rope(const ParameterSpec& spec, const Subject& subject) {
  if (const auto* set = subject.values.find(spec.name)) return *set;
  if (spec.name == "rope_type" && subject.values.find("rope_theta")) return std::string("default");
  return std::nullopt;
}

/// Whether the method rotates its queries and keys whatever its values are.
bool always_rotates(const Method& method) {
  const ParameterSpec* type = find_spec(method.parameters, "rope_type");
  return find_spec(method.parameters, "rope_theta") && !(type && has_choice(*type, "none"));
}

/// Whether a method that takes tensors has this value for where its vectors come from.
bool is_data_of_tensors(std::string_view name, const ParameterValue& value) {
  const auto* id = std::get_if<std::string>(&value);
  if (!id || (name != "data" && name != "vectors")) return false;
  return std::ranges::any_of(methods(), [&](const Method& method) {
    const ParameterSpec* spec = find_spec(method.parameters, name);
    return spec && has_choice(*spec, "tensors") && has_choice(*spec, *id);
  });
}

}  // namespace

std::span<const std::string> tensor_names() {
  static const std::array<std::string, 3> names{"q_tensor", "k_tensor", "v_tensor"};
  return names;
}

bool has_tensors(const Subject& subject) {
  return !text_of(subject, "q_tensor").empty() && !text_of(subject, "k_tensor").empty();
}

bool are_rotated_tensors(const Subject& subject) {
  return std::ranges::all_of(std::array{"q_tensor", "k_tensor"}, [&](const char* name) {
    const auto record = subject.tensors.find(name);
    return is_called_rotated(text_of(subject, name)) || (record != subject.tensors.end() && record->second.is_rotated);
  });
}

bool shows_tensors(const ParameterValues& values) {
  const auto* keys = values.find("k_tensor");
  if (!keys || std::get<std::string>(*keys).empty()) return false;
  return std::ranges::any_of(data_names, [&](const char* name) {
    const auto* value = values.find(name);
    return value && *value == ParameterValue(std::string("tensors"));
  });
}

std::vector<std::string> tensor_files(const ParameterValues& values) {
  std::vector<std::string> files;
  for (const std::string& tensor : used_tensors(values))
    if (const auto name = parse_tensor_name(tensor); name && std::ranges::count(files, name->file) == 0)
      files.push_back(name->file);
  return files;
}

Result<void> check_tensor_file(const ParameterValues& values, const std::string& file) {
  for (const std::string& tensor : used_tensors(values)) {
    const auto name = parse_tensor_name(tensor);
    if (!name || name->file != file) continue;
    if (const auto stored = open_tensor(tensor); !stored) return stored.error();
  }
  return {};
}

std::optional<ParameterValue> value_of_tensors(const Method& method, const ParameterSpec& spec,
                                               const Subject& subject) {
  if (!has_tensors(subject) || !find_spec(method.parameters, "k_tensor")) return std::nullopt;
  const bool are_rotated = are_rotated_tensors(subject);
  if (are_rotated && always_rotates(method)) return std::nullopt;
  if ((spec.name == "data" || spec.name == "vectors") && has_choice(spec, "tensors")) return std::string("tensors");
  if (spec.name == "rope_type" || spec.name == "rope_theta" ||
      std::ranges::count(spec.relevant, "rope_type", &Relevance::name) > 0)
    return are_rotated ? std::nullopt : value_of_rope(spec, subject);
  if (spec.name == "num_heads")
    if (const auto* heads = subject.values.find("num_heads")) return *heads;
  const auto* set = subject.values.find("q_length");
  if (!set) return std::nullopt;
  return value_for_tensors(method.parameters, spec, std::get<Index>(*set));
}

Subject with_tensors(Subject subject, const ParameterValues& values) {
  ParameterValues kept;
  for (const auto& [name, value] : subject.values.map()) {
    const SubjectParameter* known = find_subject_parameter(name);
    const bool is_former = (known && known->part == SubjectPart::tensors) || name == "kv_length" || name == "past_len";
    if (!is_former) kept.set(name, value);
  }
  for (const auto& [name, value] : values.map()) kept.set(name, value);
  subject.values = std::move(kept);
  subject.tensors.clear();
  for (const auto& name : tensor_names())
    if (auto record = record_of(text_of(subject, name))) subject.tensors.emplace(name, std::move(*record));
  return subject;
}

ParameterValues own_beside_tensors(const ParameterValues& own, const Subject& subject) {
  const auto* set = subject.values.find("q_length");
  ParameterValues kept;
  for (const auto& [name, value] : own.map()) {
    const SubjectParameter* known = find_subject_parameter(name);
    const auto* number = std::get_if<Index>(&value);
    const bool is_too_long = set && number && is_tensor_length(name) && *number > std::get<Index>(*set);
    if ((known && known->part == SubjectPart::tensors) || is_data_of_tensors(name, value) || is_too_long) continue;
    kept.set(name, value);
  }
  return kept;
}

std::optional<TensorRecord> record_of(const std::string& tensor) {
  auto record = read_record(tensor);
  return record ? std::optional(std::move(*record)) : std::nullopt;
}

void record_tensors(const Subject& before, Subject& subject) {
  for (const auto& name : tensor_names()) {
    const std::string text = text_of(subject, name);
    if (text == text_of(before, name)) continue;
    subject.tensors.erase(name);
    if (text.empty()) continue;
    if (auto record = record_of(text)) subject.tensors.emplace(name, std::move(*record));
  }
}

void check_records(Subject& subject, Notes& notes) {
  for (const auto& name : tensor_names()) {
    const std::string text = text_of(subject, name);
    const auto known = subject.tensors.find(name);
    if (text.empty()) {
      if (known != subject.tensors.end()) subject.tensors.erase(known);
      continue;
    }
    auto now = read_record(text);
    if (!now) {  // one that was missing before is no news
      if (known != subject.tensors.end()) notes.push_back(fmt::format("{}: {}", name, now.error().message));
      subject.tensors.erase(name);
      continue;
    }
    if (known != subject.tensors.end() && known->second != *now)
      notes.push_back(fmt::format("{}: {} has changed since the session was saved; its numbers of now are used", name,
                                  shown_path(text)));
    subject.tensors.insert_or_assign(name, std::move(*now));
  }
}

}  // namespace vqscope
