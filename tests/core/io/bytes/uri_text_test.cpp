// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/uri_text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class UriTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void only_unreserved_bytes_stay() {
    COMPARE_TEXT(uri_text("a/B-9_~.png"), "a/B-9_~.png");
    COMPARE_TEXT(uri_text("my mask (1)%#.svg"), "my%20mask%20%281%29%25%23.svg");
    COMPARE_TEXT(uri_text("\xc3\xa4"), "%C3%A4");
  }
};

VQSCOPE_TEST(UriTextTest)
#include "uri_text_test.moc"
