// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/opened_files.h"

#include "core/base/sentence.h"
#include "core/capture/store/capture_names.h"
#include "core/capture/store/capture_place.h"
#include "core/catalogue/parts.h"
#include "core/config/place/model_place.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/kind/file_kind.h"
#include "core/mask/preset/mask_import.h"
#include "widgets/parts/text.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longestList = 200;

bool isModel(const QString& path) { return is_model_path(bytesOf(path)); }

bool isPlainFolder(const QString& path) {
  if (!QFileInfo(path).isDir()) return false;
  const auto model = find_model(bytesOf(path));
  // A folder whose download is not complete has a sentence of its own.
  return !model && model.error().code == Errc::not_found && model.error().message.ends_with("GGUF file");
}

/// Queries and keys, for which this build has a view unless there is a mask to show.
std::optional<OpenedFiles> asTensors(const QStringList& paths) {
  auto attention = attentionFiles(paths);
  if (!attention || (attention->mask && tensor_view().empty())) return std::nullopt;
  return OpenedFiles{paths, OpenedAs::tensors, std::move(attention->mask)};
}

Result<void> checkReadable(const QStringList& paths) {
  for (const auto& path : paths)
    if (!isModel(path))
      if (const auto file = open_file(bytesOf(path)); !file) return file.error();
  return {};
}

/// Refuses a file that is of no kind that can be opened, by what it is.
Result<void> checkKind(const QString& path) {
  const auto file = open_file(bytesOf(path));
  const auto known = file ? file_kind(**file, bytesOf(path)) : file.error();
  if (!known || known->kind != FileKind::unread) return {};  // opening it reports what is wrong
  return in_file(bytesOf(QFileInfo(path).fileName()),
                 unexpected_kind(*known, "a session, a mask, a model's config, or q, k and v"));
}

Result<OpenedFiles> recogniseFile(const QString& path) {
  if (has_embedded_session(bytesOf(path))) return OpenedFiles{{path}, OpenedAs::session};
  if (find_capture(bytesOf(path))) return OpenedFiles{{path}, OpenedAs::capture};
  if (isPlainFolder(path)) return OpenedFiles{{path}, OpenedAs::folder};
  if (isModel(path)) return OpenedFiles{{path}, OpenedAs::model};
  if (auto checked = checkKind(path); !checked) return checked.error();
  if (auto tensors = asTensors({path})) return *tensors;
  return OpenedFiles{{path}, is_mask_file(bytesOf(path)) ? OpenedAs::mask : OpenedAs::session};
}

/// The model of a file, or of one compiled into the program: ":/configs/t5-base.json".
Result<OpenedConfig> openModel(const QString& path) {
  if (!isCompiledIn({path})) return open_model(bytesOf(path));
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return Error{Errc::io, path.toStdString() + ": " + file.errorString().toStdString()};
  auto opened = open_config_text(path.toStdString(), file.readAll().toStdString());
  if (opened) opened->place.name = QFileInfo(path).completeBaseName().toStdString();
  return opened;
}

Result<void> readModels(ReadFiles& read) {
  for (const QString& path : read.files.paths) {
    auto model = openModel(path);
    if (!model) return model.error();
    read.models.push_back(std::move(*model));
  }
  return {};
}

Result<void> readSession(ReadFiles& read) {
  auto session = read_session(bytesOf(read.files.paths.front()));
  if (!session) return session.error();
  read.session = std::move(*session);
  read.isEmbedded = has_embedded_session(bytesOf(read.files.paths.front()));
  return {};
}

/// Of the capture.json beside the file of a layer; empty: there are none, or too many.
TokenTexts tokensBeside(const QString& path) {
  const auto place = find_capture(bytesOf(path));
  if (!place) return {};
  const auto text = read_text(place->folder + "/capture.json", most_config_bytes);
  if (!text) return {};
  auto info = read_capture_info(*text, place->folder);
  return info && check_token_texts(info->tokens) ? std::move(info->tokens) : TokenTexts();
}

