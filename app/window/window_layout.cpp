// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_layout.h"

#include "core/io/bytes/file_source.h"
#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "widgets/parts/text.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int layoutVersion = 2;
constexpr std::size_t mostLayoutBytes = std::size_t{1} << 18;
/// No screen and no window of X11 or Wayland is larger.
constexpr Index largestPixel = 32767;
/// Height of the highest title bars of desktops.
constexpr int titleBar = 40;
const QStringList themes{"", "light", "dark"};

/// Reads the values of one object. The first invalid value makes it not sane().
class Reader {
 public:
  explicit Reader(const ConfigValue* object) : m_object(object), m_sane(object && object->object()) {}

  int number(const char* name, Index least) {
    const ConfigValue* json = at(name);
    const auto value = json ? json->integer() : std::nullopt;
    const bool sane = value && *value >= least && *value <= largestPixel;
    m_sane = m_sane && sane;
    return sane ? static_cast<int>(*value) : 0;
  }
  bool flag(const char* name) {
    const ConfigValue* json = at(name);
    const bool* value = json ? json->boolean() : nullptr;
    m_sane = m_sane && value;
    return value && *value;
  }
  QString text(const char* name) {
    const ConfigValue* json = at(name);
    const std::string* value = json ? json->text() : nullptr;
    m_sane = m_sane && value;
    return value ? textOfBytes(*value) : QString();
  }
  const ConfigValue* at(const char* name) const { return m_object ? m_object->find(name) : nullptr; }
  bool sane() const { return m_sane; }

 private:
  const ConfigValue* m_object;
  bool m_sane;
};

JsonObject placeToJson(const WindowLayout& layout) {
  const QRect& place = layout.place;
  return {{"x", place.x()},
          {"y", place.y()},
          {"width", place.width()},
          {"height", place.height()},
          {"maximized", layout.maximized}};
}

bool readPlace(const ConfigValue* json, WindowLayout& layout) {
  Reader reader(json);
  layout.place = QRect(reader.number("x", -largestPixel), reader.number("y", -largestPixel), reader.number("width", 0),
                       reader.number("height", 0));
  layout.maximized = reader.flag("maximized");
  return reader.sane();
}

bool readDocks(const ConfigValue* json, WindowLayout& layout) {
  if (!json || !json->object()) return false;
  for (const auto& member : json->object()->members) {
    Reader reader(&member);
    const DockLayout dock{reader.flag("visible"), reader.number("size", 0)};
    if (!reader.sane()) return false;
    layout.docks[textOfBytes(member.key)] = dock;
  }
  return true;
}

/// Layouts of earlier versions have none.
bool readLists(const ConfigValue* json, WindowLayout& layout) {
  if (!json) return true;
  if (!json->object()) return false;
  Reader reader(json);
  for (const auto& member : json->object()->members)
    layout.lists[textOfBytes(member.key)] = reader.number(member.key.c_str(), 0);
  return reader.sane();
}

QString inConfigFolder(const char* name) {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QLatin1Char('/') +
         QString::fromLatin1(name);
}

}  // namespace

QRect placeOnScreen(const QRect& place, QRect available) {
  available.setTop(available.top() + titleBar);
  QRect moved(place.topLeft(), place.size().boundedTo(available.size()));
  moved.moveRight(std::clamp(moved.right(), available.left() + moved.width() - 1, available.right()));
  moved.moveBottom(std::clamp(moved.bottom(), available.top() + moved.height() - 1, available.bottom()));
  return moved;
}

Result<void> writeLayout(const WindowLayout& layout, const QString& path) {
  if (auto made = make_state_folder(bytesOf(QFileInfo(path).absolutePath())); !made) return made;
  JsonObject docks;
  for (const auto& [name, dock] : layout.docks)
    docks.emplace(bytesOf(name), JsonObject{{"visible", dock.visible}, {"size", dock.size}});
  JsonObject lists;
  for (const auto& [room, share] : layout.lists) lists.emplace(bytesOf(room), share);
  const JsonObject object{{"layout", layoutVersion},
                          {"window", placeToJson(layout)},
                          {"docks", docks},
                          {"lists", lists},
                          {"names", layout.names},
                          {"raised", bytesOf(layout.raised)},
                          {"theme", bytesOf(layout.theme)}};
  return write_whole_file(bytesOf(path), indented_json(object), FileUse::state);
}

Result<WindowLayout> layoutFromJson(std::string_view json, QString& remark) {
  const Error damaged = invalid("not a window layout");
  const auto root = read_json(json);
  if (!root) return damaged;
  Reader reader(&*root);
  WindowLayout layout;
  layout.theme = reader.text("theme");
  if (!reader.sane() || !themes.contains(layout.theme)) return damaged;
  if (reader.at("checksum")) {
    remark = QStringLiteral("The window layout is from an older version; panels have their default sizes");
    return layout;
  }
  if (reader.at("names")) layout.names = reader.flag("names");  // layouts of earlier versions have none
  layout.raised = reader.text("raised");
  if (reader.number("layout", 0) != layoutVersion || !reader.sane() || !readPlace(reader.at("window"), layout) ||
      !readDocks(reader.at("docks"), layout) || !readLists(reader.at("lists"), layout))
    return damaged;
  return layout;
}

Result<WindowLayout> readLayout(const QString& path, QString& remark) {
  if (!QFileInfo::exists(path)) return Error{Errc::not_found, "no window layout"};
  const auto text = read_text(bytesOf(path), mostLayoutBytes);
  if (text)
    if (auto layout = layoutFromJson(*text, remark)) return layout;
  return invalid("the window layout in " + shownPath(path) + " is damaged and was ignored");
}

QString savedSessionPath() { return inConfigFolder("last.vqscope"); }
QString savedLayoutPath() { return inConfigFolder("layout.json"); }
QString savedRecentPath() { return inConfigFolder("recent.json"); }
QString savedCommandsPath() { return inConfigFolder("commands.json"); }

bool copyState(const QString& from, const QString& to) {
  if (!QFile::copy(from, to)) return false;
  QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
  return true;
}

QString keepDamaged(const QString& path) {
  const QString kept = path + QStringLiteral(".damaged");
  QFile::remove(kept);
  return copyState(path, kept) ? kept : path;
}

}  // namespace vqscope
