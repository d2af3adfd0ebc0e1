// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/file_opener.h"

#include "app/window/page_stack.h"
#include "app/window/room/model_actions.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/parts/text.h"

#include <utility>

namespace vqscope {
namespace {

Result<ReadFiles> readRecognised(const Result<OpenedFiles>& files) { return files ? readFiles(*files) : files.error(); }

}  // namespace

FileOpener::FileOpener(SessionFiles& sessions, ModelActions& models, TensorActions& tensors, PageStack& pages)
    : m_sessions(sessions), m_models(models), m_tensors(tensors), m_pages(pages) {
  // A mask that is imported by hand is the newest request.
  connect(&m_pages, &PageStack::fileRequested, &m_reading, &FileReading::stop);
}

void FileOpener::open(const QStringList& paths, Unsaved unsaved) {
  if (!paths.isEmpty())
    read(
        paths, [paths] { return recogniseFiles(paths); }, unsaved);
}

void FileOpener::open(const OpenedFiles& files, Unsaved unsaved) {
  read(
      files.paths, [files] { return files; }, unsaved);
}

void FileOpener::openTensorFiles(const QStringList& paths, qlonglong layer) {
  read(
      paths, [paths, layer] { return recogniseTensors(paths, layer); }, Unsaved::ask);
}

void FileOpener::stop() {
  m_reading.stop();
  m_pages.stopReading();
}

void FileOpener::read(const QStringList& paths, std::function<Result<OpenedFiles>()> recognise, Unsaved unsaved) {
  stop();
  if (isCompiledIn(paths)) return take(readRecognised(recognise()), unsaved);
  m_reading.run<Result<ReadFiles>>(
      paths, [recognise = std::move(recognise)](const std::stop_token&) { return readRecognised(recognise()); },
      [this, unsaved](const Result<ReadFiles>& read) { take(read, unsaved); });
}

void FileOpener::take(const Result<ReadFiles>& read, Unsaved unsaved) {
  if (!read) return emit notified(text(read.error().message), true);
  if (isOpened(*read, unsaved) && read->isPath) emit opened(read->files.paths.front());
}

/// False also of a mask, which is read on another thread.
bool FileOpener::isOpened(const ReadFiles& read, Unsaved unsaved) {
  const QString& path = read.files.paths.front();
  switch (read.files.as) {
    case OpenedAs::model: return m_models.open(read.models.front());
    case OpenedAs::models: m_models.compare(read.models[0], read.models[1]); break;
    case OpenedAs::tensors: return openTensors(read);
    case OpenedAs::capture: emit captureOpened(read.captures.front(), read.layer); return true;
    case OpenedAs::captures: emit capturesOpened(read.captures[0], read.captures[1]); break;
    case OpenedAs::folder: emit folderOpened(path); break;
    case OpenedAs::mask: m_pages.maskSource()->importFile(path); break;
    case OpenedAs::session: return m_sessions.open(read, unsaved);
  }
  return false;
}

bool FileOpener::openTensors(const ReadFiles& read) {
  const auto chosen = m_tensors.open(read.tensors, read.tokens);
  if (chosen && read.files.mask) m_pages.maskSource()->importBeside(*read.files.mask, *chosen);
  return chosen.has_value();
}

}  // namespace vqscope
