// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_layout.h"

#include "core/io/bytes/read_text.h"
#include "core/io/bytes/whole_file.h"
#include "widgets/parts/file_name.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace vqscope {
namespace {

constexpr int layoutVersion = 2;
constexpr std::size_t mostLayoutBytes = std::size_t{1} << 18;
/// No screen and no window of X11 or Wayland is larger.
constexpr double largestPixel = 32767;
const QStringList themes{"", "light", "dark"};

/// Reads values of one object; is over at the first that is not what it must be.
class Reader {
 public:
  explicit Reader(const QJsonValue& value) : m_object(value.toObject()), m_sane(value.isObject()) {}

  int number(const char* name, double least) {
    const double value = m_object[QLatin1String(name)].toDouble(std::nan(""));
    const bool sane = value >= least && value <= largestPixel && value == std::trunc(value);
    m_sane = m_sane && sane;
    return sane ? static_cast<int>(value) : 0;
  }
  bool flag(const char* name) {
    const QJsonValue value = m_object[QLatin1String(name)];
    m_sane = m_sane && value.isBool();
    return value.toBool();
  }
  bool sane() const { return m_sane; }

 private:
  QJsonObject m_object;
  bool m_sane;
};

QJsonObject placeToJson(const WindowLayout& layout) {
  const QRect& place = layout.place;
  return {{"x", place.x()},
          {"y", place.y()},
          {"width", place.width()},
          {"height", place.height()},
          {"maximized", layout.maximized}};
}

bool readPlace(const QJsonValue& json, WindowLayout& layout) {
  Reader reader(json);
  layout.place = QRect(reader.number("x", -largestPixel), reader.number("y", -largestPixel), reader.number("width", 0),
                       reader.number("height", 0));
  layout.maximized = reader.flag("maximized");
  return reader.sane();
}

bool readDocks(const QJsonValue& json, WindowLayout& layout) {
  if (!json.isObject()) return false;
  const QJsonObject docks = json.toObject();
  for (auto it = docks.begin(); it != docks.end(); ++it) {
    Reader reader(it.value());
    const DockLayout dock{reader.flag("visible"), reader.number("size", 0)};
    if (!reader.sane()) return false;
    layout.docks[it.key()] = dock;
  }
  return true;
}

bool readTheme(const QJsonObject& object, WindowLayout& layout) {
  layout.theme = object["theme"].toString("none");
  return themes.contains(layout.theme);
}

}  // namespace

Result<void> writeLayout(const WindowLayout& layout, const QString& path) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  QJsonObject docks;
  for (const auto& [name, dock] : layout.docks)
    docks[name] = QJsonObject{{"visible", dock.visible}, {"size", dock.size}};
  const QJsonObject object{{"layout", layoutVersion},
                           {"window", placeToJson(layout)},
                           {"docks", docks},
                           {"raised", layout.raised},
                           {"theme", layout.theme}};
  return write_whole_file(bytesOf(path), QJsonDocument(object).toJson().toStdString());
}

Result<WindowLayout> layoutFromJson(const QByteArray& json, QString& remark) {
  const Error damaged = invalid("no layout of a window");
  const QJsonObject object = QJsonDocument::fromJson(json).object();
  WindowLayout layout;
  if (!readTheme(object, layout)) return damaged;
  if (object.contains("checksum")) {
    remark = QStringLiteral("The window layout is from an older version; panels have their default sizes");
    return layout;
  }
  if (object["layout"].toInt() != layoutVersion || !readPlace(object["window"], layout) ||
      !readDocks(object["docks"], layout) || !object["raised"].isString())
    return damaged;
  layout.raised = object["raised"].toString();
  return layout;
}

Result<WindowLayout> readLayout(const QString& path, QString& remark) {
  if (!QFileInfo::exists(path)) return Error{Errc::not_found, "no window layout"};
  const auto text = read_text(bytesOf(path), mostLayoutBytes);
  if (text)
    if (auto layout = layoutFromJson(QByteArray::fromStdString(*text), remark)) return layout;
  return invalid("the window layout in " + shownPath(path) + " is damaged and was ignored");
}

}  // namespace vqscope
