// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/variant.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace vqscope;

namespace {

bool memoryIsLeft = true;

/// Memory that can be out, for one type of list alone.
template <class T>
struct ScarceMemory {
  using value_type = T;
  T* allocate(std::size_t count) {
    if (!memoryIsLeft) throw std::bad_alloc();
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) { std::allocator<T>().deallocate(memory, count); }
  friend bool operator==(const ScarceMemory&, const ScarceMemory&) = default;
};

using ScarceList = std::vector<int, ScarceMemory<int>>;
/// As many as a parameter's value has: of fewer kinds the compiler makes code that happens to be
/// right.
using Value = Variant<long, double, bool, std::string, std::vector<std::string>, ScarceList, std::vector<double>>;

template <class Act>
bool runsOutOfMemory(const Act& act) {
  memoryIsLeft = false;
  try {
    act();
  } catch (const std::bad_alloc&) {
    memoryIsLeft = true;
    return true;
  }
  memoryIsLeft = true;
  return false;
}

}  // namespace

class VariantTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void copies_are_equal() {
    const Value list = ScarceList{1, 2, 3};
    const Value copy = list;
    QVERIFY(copy == list);
    Value other = 2.5;
    other = copy;
    QVERIFY(other == list);
    other = std::string("text");
    QCOMPARE(std::get<std::string>(other), std::string("text"));
    const Value moved = std::move(other);
    QCOMPARE(std::visit([](const auto& value) { return sizeof(value); }, moved), sizeof(std::string));
  }

  /// Memory of garbage shows what is destroyed that was never made.
  void failed_copy_is_not_destroyed() {
    const Value list = ScarceList{1, 2, 3};
    for (const int garbage : {0, 1, 2, 0xff}) {
      alignas(Value) unsigned char place[sizeof(Value)];
      std::fill_n(place, sizeof place, static_cast<unsigned char>(garbage));
      QVERIFY(runsOutOfMemory([&] { new (place) Value(list); }));
    }
  }

  void failed_assignment_keeps_the_value() {
    const Value list = ScarceList{1, 2, 3};
    Value text = std::string("text");
    QVERIFY(runsOutOfMemory([&] { text = list; }));
    QCOMPARE(std::get<std::string>(text), std::string("text"));
    Value shorter = ScarceList{1};
    QVERIFY(runsOutOfMemory([&] { shorter = list; }));
    QVERIFY(shorter == Value(ScarceList{1}));
  }
};

VQSCOPE_TEST(VariantTest)
#include "variant_test.moc"
