// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/files.h"

#include "core/io/npy/npy_writer.h"
#include "core/session/session_json.h"
#include "tests/monkey/act/texts.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace vqscope::monkey {
namespace {

QByteArray npy(const char* dtype, const std::vector<Index>& shape, const QByteArray& data) {
  return QByteArray::fromStdString(npy_header(dtype, shape)) + data;
}

QByteArray noise(qsizetype size, Chance& chance) {
  QByteArray bytes(size, '\0');
  for (char& each : bytes) each = static_cast<char>(chance.below(256));
  return bytes;
}

QByteArray csv(int rows, int cols, Chance& chance) {
  QByteArray text;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      text += col <= row || chance.in(2) ? '1' : '0';
      text += col + 1 < cols ? ',' : '\n';
    }
  return text;
}

QByteArray causalBytes(int size) {
  QByteArray cells;
  for (int row = 0; row < size; ++row)
    for (int col = 0; col < size; ++col) cells += col <= row ? '\1' : '\0';
  return cells;
}

QJsonValue changed(const QJsonValue& value, Chance& chance) {
  if (value.isDouble())
    return chance.in(80) ? QJsonValue(numberText(chance).toDouble()) : QJsonValue(value.toDouble() * 2 + 1);
  if (value.isBool()) return !value.toBool();
  if (value.isString()) return anyText(chance).left(300);
  return chance.in(50) ? QJsonValue() : QJsonValue(chance.below(100));
}

/// `percent` of the values that are no objects or lists take others.
QJsonValue mutated(const QJsonValue& value, int percent, Chance& chance) {
  if (value.isObject()) {
    QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) it.value() = mutated(it.value(), percent, chance);
    return object;
  }
  if (value.isArray() && !chance.in(percent)) {
    QJsonArray array = value.toArray();
    for (auto each : array) each = mutated(each, percent, chance);
    return array;
  }
  return chance.in(percent) ? changed(value, chance) : value;
}

template <class Number>
QByteArray littleEndian(Number number) {
  QByteArray bytes;
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

/// The head of a GGUF file of this many dimensions in so many layers, without its tensors.
QByteArray gguf(std::uint32_t layers, std::uint32_t dimensions, std::uint32_t heads) {
  constexpr std::uint32_t integer = 4, text = 8;
  const auto words = [](const QByteArray& all) { return littleEndian(std::uint64_t(all.size())) + all; };
  const auto number = [&](const char* key, std::uint32_t value) {
    return words(key) + littleEndian(integer) + littleEndian(value);
  };
  return "GGUF" + littleEndian(std::uint32_t{3}) + littleEndian(std::uint64_t{0}) + littleEndian(std::uint64_t{4}) +
         words("general.architecture") + littleEndian(text) + words("llama") + number("llama.block_count", layers) +
         number("llama.embedding_length", dimensions) + number("llama.attention.head_count", heads);
}

QByteArray safetensors(const QByteArray& header, const QByteArray& data) {
  return littleEndian(std::uint64_t(header.size())) + header + data;
}

}  // namespace

void Files::write(const QString& name, const QByteArray& bytes) {
  QFile file(m_folder + QLatin1Char('/') + name);
  if (file.open(QIODevice::WriteOnly)) file.write(bytes);
  m_names << name;
}

