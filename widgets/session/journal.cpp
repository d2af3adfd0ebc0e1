// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/journal.h"

#include "core/base/guard.h"
#include "core/base/result.h"
#include "core/io/bytes/whole_file.h"
#include "core/session/session_json.h"
#include "widgets/parts/text.h"

#include <QMutexLocker>

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// In the enum's order.
constexpr std::array<const char*, 3> keptNames{"journal", "set_aside", "other_window"};

/// The text of a member, empty if there is none.
QString textAt(const ConfigValue& object, std::string_view name) {
  const ConfigValue* json = object.find(name);
  return json && json->text() ? textOfBytes(*json->text()) : QString();
}

Result<OpenedDocument> documentIn(const ConfigValue& json) {
  auto opened = session_in(json);
  if (!opened) return opened.error();
  OpenedDocument document{{.session = std::move(opened->session)}, std::move(opened->notes)};
  if (const ConfigValue* about = json.find("document")) {
    const ConfigValue* modified = about->find("modified");
    document.document.path = textAt(*about, "path");
    document.document.modified = modified && modified->boolean() && *modified->boolean();
    document.document.when = QDateTime::fromString(textAt(*about, "when"), Qt::ISODateWithMs);
    const auto kept = std::ranges::find(keptNames, textAt(*about, "kept"));
    if (kept != keptNames.end()) document.document.kept = static_cast<KeptAs>(kept - keptNames.begin());
  }
  return document;
}

}  // namespace

std::string documentToJson(const Document& document) {
  JsonObject root = session_json(document.session);
  root.emplace("document", JsonObject{{"path", bytesOf(document.path)},
                                      {"modified", document.modified},
                                      {"when", bytesOf(document.when.toString(Qt::ISODateWithMs))},
                                      {"kept", keptNames[static_cast<std::size_t>(document.kept)]}});
  return compact_json(std::move(root));
}

Result<OpenedDocument> documentFromJson(std::string_view json) {
  const auto root = parse_session_json(json);
  if (!root) return root.error();
  return documentIn(*root);
}

Result<OpenedDocument> readDocument(const QString& path) {
  const auto root = read_session_json(bytesOf(path));
  if (!root) return root.error();
  auto opened = documentIn(*root);
  if (!opened) return within(shownPath(path), opened.error());
  return opened;
}

Result<void> writeDocument(const Document& document, const QString& path) {
  return write_whole_file(bytesOf(path), documentToJson(document), FileUse::state);
}

Journal::Journal(std::unique_ptr<JournalFile> file, QObject* parent)
    : QObject(parent), m_file(std::move(file)), m_path(m_file->path()) {
  m_pool.setMaxThreadCount(1);
}

Journal::~Journal() { wait(); }

void Journal::take(Document document) {
  const QMutexLocker lock(&m_mutex);
  m_next = std::move(document);
  ++m_taken;
  if (std::exchange(m_writing, true)) return;
  m_pool.start([this] { writeAll(); });
}

void Journal::wait() { m_pool.waitForDone(); }

bool Journal::isIdle() const {
  const QMutexLocker lock(&m_mutex);
  return !m_writing;
}

void Journal::writeAll() {
  for (bool more = true; more;) {
    QMutexLocker lock(&m_mutex);
    const Document document = *std::exchange(m_next, {});
    const qint64 taken = m_taken;
    lock.unlock();
    const auto done = guarded([&] { return writeDocument(document, m_path); });
    lock.relock();
    more = m_next.has_value();
    m_writing = more;
    lock.unlock();
    // Receivers find the journal idle if nothing newer waits.
    if (done)
      emit written(taken);
    else
      emit failed(QString::fromStdString(done.error().message));
  }
}

}  // namespace vqscope
