// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <string>

namespace vqscope::test {

/// Files of models below a temporary folder.
class ModelFolder {
 public:
  ModelFolder() { QDir(m_folder.path()).mkpath("hub"); }

  std::string path(const QString& name = {}) const { return m_folder.filePath(name).toStdString(); }
  /// Writes a file, with the folders that it is in. Whether that works.
  bool write(const QString& name, const std::string& bytes) const {
    const QString path = m_folder.filePath(name);
    QFile file(path);
    const auto size = static_cast<qint64>(bytes.size());
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
           file.write(bytes.data(), size) == size;
  }
  /// A file of a snapshot, which is a link to a blob as huggingface_hub makes it.
  bool writeSnapshot(const QString& model, const QString& commit, const QString& name, const std::string& bytes) const {
    const QString blob = QString::number(m_blobs++);
    const QString folder = QStringLiteral("hub/") + model + QStringLiteral("/snapshots/") + commit;
    return write(QStringLiteral("hub/") + model + QStringLiteral("/blobs/") + blob, bytes) &&
           QDir().mkpath(m_folder.filePath(folder)) &&
           QFile::link(QStringLiteral("../../blobs/") + blob, m_folder.filePath(folder + u'/' + name));
  }

 private:
  QTemporaryDir m_folder;
  mutable int m_blobs = 0;
};

inline const char* const plainLlama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
  "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2, "vocab_size": 100,
  "max_position_embeddings": 128, "rope_theta": 10000.0, "tie_word_embeddings": false})";

}  // namespace vqscope::test