Files::Files(const QString& folder, Chance& chance) : m_folder(folder) {
  QDir().mkpath(folder);
  write("mask.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return (q_idx >= kv_idx) & (q_idx - kv_idx < WINDOW)\n");
  write("random.py", maskText(chance).toUtf8());
  write("mask.csv", csv(40, 40, chance));
  write("wide.csv", csv(3, 200, chance));
  write("ragged.csv", "1,0\n1\n1,1,1\n");
  write("mask.npy", npy("|b1", {64, 64}, causalBytes(64)));
  write("heads.npy", npy("|b1", {2, 3, 32, 32}, causalBytes(32).repeated(6)));
  write("additive.npy", npy("<f4", {16, 16}, QByteArray(16 * 16 * 4, '\0')));
  write("nan.npy", npy("<f4", {8, 8}, noise(256, chance)));
  write("lengths.npy", npy("<i8", {4}, QByteArray("\x20\0\0\0\0\0\0\0", 8).repeated(4)));
  write("q.npy", npy("<f4", {1, 2, 128, 16}, noise(1 * 2 * 128 * 16 * 4, chance)));
  write("cut.npy", npy("<f4", {1000, 1000}, "short"));
  write("huge.npy", npy("<f4", {1000000, 1000000}, ""));
  write("noise.npy", noise(500, chance));
  write("noise.npz", "PK\3\4" + noise(300, chance));
  write("empty.py", {});
  write("empty.json", {});
  write("list.json", "[1, 2, 3]");
  write("plain.json", R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4})");
  write("odd.json", R"({"model_type": 7, "rope_scaling": {"type": "yarn", "factor": -1}, "rope_theta": "x"})");
  write("wide.gguf", gguf(2, 1U << 24, 1));
  write("deep.gguf", gguf(0xffffffff, 4096, 32));
  write("small.gguf", gguf(8, 512, 8));
  write("wide.json", R"({"model_type": "llama", "hidden_size": 16777216, "num_attention_heads": 1})");
  write("nested.json", QByteArray(100000, '['));
  write("page.json", "<!DOCTYPE html><html><body>404</body></html>");
  write("pointer.npy", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
  write("pickle.npy", "\x80\4cposix\nsystem\nX\4\0\0\0true\x85R.");
  write("lies.safetensors", safetensors(R"({"q":{"dtype":"F32","shape":[99999999,99999999],"data_offsets":[0,16]}})",
                                        QByteArray(16, '\0')));
  write("qkv.safetensors", safetensors(R"({"q":{"dtype":"F32","shape":[8,4],"data_offsets":[0,128]},)"
                                       R"("k":{"dtype":"F32","shape":[8,4],"data_offsets":[0,128]},)"
                                       R"("v":{"dtype":"F32","shape":[8,4],"data_offsets":[0,128]}})",
                                       QByteArray(128, '\1')));
  for (const char* name : {"query.npy", "key.npy", "value.npy"})
    write(name, npy("<f4", {32, 8}, QByteArray(32 * 8 * 4, '\1')));
  write("slow.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return (q_idx * kv_idx) % 65537 < 3\n");
  write("damaged.vqscope", "{\"vqscope\": 1, \"current\": 5}");
  write("default.vqscope", QByteArray::fromStdString(session_text(default_session())));
  for (const auto& preset : QDir(QStringLiteral(":/configs")).entryList()) {
    QFile file(QStringLiteral(":/configs/") + preset);
    if (file.open(QIODevice::ReadOnly)) write(preset, file.readAll());
  }
  QImage picture(48, 48, QImage::Format_Grayscale8);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) picture.setPixel(x, y, x <= y ? 0xffffffff : 0xff000000);
  picture.save(m_folder + QStringLiteral("/mask.png"));
  m_names << "mask.png";
  write("noise.png", noise(200, chance));
}

QString Files::toOpen(Chance& chance) const {
  if (chance.in(3)) return m_folder;
  if (chance.in(4)) return m_folder + QStringLiteral("/nowhere.vqscope");
  if (chance.in(25)) {  // what was saved or exported
    const QStringList now = QDir(m_folder).entryList(QDir::Files);
    return m_folder + QLatin1Char('/') + chance.of(now);
  }
  return m_folder + QLatin1Char('/') + chance.of(m_names);
}

QString Files::rewrite(Chance& chance) const {
  const QString path = m_folder + QLatin1Char('/') + chance.of(m_names);
  QFile::remove(path);
  if (chance.in(85)) QFile::copy(m_folder + QLatin1Char('/') + chance.of(m_names), path);
  return path;
}

QString Files::toSave(Chance& chance) const {
  static const QStringList names{"one", "two.vqscope", "three.png", "four.csv", "ö 日本.json", "mask.py", "f.svg"};
  if (chance.in(4)) return m_folder + QStringLiteral("/no/such/folder/file");
  return m_folder + QLatin1Char('/') + chance.of(names);
}

QString Files::randomSession(const Session& now, Chance& chance) const {
  Session session = chance.in(60) ? now : default_session();
  if (chance.in(50)) session.current = chance.of(session.pages).id;
  if (chance.in(50)) {
    for (auto& each : session.pages)
      if (const auto& choices = find_page_info(each.id)->choices(); !choices.empty()) each.method = chance.of(choices);
  }
  auto json = QByteArray::fromStdString(session_text(session));
  if (chance.in(70)) {
    const QJsonValue whole = QJsonDocument::fromJson(json).object();
    json = QJsonDocument(mutated(whole, chance.between(0, 6), chance).toObject()).toJson();
  } else {
    for (int i = chance.between(1, 5); i > 0; --i)
      json[chance.below(static_cast<int>(json.size()))] = static_cast<char>(chance.below(256));
    if (chance.in(30)) json.truncate(chance.below(static_cast<int>(json.size())));
  }
  const QString path = m_folder + QStringLiteral("/random.vqscope");
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(json);
  return path;
}

}  // namespace vqscope::monkey
