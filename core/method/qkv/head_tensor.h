// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of one head or several that parameters name, of which a method takes one head.
#pragma once

#include "core/io/tensor/tensor_file.h"
#include "core/method/qkv/head_layout.h"

#include <stop_token>

namespace vqscope {

/// A matrix [T, d], or with heads, before its numbers are read. Errors begin with the name of the
/// parameter, the file and the shape.
class HeadTensor {
 public:
  /// The tensor that FILE, FILE:NAME or FILE:NAME[layer,head] names, of two or three dimensions.
  static Result<HeadTensor> find(const std::string& parameter, const std::string& text);

  /// "q_tensor = q.npy".
  const std::string& title() const { return m_title; }
  /// "q_tensor = q.npy is [4, 512, 64]".
  std::string shown() const { return m_title + " is " + shape_words(m_stored.shape); }
  NamedShape shape() const { return {m_title, m_stored.shape}; }
  bool has_heads() const { return m_stored.shape.size() == 3; }

  Index heads(HeadLayout layout) const { return heads_of(m_stored.shape, layout); }
  Index rows(HeadLayout layout) const { return tokens_of(m_stored.shape, layout); }
  Index cols() const { return m_stored.shape.back(); }

  /// The matrix [rows, cols] of a head. Refuses numbers that are not finite.
  Result<std::vector<float>> read(HeadLayout layout, Index head, const std::stop_token& stop = {}) const;

 private:
  HeadTensor(std::string title, StoredTensor stored) : m_title(std::move(title)), m_stored(std::move(stored)) {}

  std::string m_title;
  StoredTensor m_stored;
};

/// The head that a method takes of tensors that belong together.
struct ChosenHead {
  ChosenLayout layout;
  Index heads = 0;  ///< of q; 0: the tensors have no dimension of heads
  Index head = 0;   ///< of q
  Index kv_heads = 1;

  Index of(const HeadTensor& tensor) const { return head_among(tensor.heads(layout.layout)); }
  /// Several heads of q share one of k.
  Index head_among(Index some) const { return heads > 0 && some > 0 ? head / (heads / some) : 0; }
};

/// From `head` and `tensor_layout`, where `values` have them. `qkv`: q, k and, if given, v; or k
/// and v alone, with `num_heads` heads of q, if set. Refuses a head that q does not have.
Result<ChosenHead> choose_head(const std::vector<const HeadTensor*>& qkv, const ParameterValues& values,
                               bool fewer_queries = false);

/// "q_tensor = q.npy is [4, 512, 64]: head 2 of 4", and how the layout was guessed. Empty without
/// heads.
std::string head_sentence(const HeadTensor& q, const ChosenHead& chosen);

/// `head` and `tensor_layout`, relevant where `relevant` holds.
std::vector<ParameterSpec> head_parameters(const std::string& group, const std::vector<Relevance>& relevant);

}  // namespace vqscope
