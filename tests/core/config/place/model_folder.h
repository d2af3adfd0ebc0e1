// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <string>
#include <utility>
#include <vector>

namespace vqscope::test {

using NamedShapes = std::vector<std::pair<std::string, std::vector<Index>>>;

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
  /// A safetensors file of tensors of a dtype with two bytes, whose data is a hole.
  bool writeShapes(const QString& name, const NamedShapes& tensors, const std::string& dtype = "BF16") const {
    std::string header = "{";
    Index end = 0;
    for (const auto& [tensor, shape] : tensors) {
      Index bytes = 2;
      std::string sizes;
      for (const Index size : shape) {
        bytes *= size;
        sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
      }
      header += (header.size() > 1 ? ",\"" : "\"") + tensor + R"(":{"dtype":")" + dtype + R"(","shape":[)" + sizes +
                R"(],"data_offsets":[)" + std::to_string(end) + "," + std::to_string(end + bytes) + "]}";
      end += bytes;
    }
    header += "}";
    std::string start(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) start[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    const std::string head = start + header;
    return write(name, head) && QFile::resize(m_folder.filePath(name), static_cast<qint64>(head.size()) + end);
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

/// The tensors of a model such as plainLlama.
struct LlamaShapes {
  Index hidden = 64, heads = 4, key_value_heads = 2, dim = 16, layers = 2, vocabulary = 100;
  bool output = true;
  Index norm = 0;  ///< size of q_norm and k_norm; 0: none

  NamedShapes tensors() const {
    NamedShapes all{{"model.embed_tokens.weight", {vocabulary, hidden}}};
    for (Index layer = 0; layer < layers; ++layer) {
      const std::string name = "model.layers." + std::to_string(layer) + ".self_attn.";
      all.insert(all.end(), {{name + "q_proj.weight", {heads * dim, hidden}},
                             {name + "k_proj.weight", {key_value_heads * dim, hidden}},
                             {name + "v_proj.weight", {key_value_heads * dim, hidden}},
                             {name + "o_proj.weight", {hidden, heads * dim}}});
      if (norm > 0) all.insert(all.end(), {{name + "q_norm.weight", {norm}}, {name + "k_norm.weight", {norm}}});
    }
    if (output) all.push_back({"lm_head.weight", {vocabulary, hidden}});
    return all;
  }
};

}  // namespace vqscope::test
