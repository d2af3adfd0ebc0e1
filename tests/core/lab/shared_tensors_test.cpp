// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/catalogue/registry.h"
#include "core/io/npy/npy_writer.h"
#include "core/session/resolve.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"
#include "core/session/subject/subject_tensors.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QTest>

#include <memory>

using namespace vqscope;
using namespace vqscope::test;

/// Tensors of q, k and v that all pages share.
class SharedTensorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pagesTakeTheTensors() {
    Session session = opened(default_session());
    QCOMPARE(session.current, std::string("vq"));
    const ShownPage vq = shown_page(session, "vq");
    QCOMPARE(vq.values.choice("data"), std::string("tensors"));
    QCOMPARE(vq.values.text("q_tensor"), path("q"));
    QVERIFY(vq.own.map().empty());
    QVERIFY(is_linked(vq, "k_tensor"));
    for (const auto& [page, method] :
         {std::pair("experiments", "vq_error_by_token"), {"memory", "infini_memory"}, {"scores", "rope_own_scores"}}) {
      find_page(session, page)->method = method;
      const ShownPage shown = shown_page(session, page);
      const char* data = find_spec(find_method(method)->parameters, "data") ? "data" : "vectors";
      QVERIFY2(shown.values.choice(data) == "tensors", page);
      QVERIFY2(shown.values.text("k_tensor") == path("k"), page);
      QVERIFY2(shown.values.integer("q_length") == 64, page);
      QVERIFY2(check_page(shown), page);
    }
    QCOMPARE(shown_page(session, "memory").values.integer("segment_len"), Index{16});
    QVERIFY(is_linked(shown_page(session, "experiments"), "v_tensor"));
    for (const char* page : {"vq", "memory"})
      QCOMPARE(shown_page(session, page).values.find("normalize") ? shown_page(session, page).values.choice("normalize")
                                                                  : std::string("scale"),
               std::string("scale"));
  }

  /// The model's RoPE rotates the tensors; without a model they are taken as they are.
  void theRopeOfTheModelRotatesTensors() {
    Session session = opened(default_session());
    find_page(session, "experiments")->method = "vq_error_by_token";
    for (const char* page : {"vq", "experiments"})
      QVERIFY2(shown_page(session, page).values.choice("rope_type") == "none", page);
    find_page(session, "memory")->method = "memorizing_weights";
    session.subject.values.set("rope_theta", 5e5);
    for (const char* page : {"vq", "experiments", "memory"}) {
      const ParameterValues values = shown_page(session, page).values;
      QVERIFY2(values.choice("rope_type") == "default" && values.real("rope_theta") == 5e5, page);
    }
    session.subject.values.set("rope_type", std::string("linear"));
    session.subject.values.set("factor", 8.0);
    QCOMPARE(shown_page(session, "experiments").values.choice("rope_type"), std::string("linear"));
    QCOMPARE(shown_page(session, "experiments").values.real("factor"), 8.0);
    find_page(session, "experiments")->method = "vq_extrapolation";  // rotates by schemes of its own
    const ParameterValues schemes = shown_page(session, "experiments").values;
    QCOMPARE(schemes.real("rope_theta"), 5e5);
    QVERIFY(schemes.integer("original_max_position_embeddings") == 8 && schemes.integer("reach") == 8);
    QVERIFY(check_page(shown_page(session, "experiments")));
    const ShownPages pages(session);
    ShownPage next = pages.at("vq");
    next.values.set("rope_type", std::string("none"));
    const auto plan = plan_page(pages, std::move(next));
    QVERIFY(plan);
    QCOMPARE(plan->page.own.choice("rope_type"), std::string("none"));
    QCOMPARE(plan->subject.values.choice("rope_type"), std::string("linear"));
  }

  /// An experiment that takes no tensors keeps its own data.
  void otherExperimentsKeepTheirData() {
    Session session = opened(default_session());
    find_page(session, "experiments")->method = "train_model";
    QVERIFY(shown_page(session, "experiments").values.choice("data") != "tensors");
  }

  void valuesOfPagesGiveWay() {
    Session session = default_session();
    PageState& experiments = *find_page(session, "experiments");
    experiments.method = "vq_error_by_token";
    experiments.own.set("data", std::string("independent"));
    experiments.own.set("k_tensor", std::string("other.npy"));
    experiments.own.set("q_length", Index{4096});
    experiments.own.set("spread", 0.5);
    const ShownPage shown = shown_page(opened(std::move(session)), "experiments");
    QCOMPARE(shown.values.choice("data"), std::string("tensors"));
    QCOMPARE(shown.values.integer("q_length"), Index{64});
    QCOMPARE(shown.own.map().size(), std::size_t{1});
  }

  void dataOfAPageCanBeChosenAgain() {
    Session session = opened(default_session());
    const ShownPages pages(session);
    ShownPage next = pages.at("vq");
    next.values.set("data", std::string("independent"));
    const auto plan = plan_page(pages, std::move(next));
    QVERIFY(plan);
    QCOMPARE(plan->page.own.choice("data"), std::string("independent"));
    QVERIFY(has_tensors(plan->subject));
  }

  void tensorsThatCannotBeShownAreRefused() {
    const Session session = default_session();
    const ShownPages pages(session);
    ParameterValues values = tensors();
    values.set("q_tensor", std::string("none.npy"));
    const auto plan = plan_tensors(pages, "vq", *find_method("vq_weights"), values);
    QVERIFY(!plan);
    COMPARE_TEXT(plan.error().message.substr(0, 30), "q_tensor: cannot read none.npy");
  }

  void textsOfTokensComeWithThem() {
    Session session = default_session();
    session.subject.tokens = {"before"};
    const ShownPages pages(session);
    const auto stay = plan_tensors(pages, "vq", *find_method("vq_weights"), tensors());
    QVERIFY(stay && stay->subject.tokens == TokenTexts({"before"}));
    const auto plan = plan_tensors(pages, "vq", *find_method("vq_weights"), tensors(), {"<s>", "The"});
    QVERIFY(plan && plan->subject.tokens == TokenTexts({"<s>", "The"}));
  }

  void filesAreRestoredWithTheSession() {
    const Session session = opened(default_session());
    QCOMPARE(session.subject.tensors.size(), std::size_t{3});
    const auto again = parse_session(session_text(session));
    QVERIFY(again);
    QVERIFY2(again->notes.empty(), again->notes.empty() ? "" : again->notes.front().c_str());
    QVERIFY(again->session == session);
  }

  void changedAndMissingFilesAreSaid() {
    const std::string text = session_text(opened(default_session()));
    write("k", 99);
    QVERIFY(QFile::remove(QString::fromStdString(path("v"))));
    const auto again = parse_session(text);
    QVERIFY(again && again->notes.size() >= 2);
    COMPARE_TEXT(again->notes[0],
                 "k_tensor: " + path("k") + " has changed since the session was saved; its numbers of now are used");
    COMPARE_TEXT(again->notes[1], "v_tensor: cannot read " + path("v") + ": No such file or directory");
  }

  /// Nothing takes the place of tensors that are lost, and other edits go on.
  void lostTensorsStay() {
    const std::string text = session_text(opened(default_session()));
    QVERIFY(QFile::remove(QString::fromStdString(path("v"))));
    auto again = parse_session(text);
    QVERIFY(again);
    Session& session = again->session;
    for (const auto& [page, method] :
         {std::pair("vq", "vq_weights"), {"experiments", "vq_error_by_token"}, {"memory", "infini_memory"}}) {
      find_page(session, page)->method = method;
      const ShownPage shown = shown_page(session, page);
      QVERIFY2(shows_tensors(shown.values) && shown.values.text("v_tensor") == path("v"), page);
      const auto checked = check_page(shown);
      QVERIFY2(!checked && checked.error().message.starts_with("v_tensor: cannot read "), page);
    }
    const ShownPages pages(session);
    ShownPage next = pages.at("vq");
    next.values.set("n_code", Index{5});
    QVERIFY(plan_page(pages, next));
    next.values.set("k_tensor", std::string("none.npy"));
    const auto plan = plan_page(pages, next);
    COMPARE_TEXT(plan.error().message.substr(0, 30), "k_tensor: cannot read none.npy");
    Subject model = session.subject;
    model.values.set("rope_theta", 5e5);
    QVERIFY(plan_subject(pages, model));
    QVERIFY(plan_tensors(pages, "vq", *find_method("vq_weights"), without(tensors(), "v_tensor")));
  }

  /// A file that is shorter now.
  void tensorsThatFitNoMoreStay() {
    const std::string text = session_text(opened(default_session()));
    for (const char* name : {"q", "k", "v"}) write(name, 7, 16);
    const auto again = parse_session(text);
    QVERIFY(again);
    const ShownPage shown = shown_page(again->session, "vq");
    QVERIFY(shows_tensors(shown.values) && shown.values.integer("q_length") == 64);
    COMPARE_ERROR(check_page(shown), "q_length is 64 but must be at most 16, the tokens of k_tensor");
  }

  /// One byte in the middle of a file that is too large to be read as a whole is in a sample or not;
  /// the first and the last byte are always.
  void recordsDependOnBytes() {
    const auto before = record_of(path("q"));
    QVERIFY(before && *before == *record_of(path("q")));
    QFile file(QString::fromStdString(path("q")));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 1));
    QVERIFY(file.putChar(1));
    file.close();
    const auto after = record_of(path("q"));
    QVERIFY(after && after->bytes == before->bytes && after->checksum != before->checksum);
    QVERIFY(!record_of("none.npy"));
  }

 private:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    for (const char* name : {"q", "k", "v"}) write(name, static_cast<std::uint64_t>(name[0]));
  }

  std::string path(const char* name) const { return m_folder->filePath(name).toStdString() + ".npy"; }

  void write(const char* name, std::uint64_t seed, Index tokens = 64) const {
    SeededRandom random(seed);
    std::vector<float> numbers(static_cast<std::size_t>(tokens) * 8);
    for (float& x : numbers) x = static_cast<float>(random.normal());
    StringSink bytes;
    QVERIFY(write_npy(std::vector<Index>{tokens, 8}, numbers, bytes, {}));
    writtenFile(*m_folder, QString(name) + ".npy", QByteArray::fromStdString(bytes.text()));
  }

  ParameterValues tensors() const {
    ParameterValues values;
    values.set("q_tensor", path("q"));
    values.set("k_tensor", path("k"));
    values.set("v_tensor", path("v"));
    values.set("q_length", Index{64});
    return values;
  }

  /// The session with the tensors on the page of weights.
  Session opened(Session session) const {
    const ShownPages pages(session);
    const auto plan = plan_tensors(pages, "vq", *find_method("vq_weights"), tensors());
    if (!plan) return session;
    Session next = session;
    next.subject = plan->subject;
    next.current = plan->page.id;
    *find_page(next, plan->page.id) = kept_page(plan->page);
    for (const PageState& other : plan->others) *find_page(next, other.id) = other;
    return next;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(SharedTensorsTest)
#include "shared_tensors_test.moc"
