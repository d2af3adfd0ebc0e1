// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/numbers.h"

#include "tests/core/export/test_numbers.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <memory>
#include <new>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr NumberFormat formats[]{NumberFormat::csv, NumberFormat::npy, NumberFormat::json};

/// A field that must be prepared before it is read.
class PreparedField : public FunctionField {
 public:
  explicit PreparedField(Result<void> ready)
      : FunctionField({4, 3}, CellType::float32, [](Index, Index) { return 1.0; }), m_ready(std::move(ready)) {}
  Result<void> prepare(const Work&) const override { return m_ready; }

 private:
  Result<void> m_ready;
};

}  // namespace

class NumbersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// No exception leaves core.
  void memory_that_is_short_is_one_sentence() {
    const auto numbers =
        field_numbers({4, 3}, CellType::float32, [](Index, Index) -> double { throw std::bad_alloc(); });
    for (const auto format : formats) {
      StringSink sink;
      const auto written = write_numbers(numbers, format, sink);
      QCOMPARE(written.error().code, Errc::too_large);
      COMPARE_ERROR(written, "there is not enough memory for this; use fewer tokens or smaller sizes");
    }
  }

  void numbers_of_a_failed_preparation_are_not_written() {
    auto numbers = field_numbers({4, 3}, CellType::float32, [](Index, Index) { return 1.0; });
    for (const Error& error : {cancelled(), invalid("no tokens")}) {
      std::get<FieldBlock>(numbers.data).field = std::make_shared<PreparedField>(error);
      for (const auto format : formats) {
        StringSink sink;
        COMPARE_ERROR(write_numbers(numbers, format, sink), error.message.c_str());
      }
    }
  }

  /// Curves that are being computed elsewhere are not computed again, unless they do not come.
  void coming_curves_are_taken() {
    const Method& method = curve_method();
    const auto made = [&](const ComingCurves& coming) {
      return make_numbers({.method = &method, .values = default_values(method.parameters), .coming = coming});
    };
    const auto taken = made([](const Work&) { return std::make_shared<const CurveSet>(CurveSet{.x = {7}}); });
    QCOMPARE(taken->curves()->x, std::vector<double>{7});
    const auto own = made([](const Work&) { return nullptr; });
    QCOMPARE(own->curves()->x, std::vector<double>{1});
  }

  void stopped_job_returns_cancelled() {
    std::stop_source source;
    source.request_stop();
    for (const Method* method : {&matrix_method(), &curve_method()}) {
      const auto made = make_numbers({.method = method, .values = default_values(method->parameters)},
                                     {.progress = {}, .stop = source.get_token()});
      QCOMPARE(made.error().code, Errc::cancelled);
    }
  }
};

VQSCOPE_TEST(NumbersTest)
#include "numbers_test.moc"
