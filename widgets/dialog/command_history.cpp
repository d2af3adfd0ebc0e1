// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/command_history.h"

#include "core/io/bytes/file_source.h"
#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "widgets/parts/text.h"

#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t mostIds = 60;
constexpr std::size_t mostBytes = std::size_t{1} << 16;
constexpr qsizetype longestId = 300;
constexpr int mostUses = 1000;

}  // namespace

std::vector<CommandHistory::Used> commandHistoryFromJson(std::string_view json) {
  std::vector<CommandHistory::Used> used;
  const auto root = read_json(json);
  const ConfigValue* list = root ? root->find("commands") : nullptr;
  if (!list || !list->list()) return used;
  for (const ConfigValue& each : *list->list()) {
    const ConfigValue* id = each.find("id");
    const ConfigValue* uses = each.find("uses");
    if (used.size() == mostIds || !id || !id->text() || !uses || !uses->number()) continue;
    const QString name = textOfBytes(*id->text());
    if (name.isEmpty() || name.size() > longestId) continue;
    const double count = std::clamp(*uses->number(), 1.0, static_cast<double>(mostUses));
    if (std::ranges::find(used, name, &CommandHistory::Used::id) == used.end())
      used.push_back({name, static_cast<int>(count)});
  }
  return used;
}

CommandHistory::CommandHistory(QString storePath) : m_storePath(std::move(storePath)) { read(); }

void CommandHistory::read() {
  if (m_storePath.isEmpty() || !QFileInfo(m_storePath).isFile()) return;
  if (const auto text = read_text(bytesOf(m_storePath), mostBytes)) m_used = commandHistoryFromJson(*text);
}

Result<void> CommandHistory::add(const QString& id) {
  if (id.isEmpty() || id.size() > longestId) return {};
  read();  // another window may have added some
  const Used used{id, std::min(uses(id) + 1, mostUses)};
  std::erase_if(m_used, [&](const Used& each) { return each.id == id; });
  m_used.insert(m_used.begin(), used);
  if (m_used.size() > mostIds) m_used.resize(mostIds);
  if (m_storePath.isEmpty()) return {};
  if (auto made = make_state_folder(bytesOf(QFileInfo(m_storePath).absolutePath())); !made) return made;
  JsonArray list;
  for (const Used& each : m_used) list.push_back(JsonObject{{"id", bytesOf(each.id)}, {"uses", each.uses}});
  return write_whole_file(bytesOf(m_storePath), indented_json(JsonObject{{"commands", std::move(list)}}),
                          FileUse::state);
}

int CommandHistory::uses(const QString& id) const {
  const auto found = std::ranges::find(m_used, id, &Used::id);
  return found == m_used.end() ? 0 : found->uses;
}

}  // namespace vqscope
