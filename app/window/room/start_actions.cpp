// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/start_actions.h"

#include "app/window/window_layout.h"
#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
#include "core/session/gallery_state.h"
#include "widgets/guide/guide_pages.h"
#include "widgets/guide/guide_view.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"
#include "widgets/start/start_view.h"

#include <QUrl>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

QString bundled(const std::string& config) {
  return QStringLiteral(":/configs/") + text(config) + QStringLiteral(".json");
}

}  // namespace

StartActions::StartActions(Workbench& workbench, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window), m_recent(savedRecentPath()) {
  setRecent(m_recent.all());
}

void StartActions::attach(StartView& view) {
  m_view = &view;
  view.setGuide(guideQuestions());
  view.setLostSession(m_lost);
  setRecent(m_shown);
  lookForRecent();
  connect(&view, &StartView::maskTextRequested, this, &StartActions::maskTextRequested);
  connect(&view, &StartView::maskFileRequested, this, &StartActions::maskFileRequested);
  connect(&view, &StartView::configRequested, this, &StartActions::configRequested);
  connect(&view, &StartView::tensorsRequested, this, &StartActions::tensorsRequested);
  connect(&view, &StartView::questionRequested, this, &StartActions::presetRequested);
  connect(&view, &StartView::galleryRequested, this, &StartActions::openGallery);
  connect(&view, &StartView::recentRequested, this, &StartActions::fileRequested);
  connect(&view, &StartView::guideRequested, this, &StartActions::showGuide);
  connect(&view, &StartView::restoreRequested, this, &StartActions::restoreRequested);
}

std::vector<RecentFile> StartActions::recent() {
  lookForRecent();
  return m_shown;
}

void StartActions::setRecent(std::vector<RecentFile> files) {
  m_shown = std::move(files);
  if (m_view) m_view->setRecent(m_shown);
}

void StartActions::lookForRecent() {
  m_looks.run<std::vector<RecentFile>>([files = m_recent](const std::stop_token&) { return files.existing(); },
                                       [this](std::vector<RecentFile> there) {
                                         if (there != m_shown) setRecent(std::move(there));
                                       });
}

void StartActions::addRecent(const QString& path) {
  if (const auto added = m_recent.add(path); !added) qWarning("vqscope: %s", added.error().message.c_str());
  setRecent(m_recent.all());
  lookForRecent();
}

void StartActions::forgetRecent() {
  if (const auto cleared = m_recent.clear(); !cleared) emit notified(text(cleared.error().message), true);
  m_looks.stop();
  setRecent({});
}

void StartActions::setLostSession(const QString& words) {
  m_lost = words;
  if (m_view) m_view->setLostSession(words);
}

void StartActions::openGallery(const QString& id) {
  const auto entry = require_gallery_entry(id.toStdString());
  if (!entry) return emit notified(text(entry.error().message), true);
  openEntry(**entry);
}

void StartActions::openEntry(const GalleryEntry& entry) {
  if (entry.shown.method) {
    const auto state = gallery_state(entry);
    const auto opened = m_workbench.replace(tr("Open %1").arg(text(entry.title)), state.page, state.subject);
    if (!opened) return emit notified(text(opened.error().message), true);
  } else if (entry.configs.size() > 1) {
    return emit configsCompared(bundled(entry.configs[0]), bundled(entry.configs[1]));
  } else {
    emit fileRequested(bundled(entry.configs.front()));
  }
  emit notified(text(entry.note) + QLatin1Char(' ') + text(entry.what_to_try), false);
}

void StartActions::showGuide(const QString& page, const QString& anchor) {
  if (!m_guide) {
    m_guide = new GuideView(m_window);
    m_guide->setWindowFlag(Qt::Window);
    m_guide->setWindowTitle(tr("VQScope guide"));
    m_guide->resize(onScreen(*m_guide, {900, 680}));
    connect(m_guide, &GuideView::linkRequested, this, &StartActions::follow);
  }
  m_guide->showPage(page, anchor);
  m_guide->show();
  m_guide->raise();
  m_guide->activateWindow();
}

void StartActions::follow(const QUrl& link) {
  const QString path = link.path();
  const QString kind = path.section(QLatin1Char('/'), 0, 0);
  const QString id = path.section(QLatin1Char('/'), 1);
  if (kind == QLatin1String("gallery")) openGallery(id);
  if (kind == QLatin1String("method")) {
    const auto method = require_method(id.toStdString());
    return method ? emit methodRequested(id) : emit notified(text(method.error().message), true);
  }
  if (kind != QLatin1String("page")) return;
  if (std::ranges::count(gallery_pages(), id.toStdString()) > 0) return emit pageRequested(id);
  emit notified(tr("The room %1 is part of the lab, which this build leaves out").arg(id), true);
}

}  // namespace vqscope