bool isOfOtherLayer(const FileTensor& tensor, std::optional<Index> layer) {
  const auto place = layer ? foreign_tensor_of(tensor.tensor.name) : std::nullopt;
  return place && place->layer != *layer;
}

Result<void> readTensors(ReadFiles& read) {
  auto tensors = tensorsOfFiles(read.files.paths);
  if (!tensors) return tensors.error();
  std::erase_if(*tensors, [&](const FileTensor& each) { return isOfOtherLayer(each, read.files.layer); });
  read.tensors = std::move(*tensors);
  read.tokens = tokensBeside(read.files.paths.front());
  return {};
}

Result<void> readCaptures(ReadFiles& read) {
  for (const QString& each : read.files.paths) {
    const std::string path = bytesOf(each);
    const auto place = find_capture(path);
    auto capture = place ? Capture::open(place->folder, place->step) : Capture::open(path);
    if (!capture) return capture.error();
    read.captures.push_back(std::move(*capture));
    if (place && read.files.as == OpenedAs::capture) read.layer = place->layer;
  }
  return {};
}

/// Folders of captures, or files of their layers; nothing: not all paths are.
std::optional<Result<OpenedFiles>> asCaptures(const QStringList& paths) {
  QStringList folders;
  for (const auto& path : paths) {
    const auto place = find_capture(bytesOf(path));
    if (!place) return std::nullopt;
    folders << textOfBytes(place->folder);
  }
  folders.removeDuplicates();
  if (folders.size() == 1) return OpenedFiles{{paths.front()}, OpenedAs::capture};
  if (folders.size() == 2) return OpenedFiles{folders, OpenedAs::captures};
  return Result<OpenedFiles>(invalid("{} captures were given; give one, or two to compare", folders.size()));
}

}  // namespace

OpenedFiles recogniseTensors(const QStringList& paths, std::optional<Index> layer) {
  auto attention = attentionFiles(paths);
  OpenedFiles files{paths, OpenedAs::tensors, attention ? std::move(attention->mask) : std::nullopt, layer};
  if (files.mask && isOfOtherLayer(*files.mask, layer)) files.mask.reset();
  return files;
}

Result<OpenedFiles> recogniseFiles(const QStringList& paths) {
  if (paths.size() == 1) return recogniseFile(paths.front());
  if (auto captures = asCaptures(paths)) return *captures;
  if (std::ranges::all_of(paths, isModel)) {
    if (paths.size() == 2) return OpenedFiles{paths, OpenedAs::models};
    return invalid("{} models were given; give one, or two to compare", paths.size());
  }
  if (auto checked = checkReadable(paths); !checked) return checked.error();
  if (auto tensors = asTensors(paths)) return *tensors;
  // A dialog asks for their roles.
  if (!tensor_view().empty() && looksLikeAttention(paths)) return OpenedFiles{paths, OpenedAs::tensors};
  QStringList names;
  for (const auto& path : paths) names << QFileInfo(path).fileName();
  return invalid(
      "{} cannot be opened together; several files must be q, k and v by their names or shapes, two models or two "
      "captures",
      shortened(shown_path(bytesOf(names.join(QStringLiteral(", ")))), longestList));
}

Result<ReadFiles> readFiles(const OpenedFiles& files) {
  ReadFiles read{files};
  Result<void> done;
  switch (files.as) {
    case OpenedAs::session: done = readSession(read); break;
    case OpenedAs::model:
    case OpenedAs::models: done = readModels(read); break;
    case OpenedAs::tensors: done = readTensors(read); break;
    case OpenedAs::capture:
    case OpenedAs::captures: done = readCaptures(read); break;
    case OpenedAs::mask:
    case OpenedAs::folder: break;
  }
  if (!done) return done.error();
  read.isPath = files.paths.size() == 1 && QFileInfo::exists(files.paths.front());
  return read;
}

bool isCompiledIn(const QStringList& paths) {
  return std::ranges::all_of(paths, [](const QString& path) { return path.startsWith(QLatin1String(":/")); });
}

}  // namespace vqscope
