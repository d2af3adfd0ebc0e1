// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/batch_choice_json.h"

#include <cmath>
#include <optional>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t longest_batch_path = 4096;

/// A whole number from 0 on; absent is 0.
std::optional<Index> count_at(const Members& members, const char* key) {
  const ConfigValue* json = member(members, key);
  if (!json) return 0;
  const auto number = json->number();
  if (!number || !(*number >= 0 && *number < 0x1p53) || *number != std::floor(*number)) return {};
  return static_cast<Index>(*number);
}

bool flag_at(const Members& members, const char* key) {
  const ConfigValue* json = member(members, key);
  return json && json->boolean() && *json->boolean();
}

std::string batch_text_at(const Members& members, const char* key) {
  const ConfigValue* json = member(members, key);
  return json && json->text() ? *json->text() : std::string();
}

}  // namespace

JsonValue batch_json(const PageState& page, const Subject&) {
  const BatchChoice& batch = page.batch;
  if (batch.file.empty()) return {};
  JsonObject object{{"file", batch.file},
                    {"sample", batch.sample},
                    {"head", batch.head},
                    {"bytes", batch.record.bytes},
                    {"checksum", batch.record.checksum}};
  if (batch.as_mask) object.emplace("as_mask", true);
  if (batch.second) object.emplace("second", true);
  if (batch.text) object.emplace("text", true);
  if (batch.threshold) object.emplace("threshold", *batch.threshold);
  return object;
}

void read_batch_choice(PageReader& reader, const std::string& key, const ConfigValue& json) {
  const Members members = reader.members_at(key, json);
  if (members.empty()) return;
  BatchChoice batch;
  batch.file = batch_text_at(members, "file");
  const auto sample = count_at(members, "sample"), head = count_at(members, "head"), bytes = count_at(members, "bytes");
  if (batch.file.empty() || batch.file.size() > longest_batch_path || !sample || !head || !bytes)
    return reader.note("batch must have a file, and a sample and a head from 0 on; it was left out");
  batch.sample = *sample;
  batch.head = *head;
  batch.record = {*bytes, batch_text_at(members, "checksum")};
  batch.as_mask = flag_at(members, "as_mask");
  batch.second = flag_at(members, "second");
  batch.text = flag_at(members, "text");
  if (const ConfigValue* threshold = member(members, "threshold"); threshold && threshold->number())
    batch.threshold = *threshold->number();
  reader.page.batch = std::move(batch);
}

}  // namespace vqscope
