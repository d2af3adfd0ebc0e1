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
  void masks_that_are_causal_are_not_left_out() {
    QCOMPARE(left_out([](Index q, Index k) { return k <= q; }), std::string());
    QCOMPARE(left_out({}), std::string());
    QCOMPARE(unapplied_mask("none.safetensors:q"), std::string());
    QCOMPARE(unapplied_mask("-"), std::string());
  }

  void others_are_named_with_what_they_do() {
    const std::string name = "the mask a.safetensors:attn_mask is not applied; it ";
    COMPARE_TEXT(left_out([](Index q, Index k) { return k <= q && q - k < 3; }),
                 name + "hides keys that causal attention sees");
    COMPARE_TEXT(left_out([](Index, Index k) { return k < 6; }), name + "shows keys that causal attention hides");
    COMPARE_TEXT(left_out([](Index q, Index k) { return k >= q; }),
                 name + "hides and shows other keys than causal attention");
  }

 private:
  static std::string left_out(const std::function<bool(Index, Index)>& visible) {
    const QTemporaryDir folder;
    std::vector<NamedTensor> all{{"q", {1, 6, 2}, std::vector<float>(12)}};
    std::vector<float> cells;
    for (Index cell = 0; visible && cell < 36; ++cell) cells.push_back(visible(cell / 6, cell % 6) ? 0 : -1e9F);
    if (visible) all.push_back({"attn_mask", {1, 1, 6, 6}, std::move(cells)});
    StringSink bytes;
    if (!write_safetensors(all, bytes)) return "not written";
    const QString path = writtenFile(folder, "a.safetensors", QByteArray::fromStdString(bytes.text()));
    return unapplied_mask(path.toStdString() + ":q");
  }
};

VQSCOPE_TEST(MaskBesideTest)
#include "mask_beside_test.moc"
