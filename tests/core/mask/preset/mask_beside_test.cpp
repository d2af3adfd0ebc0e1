// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_beside.h"

#include "core/io/bytes/byte_sink.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace vqscope;
using namespace vqscope::test;

/// Files with q and a mask of 6 queries.
class MaskBesideTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masks_that_are_causal_are_none() {
    QVERIFY(!beside([](Index q, Index k) { return k <= q; }));
    QVERIFY(!beside({}));
    QVERIFY(!mask_beside("none.safetensors:q"));
    QVERIFY(!mask_beside("-"));
  }

  void others_are_named() {
    const auto windowed = beside([](Index q, Index k) { return k <= q && q - k < 3; });
    QVERIFY(windowed && windowed->same_in_all_heads);
    COMPARE_TEXT(windowed->title, "a.safetensors:attn_mask");
    QVERIFY(windowed->path.ends_with("a.safetensors:attn_mask"));
    QVERIFY(windowed->extent == (Extent{6, 6}));
    QVERIFY(beside([](Index, Index k) { return k < 6; }));
    QVERIFY(beside([](Index q, Index k) { return k >= q; }));
  }

  void masks_that_differ_by_head_are_told_apart() {
    const auto heads = beside([](Index q, Index k) { return k <= q; }, 2);
    QVERIFY(heads && !heads->same_in_all_heads);
  }

 private:
  static std::optional<MaskBeside> beside(const std::function<bool(Index, Index)>& visible, Index heads = 1) {
    const QTemporaryDir folder;
    std::vector<NamedTensor> all{{"q", {1, 6, 2}, std::vector<float>(12)}};
    std::vector<float> cells;
    for (Index cell = 0; visible && cell < 36 * heads; ++cell)
      cells.push_back(visible(cell % 36 / 6, cell % 6) ? 0 : -1e9F);
    if (visible) all.push_back({"attn_mask", {1, heads, 6, 6}, std::move(cells)});
    StringSink bytes;
    if (!write_safetensors(all, bytes)) return std::nullopt;
    const QString path = writtenFile(folder, "a.safetensors", QByteArray::fromStdString(bytes.text()));
    return mask_beside(path.toStdString() + ":q");
  }
};

VQSCOPE_TEST(MaskBesideTest)
#include "mask_beside_test.moc"
