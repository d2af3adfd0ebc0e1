// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/run/run_file.h"
#include "core/run/sweep.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// The norm that page VQ shows in a session with this subject and these values of the page.
std::string norm_in(int format, const std::string& values, const std::string& subject = "{}") {
  const auto read = parse_session(R"({"vqscope": )" + std::to_string(format) + R"(, "subject": )" + subject +
                                  R"(, "workspaces": [{"id": "vq", "values": )" + values + "}]}");
  if (!read || !read->notes.empty()) return read ? read->notes.front() : read.error().message;
  return shown_page(read->session, "vq").values.choice("normalize");
}

}  // namespace

/// "paper" was LayerNorm until the paper's own norm had that name.
class EarlierSessionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sessions_keep_their_norm() {
    QCOMPARE(norm_in(2, R"({"normalize": "paper"})"), "layer_norm");
    QCOMPARE(norm_in(2, R"({"normalize": "paper_code"})"), "paper");
    QCOMPARE(norm_in(2, R"({"normalize": "scale"})"), "scale");
    QCOMPARE(norm_in(2, R"({"n_code": 8})"), "layer_norm");
    QCOMPARE(norm_in(3, R"({"normalize": "paper"})"), "paper");
    QCOMPARE(norm_in(3, R"({"n_code": 8})"), "paper");
    const auto pinned = parse_session(R"({"vqscope": 2, "pins": [{"method": "vq_weights", "values": {}}]})");
    QVERIFY(pinned && pinned->notes.empty());
    QCOMPARE(pinned->session.pins.front().values.choice("normalize"), "layer_norm");
  }

  void written_sessions_are_read_as_they_are() {
    const Session session = default_session();
    const auto read = parse_session(session_text(session));
    QVERIFY(read && read->session == session);
  }

  /// A kept run is not taken for one with today's default.
  void runs_keep_their_norm() {
    const auto run = read_run(R"({"vqscope_run": 1, "id": "0", "method": "vq_occupancy", "x_name": "code", "x": [],
                                  "curves": [], "facts": [], "parameters": {"normalize": "paper", "seed": 3}})");
    QVERIFY(run);
    QCOMPARE(run->values.at("normalize"), "layer_norm");
    ParameterValues values;
    values.set("normalize", std::string("layer_norm"));
    values.set("seed", Index{3});
    QCOMPARE(run->id, run_id(*find_method("vq_occupancy"), values));
  }

  void refused_on_the_command_line() {
    const ParameterSpec& norm = *find_spec(find_method("vq_weights")->parameters, "normalize");
    COMPARE_ERROR(check_value(norm, std::string("paper_code")),
                  "normalize is paper_code but must be one of none, scale, paper, layer_norm");
  }
};

VQSCOPE_TEST(EarlierSessionsTest)
#include "earlier_sessions_test.moc"
