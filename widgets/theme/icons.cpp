// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icons.h"

#include "widgets/theme/palette.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// Q_INIT_RESOURCE has to stand outside every namespace.
static void initResources() {
  Q_INIT_RESOURCE(resources);
  Q_INIT_RESOURCE(guide);
}

namespace vqscope {
namespace {

QColor tint(QIcon::Mode mode, QIcon::State state) {
  const Palette& p = currentPalette();
  if (mode == QIcon::Disabled) return mixed(p.secondary, p.panel, 0.45);
  if (mode == QIcon::Selected) return p.accentText;
  return state == QIcon::On ? p.accent : p.text;
}

/// Paints the SVG at the requested size, in the current palette.
class TintedIcon : public QIconEngine {
 public:
  explicit TintedIcon(QString name) : m_name(std::move(name)) {
    QFile file(":/icons/" + m_name + ".svg");
    [[maybe_unused]] const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    m_svg = file.readAll();
  }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    QByteArray svg = m_svg;
    svg.replace("currentColor", tint(mode, state).name().toLatin1());
    QSvgRenderer(svg).render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    if (size.isEmpty()) return {};  // a button without space for an icon
    const QString key =
        QString("vqscope/%1/%2x%3/%4").arg(m_name).arg(size.width()).arg(size.height()).arg(tint(mode, state).name());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(&painter, QRect({0, 0}, size), mode, state);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
  }

  QIconEngine* clone() const override { return new TintedIcon(*this); }

 private:
  QString m_name;
  QByteArray m_svg;
};

}  // namespace

void ensureResources() {
  static const bool once = (initResources(), true);
  static_cast<void>(once);
}

QIcon icon(const char* name) {
  ensureResources();
  return QIcon(new TintedIcon(QString::fromLatin1(name)));
}

QIcon applicationIcon() {
  ensureResources();
  QIcon icon;
  for (const int size : {16, 24, 32, 48, 64, 128, 256}) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(QString(":/icons/vqscope.svg")).render(&painter);
    painter.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

}  // namespace vqscope
