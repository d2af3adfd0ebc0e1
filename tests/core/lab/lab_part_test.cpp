// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/lab/lab_part.h"

#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "tests/core/catalogue/gallery_files.h"
#include "tests/support/test_main.h"

using namespace vqscope;

/// All parts of the lab are there, once.
class LabPartTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void its_gallery() {
    const auto pages = test::pages_of_gallery_files("resources/gallery/lab", 10);
    QCOMPARE(pages, (std::set<std::string>{"attention", "experiments"}));
  }

  void its_methods() {
    QCOMPARE(added_parts().size(), std::size_t{1});
    QCOMPARE(left_out_remark(), std::string_view());
    for (const Method& method : lab_part().methods) QVERIFY2(find_method(method.id), method.id.c_str());
    QVERIFY(find_method(tensor_view()));
    QVERIFY(find_method(mask_test().method));
  }
};

VQSCOPE_TEST(LabPartTest)
#include "lab_part_test.moc"
