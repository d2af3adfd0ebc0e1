// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/path_text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PathTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_and_suffixes() {
    COMPARE_TEXT(std::string(file_name("a/b.d/mask.NPY")), "mask.NPY");
    COMPARE_TEXT(std::string(file_name("mask")), "mask");
    COMPARE_TEXT(std::string(file_name("a/")), "");
    COMPARE_TEXT(file_suffix("a/b.d/mask.NPY"), "npy");
    COMPARE_TEXT(file_suffix("a.b/mask"), "");
    COMPARE_TEXT(file_suffix("weights.tar.Gz"), "gz");
    COMPARE_TEXT(file_suffix("mask."), "");
  }

  void sentences_quote_them() {
    COMPARE_TEXT(shown_path("a\xff"), "a\ufffd");
    QCOMPARE(QString::fromStdString(shown_path(std::string(500, 'x'))).size(), 160);
  }
};

VQSCOPE_TEST(PathTextTest)
#include "path_text_test.moc"
