// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/layer_tensor.h"

#include <algorithm>

namespace vqscope {
namespace {

using Strides = std::span<const std::uint64_t>;

/// Collects readings with how many known sizes speak for and against each.
class ReadingList {
 public:
  ReadingList(TensorRole role, const CaptureSizes& sizes) : m_sizes(sizes), m_keys(is_of_keys(role)), m_role(role) {}

  void add(std::array<Index, 4> extent, std::array<std::uint64_t, 4> stride, const char* order) {
    Item item{{extent, {}, order}, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) item.reading.stride[i] = static_cast<Index>(stride[i]);
    if (std::any_of(extent.begin(), extent.end(), [](Index each) { return each < 1; })) return;
    if (axes_of(m_role) == TensorAxes::cells) {
      weigh(item, {{m_sizes.batch, 1}}, extent[0]);
      weigh(item, {{m_sizes.heads, 1}}, extent[1]);
      weigh(item, {{m_sizes.queries, 0}}, extent[2]);
      weigh(item, {{m_sizes.keys, 0}}, extent[3]);
    } else {
      weigh(item, {{m_sizes.batch, 0}}, extent[0]);
      if (axes_of(m_role) == TensorAxes::vectors) {
        weigh(item, {{m_keys ? m_sizes.key_heads : m_sizes.heads, 0}}, extent[1]);
        weigh(item, {{m_sizes.head_dim, 0}}, extent[3]);
      }
      weigh(item, {{m_sizes.queries, 0}, {m_sizes.keys, 0}}, extent[2]);
    }
    m_items.push_back(item);
  }

  std::vector<TensorReading> best_first() {
    std::stable_sort(m_items.begin(), m_items.end(), [](const Item& a, const Item& b) {
      return a.against != b.against ? a.against < b.against : a.in_favour > b.in_favour;
    });
    std::vector<TensorReading> readings;
    for (const Item& item : m_items)
      if (item.against == m_items.front().against && item.in_favour == m_items.front().in_favour &&
          std::find(readings.begin(), readings.end(), item.reading) == readings.end())
        readings.push_back(item.reading);
    return readings;
  }

 private:
  struct Item {
    TensorReading reading;
    int against = 0, in_favour = 0;
  };
  struct Allowed {
    std::optional<Index> size;
    Index other;  ///< 0: no other
  };

  static void weigh(Item& item, std::initializer_list<Allowed> allowed, Index extent) {
    bool known = false, fits = false;
    for (const Allowed& each : allowed) {
      if (!each.size) continue;
      known = true;
      fits = fits || extent == *each.size || (each.other > 0 && extent == each.other);
    }
    if (known) (fits ? item.in_favour : item.against) += 1;
  }

  CaptureSizes m_sizes;
  bool m_keys;
  TensorRole m_role;
  std::vector<Item> m_items;
};

/// Splits rows [B·T] and columns [heads·d] by every size that is known.
void add_flat(ReadingList& list, const CapturedTensor& tensor, const CaptureSizes& sizes, bool keys, Strides s) {
  const Index rows = tensor.shape[0], columns = tensor.shape[1];
  const auto heads = keys ? sizes.key_heads : sizes.heads;
  const Index batch = sizes.batch.value_or(1);
  if (rows % batch != 0) return;
  const auto split = [&](Index count) {
    if (count < 1 || columns % count != 0) return;
    const Index dims = columns / count, t = rows / batch;
    list.add({batch, count, t, dims},
             {static_cast<std::uint64_t>(t) * s[0], static_cast<std::uint64_t>(dims) * s[1], s[0], s[1]}, "[B*T, H*d]");
  };
  if (heads) split(*heads);
  if (!heads && sizes.head_dim && columns % *sizes.head_dim == 0) split(columns / *sizes.head_dim);
  if (!heads && !sizes.head_dim) split(1);
}

void add_vectors(ReadingList& list, const CapturedTensor& tensor, const CaptureSizes& sizes, bool keys, Strides s) {
  const auto& n = tensor.shape;
  if (n.size() == 2) add_flat(list, tensor, sizes, keys, s);
  if (n.size() == 4) {
    list.add({n[0], n[1], n[2], n[3]}, {s[0], s[1], s[2], s[3]}, "[B, H, T, d]");
    list.add({n[0], n[2], n[1], n[3]}, {s[0], s[2], s[1], s[3]}, "[B, T, H, d]");
  }
  if (n.size() != 3) return;
  list.add({1, n[0], n[1], n[2]}, {0, s[0], s[1], s[2]}, "[H, T, d]");
  list.add({1, n[1], n[0], n[2]}, {0, s[1], s[0], s[2]}, "[T, H, d]");
  const auto heads = keys ? sizes.key_heads : sizes.heads;
  const Index count = heads ? *heads : sizes.head_dim && n[2] % *sizes.head_dim == 0 ? n[2] / *sizes.head_dim : 0;
  if (count > 0 && n[2] % count == 0)
    list.add({n[0], count, n[1], n[2] / count}, {s[0], static_cast<std::uint64_t>(n[2] / count) * s[2], s[1], s[2]},
             "[B, T, H*d]");
}

}  // namespace

std::vector<TensorReading> readings_of(const CapturedTensor& tensor, TensorRole role, const CaptureSizes& sizes,
                                       Strides s) {
  ReadingList list(role, sizes);
  const auto& n = tensor.shape;
  switch (axes_of(role)) {
    case TensorAxes::vectors: add_vectors(list, tensor, sizes, is_of_keys(role), s); break;
    case TensorAxes::cells:
      if (n.size() == 4) list.add({n[0], n[1], n[2], n[3]}, {s[0], s[1], s[2], s[3]}, "[B, H, Tq, Tk]");
      if (n.size() == 3) list.add({1, n[0], n[1], n[2]}, {0, s[0], s[1], s[2]}, "[H, Tq, Tk]");
      if (n.size() == 3) list.add({n[0], 1, n[1], n[2]}, {s[0], 0, s[1], s[2]}, "[B, Tq, Tk]");
      if (n.size() == 2) list.add({1, 1, n[0], n[1]}, {0, 0, s[0], s[1]}, "[Tq, Tk]");
      break;
    case TensorAxes::rows:
      if (n.size() == 3) list.add({n[0], 1, n[1], n[2]}, {s[0], 0, s[1], s[2]}, "[B, T, D]");
      if (n.size() == 2 && n[0] % sizes.batch.value_or(1) == 0) {
        const Index batch = sizes.batch.value_or(1), t = n[0] / batch;
        list.add({batch, 1, t, n[1]}, {static_cast<std::uint64_t>(t) * s[0], 0, s[0], s[1]}, "[B*T, D]");
      }
      break;
    case TensorAxes::other:
      if (n.size() == 3) list.add({n[0], 1, n[1], n[2]}, {s[0], 0, s[1], s[2]}, "[B, T, r]");
      if (n.size() == 2) list.add({1, 1, n[0], n[1]}, {0, 0, s[0], s[1]}, "[T, r]");
      if (n.size() == 1) list.add({1, 1, 1, n[0]}, {0, 0, 0, s[0]}, "[T]");
      break;
  }
  return list.best_first();
}

}  // namespace vqscope
