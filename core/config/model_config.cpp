// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/config/config_doctor.h"
#include "core/config/config_text.h"
#include "core/config/family/config_keys.h"
#include "core/config/family/model_family_row.h"
#include "core/config/gguf/gguf_model.h"
#include "core/config/gguf/gguf_parts.h"
#include "core/config/params/params_names.h"
#include "core/config/readers/config_readers.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/gguf/gguf.h"
#include "core/io/json/json_reader.h"
#include "core/io/kind/file_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

namespace vqscope {
namespace {

/// The first object with too many members among those whose members are read one by one; a
/// vocabulary beside them may have any size. `inside` an object that concerns positions, all
/// objects count.
const ConfigValue* oversized(const ConfigValue& object, bool inside) {
  const auto& members = object.object()->members;
  if (members.size() > most_config_members) return &object;
  for (const auto& member : members) {
    if (!member.object()) continue;
    const bool positions = inside || concerns_positions(member.key);
    if (!positions && std::ranges::count(text_model_keys(), member.key) == 0) continue;
    if (const auto* found = oversized(member, positions)) return found;
  }
  return nullptr;
}

Result<void> check_size(const ConfigValue& root) {
  const auto* object = oversized(root, false);
  if (!object) return {};
  return too_large("{}the object has {} members, at most {} are read", object->place.text(),
                   object->object()->members.size(), most_config_members);
}

/// Ministral 3 and Mistral Large 3: queries grow with the logarithm of the position.
void read_temperature(const ConfigValue& root, ConfigReport& report) {
  const auto* scaling = root.find("llama_4_scaling");
  if (!scaling || !scaling->object()) return;
  const auto* beta = scaling->find("beta");
  const auto* original = scaling->find("original_max_position_embeddings");
  const double scale = beta ? beta->number().value_or(-1) : -1;
  const Index floor = original ? original->integer().value_or(0) : 0;
  if (scale < 0 || floor < 1) {
    report.findings.push_back({ConfigSeverity::error, "llama_4_scaling", scaling->key_place,
                               "llama_4_scaling must have a beta of at least 0 and an original_max_position_embeddings "
                               "of at least 1"});
    return;
  }
  for (auto& layer : report.schedule.layers)
    if (layer.rope >= 0) layer.temperature = QueryTemperature{.scale = scale, .floor = floor, .offset = 0};
  report.findings.push_back(
      {ConfigSeverity::note, "llama_4_scaling", scaling->key_place,
       fmt::format("llama_4_scaling: queries at position p are multiplied by 1 + {} ln(1 + ⌊p / {}⌋)", to_text(scale),
                   floor)});
}

void restore_own_keys(const TranslatedParams& translated, ConfigReport& report) {
  for (auto& finding : report.findings) {
    finding.path = in_own_keys(finding.path, translated);
    finding.sentence = in_own_keys(finding.sentence, translated);
  }
  std::erase_if(report.keys, [](const ConfigKey& key) { return key.place.line == 0; });
  const auto is_read = [](std::string_view path) {
    return path == "llama_4_scaling" || path == "use_scaled_rope" || path == "_sliding_window";
  };
  std::erase_if(report.findings, [&](const ConfigFinding& each) {  // that the translated config does not have the key
    return is_read(each.path) && each.sentence.ends_with(" is unknown and may change the position encoding");
  });
  for (auto& key : report.keys) {
    key.path = in_own_keys(key.path, translated);
    key.note = in_own_keys(key.note, translated);
    if (is_read(key.path)) key.use = KeyUse::read;
  }
  for (auto& use : report.ropes) {
    use.path = in_own_keys(use.path, translated);
    use.permuted = use.scaling.head_dim == use.scaling.rotated() && report.model_type != "deepseek_v3";
  }
}

/// Theta of a file without one differs: mistral-inference has its own default, vLLM Hugging Face's.
ConfigReading as_vllm(const ConfigValue& root, const ReadConfig& config) {
  ConfigReading reading = read_as_vllm(config);
  if (root.find("rope_theta") || is_meta_params(root)) return reading;
  for (auto& rope : reading.ropes) {
    if (rope.type != "default") continue;
    RopeScaling plain = config.report.ropes.front().scaling;
    plain.rope_theta = rope.theta = 10000;
    const auto frequencies = rope_frequencies(plain).inv_freq;
    rope.inv_freq.assign(frequencies.begin(), frequencies.end());
  }
  return reading;
}

/// The converter reads apply_scale.
ConfigReading as_llama_cpp(const ReadConfig& config) {
  ConfigReading reading = read_as_llama_cpp(config);
  for (auto& rope : reading.ropes) rope.attention_factor = config.report.ropes.front().attention_factor;
  return reading;
}

/// A file, or a pipe, whose bytes are kept; null: a directory, a device, or nothing is there.
std::shared_ptr<const ByteSource> opened_file(const std::string& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (path != "-" && !std::filesystem::is_regular_file(status) && !std::filesystem::is_fifo(status)) return nullptr;
  auto source = open_file(path);
  return source ? std::move(*source) : nullptr;
}

bool is_gguf(const ByteSource& source) {
  std::array<char, 4> first{};
  return source.size() >= first.size() && source.read(0, first) &&
         begins_as_gguf(std::string_view(first.data(), first.size()));
}

/// All bytes of a file that was opened, else the reason why it was not.
Result<std::string> config_text(const ByteSource* source, const std::string& path) {
  if (source == nullptr) return read_text(path, most_json_bytes);
  if (source->size() > most_json_bytes)
    return too_large("it has more than {}", byte_count(static_cast<double>(most_json_bytes)));
  std::string text(static_cast<std::size_t>(source->size()), '\0');
  if (auto read = source->read(0, text); !read) return read.error();
  return text;
}

/// Texts are read as JSON, which says where they are none.
bool is_no_config(FileKind kind) { return kind != FileKind::json && kind != FileKind::text && kind != FileKind::csv; }

}  // namespace

Result<ConfigReport> examine_model_config(const ConfigValue& root, const Checkpoint* checkpoint) {
  if (!root.object())
    return invalid("{}a model's config must be a JSON object, found {}", root.place.text(), root.shown());
  if (auto checked = check_size(root); !checked) return checked.error();
  if (is_params_json(root)) return examine_params_json(root, checkpoint);
  auto report = ConfigDoctor(root).examine(checkpoint);
  if (report) report->readers = read_reader_matrix(root, *report);
  return report;
}

Result<ConfigReport> read_model_config(std::string_view json, const Checkpoint* checkpoint) {
  const auto root = read_json(json, {.python_numbers = true});
  return root ? examine_model_config(*root, checkpoint) : root.error();
}

bool is_params_json(const ConfigValue& root) {
  const auto has_number = [&](std::string_view key) { return root.find(key) && root.find(key)->integer(); };
  const auto* type = root.find("model_type");  // DistilBERT's config.json has dim and n_layers too
  const bool own = !type || (type->text() && (*type->text() == "transformer" || *type->text() == "mamba"));
  return own && has_number("dim") && has_number("n_layers") && !root.find("hidden_size") && !root.find("architectures");
}

Result<ConfigReport> examine_params_json(const ConfigValue& root, const Checkpoint* checkpoint) {
  const TranslatedParams translated = translate_params(root);
  auto report = ConfigDoctor(translated.config).examine(checkpoint);
  if (!report) return Error{report.error().code, in_own_keys(report.error().message, translated), {}};
  read_temperature(root, *report);
  restore_own_keys(translated, *report);
  report->about = is_meta_params(root) ? "params.json of Meta's own format" : "params.json of Mistral's own format";
  report->summary = config_summary(*report);
  if (report->ropes.empty()) return report;
  const ReadConfig config{translated.config, *report};
  report->readers = reader_matrix(reading_of("", *report), {as_vllm(root, config), as_llama_cpp(config)});
  return report;
}

bool is_model_path(const std::string& path) {
  const std::string suffix = file_suffix(path);
  std::error_code failed;
  if (suffix == "json" || suffix == "gguf" || std::filesystem::is_directory(path, failed)) return true;
  const auto file = std::filesystem::is_regular_file(path, failed) ? opened_file(path) : nullptr;
  return file && is_gguf(*file);
}

Result<OpenedConfig> open_model(const std::string& given) {
  auto place = find_model(given);
  if (!place) return place.error();
  const auto parts = gguf_parts(place->file);
  if (parts) place->file = parts->first;
  const std::string& path = place->file;
  const std::string name = path == "-" ? place->name : shown_path(path);
  const auto file = opened_file(path);
  if (file && is_gguf(*file)) {
    auto report = examine_gguf(*file, parts ? parts->others : std::vector<std::string>());
    if (!report) return within(name, report.error());
    return OpenedConfig{{}, std::move(*report), std::move(*place)};
  }
  auto text = config_text(file.get(), path);
  if (!text) return within(name, text.error());
  if (const auto known = file_kind(MemorySource(*text), path); known && is_no_config(known->kind))
    return in_file(name, unexpected_kind(*known, "a model's config.json, params.json or GGUF file"));
  auto opened = open_config_text(name, std::move(*text), checkpoint_beside(path));
  if (opened) opened->place = std::move(*place);
  return opened;
}

Checkpoint checkpoint_beside(const std::string& file) {
  const auto name = file_name(file);
  if (name != "config.json" && name != "params.json") return {};
  const std::string folder = file.substr(0, file.size() - name.size());
  return read_checkpoint(folder.empty() ? "." : folder, name == "params.json");
}

Result<OpenedConfig> open_config_text(const std::string& name, std::string text, Checkpoint checkpoint) {
  auto report = read_model_config(text, checkpoint.is_empty() ? nullptr : &checkpoint);
  if (!report) return within(name, report.error());
  return OpenedConfig{std::move(text), std::move(*report), {}, std::move(checkpoint)};
}

}  // namespace vqscope
