// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/texts.h"

namespace vqscope::monkey {
namespace {

const QStringList& masks() {
  static const QStringList all{
      "return kv_idx <= q_idx",
      "kv_idx <= q_idx",
      "def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n",
      "causal = q_idx >= kv_idx\nwindow = q_idx - kv_idx < 128\nreturn causal & window\n",
      "return (q_idx * kv_idx) % 7 < 3",
      "return (q_idx * q_idx + kv_idx) % 13 == kv_idx // 3 % 5",
      "return (q_idx % 7 == 3) & (kv_idx % 11 < 4) | (q_idx + kv_idx) % 17 == 2",
      "return q_idx // (kv_idx + 1) > 2",
      "return 5 // kv_idx > q_idx",
      "return kv_idx <= prefix_length[b]",
      "return kv_idx <= prefix_lengths[b]",
      "return kv_idx < padding[b]",
      "return kv_idx <= document_lengths",
      "return (kv_idx <= q_idx) & (document_id[q_idx] == document_id[kv_idx])",
      "return doc[q_idx] == doc[kv_idx + 1]",
      "return table[q_idx - kv_idx] > 0",
      "return kv_idx <= windw",
      "return kv_idx - q_idx",
      "return True",
      "return False",
      "return not (kv_idx > q_idx)",
      "return q_idx - kv_idx < SLIDING_WINDOW if q_idx > 10 else kv_idx == 0",
      "return abs(q_idx - kv_idx) <= 16",
      "return (q_pos >= kv_pos) & (q_doc == kv_doc) & key_valid",
      "return (q_idx ^ kv_idx) & 1 == 0",
      "return q_idx * 4611686018427387904 < kv_idx",
      "return -9223372036854775808 // -1 < kv_idx",
      "retu",
      "return kv_idx <= ",
      "return ((((((((((kv_idx",
      "def mask_mod(b, h, q_idx, kv_idx):\n    return",
      "import torch\nfrom torch.nn.attention.flex_attention import create_block_mask\n"
      "def sliding(b, h, q, kv):\n    causal = q >= kv\n    w = q - kv <= 1024\n    return causal & w\n"
      "block_mask = create_block_mask(sliding, None, None, 8192, 8192)\n",
      "",
      "# a remark alone",
      "return kv_idx ≤ q_idx",
      "return kv_idx <= q_idx\treturn",
      "def mask_mod(b, h, q_idx, kv_idx):\r\n    return q_idx >= kv_idx\r\n",
      "return q_idx % kv_idx == 0",
      "return (q_idx * q_idx * q_idx) % 1009 < (kv_idx * kv_idx) % 997",
      "return (q_idx << 70) > kv_idx",
      "return (q_idx >> -1) > kv_idx",
      "return q_idx ** kv_idx > 5",
      "return doc[doc[doc[q_idx]]] == doc[kv_idx]",
      "return window[h][b] > kv_idx",
      "return lengths[b, h] > kv_idx - q_idx",
      "a = b = q_idx\nreturn a >= kv_idx",
      "return min(q_idx, kv_idx) == max(q_idx, kv_idx)",
      "return lambda q: q",
      "return q_idx >= kv_idx and q_idx < kv_idx or h == 3",
      "return padding_side == kv_idx",
      "return terms_off | mask | mask_text | q_length > kv_idx",
      "return block_size <= kv_idx // block_size",
      "causal_mask = q_idx >= kv_idx\ncausal_mask = causal_mask & causal_mask\nreturn causal_mask",
      "return (q_idx >= kv_idx) & (q_idx >= kv_idx) & (q_idx >= kv_idx) & (q_idx >= kv_idx) | False",
      "return torch.where(q_idx > 5, kv_idx < 3, kv_idx > 3)",
      "def f(x):\n    return f(x)\ndef mask_mod(b, h, q_idx, kv_idx):\n    return f(q_idx) > kv_idx\n",
      "return 0 < kv_idx < q_idx < 4096",
      "return -kv_idx // 3 % -7 == ~q_idx",
      "return 0x7fffffffffffffff + q_idx > kv_idx",
  };
  return all;
}

const QStringList& numbers() {
  static const QStringList all{"0",
                               "1",
                               "2",
                               "-1",
                               "16",
                               "63",
                               "128",
                               "512",
                               "1000",
                               "4096",
                               "8k",
                               "65536",
                               "131072",
                               "2M",
                               "2097152",
                               "2147483647",
                               "2147483648",
                               "4294967296",
                               "9223372036854775807",
                               "9223372036854775808",
                               "99999999999999999999999999",
                               "0.5",
                               "-0.0",
                               "1e-300",
                               "1e308",
                               "1e999",
                               "nan",
                               "inf",
                               "-inf",
                               "3.14159",
                               "1,2,3",
                               "1, 2, 3, 100000",
                               "32,100,150,130,100",
                               "0,0,0",
                               ",",
                               "1;2",
                               "0x10",
                               "1e3",
                               "10:20",
                               "5:",
                               ":",
                               "20:10",
                               "230, 317",
                               "5 5"};
  return all;
}

}  // namespace

QString maskText(Chance& chance) {
  QString text = chance.of(masks());
  if (chance.in(20) && !text.isEmpty()) text.truncate(chance.below(static_cast<int>(text.size())));
  if (chance.in(15)) text.insert(chance.below(static_cast<int>(text.size()) + 1), garbage(chance).left(12));
  if (chance.in(5)) {
    while (text.size() < 20000) text += text.isEmpty() ? QStringLiteral("kv_idx + ") : QLatin1Char('\n') + text;
  }
  return text;
}

QString numberText(Chance& chance) {
  if (chance.in(60)) return chance.of(numbers());
  QString text = QString::number(chance.below(chance.in(50) ? 100 : 5000));
  for (int i = chance.in(15) ? chance.below(40) : 0; i > 0; --i)
    text += QLatin1Char(',') + QString::number(chance.below(300));
  return text;
}

QString garbage(Chance& chance) {
  switch (chance.below(7)) {
    case 0: return QStringLiteral("äöü – 日本語 🙂 \u202e\u0301");
    case 1: return QString(20000, QChar('a' + chance.below(26)));
    case 2: return QStringLiteral("%1 %n %s <b>bold</b> &amp; \\ \" ' `");
    case 3: return QString(chance.between(1, 60), QLatin1Char('('));
    case 4: return QStringLiteral("q.npy:q[0,1]");
    case 5: return QStringLiteral("/nowhere/at/all.npz:q");
    default: {
      QString text;
      for (int i = chance.below(40); i >= 0; --i) text += QChar(chance.between(32, 126));
      return text;
    }
  }
}

QString anyText(Chance& chance) {
  const int kind = chance.below(10);
  return kind < 5 ? numberText(chance) : kind < 8 ? maskText(chance) : garbage(chance);
}

}  // namespace vqscope::monkey
