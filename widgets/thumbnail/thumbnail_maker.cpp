// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail_maker.h"

#include <QTimer>

#include <algorithm>

namespace vqscope {

ThumbnailMaker::ThumbnailMaker(QObject* parent) : QObject(parent) {}

void ThumbnailMaker::request(const QString& key, const ThumbnailRequest& request) {
  cancel(key);
  m_requests[key] = request;
  m_waiting.push_back(key);
  // The caller goes on before the first ready().
  QTimer::singleShot(0, this, &ThumbnailMaker::next);
}

void ThumbnailMaker::request(const QString& key, const Method& method, const ParameterValues& values, const QSize& size,
                             double pixelRatio) {
  ThumbnailRequest wanted;
  wanted.method = &method;
  wanted.values = completed_values(parameters_of(method, values), values);
  wanted.pixels = size;
  wanted.theme = currentTheme();
  wanted.pixelRatio = pixelRatio;
  request(key, wanted);
}

void ThumbnailMaker::start() {
  m_started = true;
  next();
}

void ThumbnailMaker::cancel(const QString& key) {
  std::erase(m_waiting, key);
  m_requests.erase(key);
  if (m_current != key || key.isEmpty()) return;
  m_scheduler.stop();
  m_current.clear();
  QTimer::singleShot(0, this, &ThumbnailMaker::next);
}

void ThumbnailMaker::cancelAll() {
  m_waiting.clear();
  m_requests.clear();
  m_scheduler.stop();
  m_current.clear();
}

QImage ThumbnailMaker::image(const QString& key) const {
  const auto made = m_made.find(key);
  return made == m_made.end() ? QImage() : made->second.image;
}

void ThumbnailMaker::next() {
  if (!m_started || !m_current.isEmpty() || m_waiting.empty()) return;
  m_current = m_waiting.front();
  m_waiting.pop_front();
  const ThumbnailRequest request = m_requests.extract(m_current).mapped();
  const auto made = m_made.find(m_current);
  if (made != m_made.end() && made->second.request.isLike(request))
    return finish(m_current, request, made->second.image);
  m_scheduler.run<QImage>([request](std::stop_token stop) { return renderThumbnail(request, stop); },
                          [this, key = m_current, request](const QImage& image) { finish(key, request, image); });
}

void ThumbnailMaker::finish(const QString& key, const ThumbnailRequest& request, const QImage& image) {
  m_made[key] = {request, image};
  m_current.clear();
  emit ready(key, image);
  next();
}

}  // namespace vqscope
