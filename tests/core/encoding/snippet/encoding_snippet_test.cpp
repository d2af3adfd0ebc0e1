// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/snippet/encoding_snippet.h"

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/encoding/methods.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/field.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace vqscope;

namespace {

struct SnippetCase {
  std::string method;
  ParameterValues::Map set;
};

const Method& method_of(const std::string& id) { return *find_method(encoding_methods(), id); }

ParameterValues values_of(const SnippetCase& given) {
  ParameterValues values = default_values(method_of(given.method).parameters);
  for (const auto& [name, value] : given.set) values.set(name, value);
  return values;
}

std::string snippet(const SnippetCase& given, SnippetLibrary library) {
  const auto python = encoding_snippet(method_of(given.method), values_of(given), library);
  return python ? *python : "error: " + python.error().message;
}

std::vector<SnippetCase> rope_cases() {
  std::vector<SnippetCase> cases;
  const std::vector<double> list{1, 1.5, 2, 4};
  for (const RopeType& type : rope_types())
    for (const char* id : {"rope_phase", "rope_cos", "rope_sin", "rope_score_field"}) {
      SnippetCase one{id,
                      {{"q_length", Index{9}},
                       {"past_len", Index{70}},
                       {"head_dim", Index{12}},
                       {"rotary_dim", Index{8}},
                       {"factor", 3.0},
                       {"original_max_position_embeddings", Index{64}},
                       {"rope_type", type.id}}};
      if (type.id == "longrope") one.set["long_factor"] = list;
      cases.push_back(one);
    }
  for (const char* layout : {"half_split", "interleaved", "head_split"})
    for (const char* id : {"rope_cos", "rope_sin"})
      cases.push_back({id,
                       {{"q_length", Index{7}},
                        {"head_dim", Index{10}},
                        {"rotary_dim", Index{6}},
                        {"pair_layout", std::string(layout)},
                        {"columns", std::string("dimensions")},
                        {"padding", Index{2}},
                        {"padding_side", std::string("left")},
                        {"document_lengths", std::vector<Index>{2, 3}}}});
  cases.push_back({"rope_phase", {{"rope_type", std::string("yarn")}, {"truncate", false}, {"q_length", Index{5}}}});
  cases.push_back(
      {"rope_phase",
       {{"rope_type", std::string("yarn")}, {"yarn_ramp", std::string("rotation_count")}, {"q_length", Index{5}}}});
  cases.push_back({"rope_phase",
                   {{"rope_type", std::string("ntk_by_parts")},
                    {"ntk_factor", 0.25},
                    {"extrapolation_factor", 0.5},
                    {"gamma_0", 8.0},
                    {"q_length", Index{5}}}});
  return cases;
}

/// One or more of each method whose numbers are no samples.
std::vector<SnippetCase> compared_cases() {
  std::vector<SnippetCase> cases = rope_cases();
  const ParameterValues::Map lengths{{"q_length", Index{20}}, {"past_len", Index{5}}};
  const auto add = [&](const char* id, ParameterValues::Map set = {}) {
    if (find_spec(method_of(id).parameters, "kv_length")) set.insert(lengths.begin(), lengths.end());
    cases.push_back({id, std::move(set)});
  };
  add("rope_with_bias", {{"head_dim", Index{8}}, {"q_bias", 2.0}});
  add("rope_with_bias", {{"head_dim", Index{8}}, {"content", std::string("random")}});
  add("xpos_score", {{"head_dim", Index{8}}, {"scale_base", 16.0}});
  add("rerope_score", {{"head_dim", Index{8}}, {"window", Index{4}}});
  add("rerope_score", {{"head_dim", Index{8}}, {"window", Index{4}}, {"rerope_type", std::string("leaky")}});
  for (const Index dims : {8, 7})
    add("rope_own_scores", {{"head_dim", dims},
                            {"vectors", std::string("ones")},
                            {"divide_by_sqrt", true},
                            {"q_bias_vector", std::vector<double>(static_cast<std::size_t>(dims), 0.5)}});
  add("rope_2d_phase", {{"patch_rows", Index{3}}, {"patch_cols", Index{4}}, {"head_dim", Index{8}}});
  add("rope_2d_score", {{"patch_rows", Index{3}}, {"patch_cols", Index{4}}, {"head_dim", Index{8}}});
  for (const Index head : {0, 9}) add("alibi", {{"num_heads", Index{12}}, {"head", head}});
  add("alibi", {{"num_heads", Index{12}}, {"head", Index{9}}, {"slopes", std::string("plain")}});
  add("alibi", {{"bidirectional", true}, {"left_offset", std::string("half")}});
  add("kerple_log", {{"r1", 0.5}, {"r2", 2.0}});
  add("kerple_power", {{"r1", 0.5}, {"r2", 1.5}});
  add("kerple_log", {{"r1_by_head", std::vector<double>{1, 2, 3}},
                     {"num_heads", Index{3}},
                     {"head", Index{1}},
                     {"kerple_scale", std::string("inside")}});
  add("sandwich", {{"head", Index{2}}});
  add("nope");
  for (const char* precision : {"hf_float32", "exact"})
    for (const bool bidirectional : {false, true})
      for (const char* id : {"t5_bucket", "t5_bias"})
        cases.push_back(
            {id, {{"q_length", Index{200}}, {"bidirectional", bidirectional}, {"precision", std::string(precision)}}});
  add("fire", {{"fire_threshold", 8.0}});
  for (const char* layout : {"interleaved", "concatenated"}) {
    cases.push_back({"sinusoidal", {{"q_length", Index{9}}, {"d_model", Index{6}}, {"layout", std::string(layout)}}});
    add("sinusoidal_shift", {{"d_model", Index{6}}, {"layout", std::string(layout)}});
  }
  add("sinusoidal_similarity", {{"d_model", Index{6}}});
  cases.push_back({"beta_ary", {{"q_length", Index{200}}, {"head_dim", Index{8}}, {"beta", 10.0}}});
  cases.push_back({"beta_ary", {{"q_length", Index{1024}}}});  // 10000^(1/4) and its powers are whole
  for (const Index d : {6, 10, 48})
    cases.push_back({"beta_ary", {{"q_length", Index{300}}, {"head_dim", d}, {"rope_theta", 1e6}}});
  return cases;
}

/// A value somewhere near the default: a picture small enough to be compared cell by cell.
ParameterValue drawn_value(const ParameterSpec& spec, SeededRandom& random) {
  const auto below = [&](double n) { return static_cast<Index>(random.uniform() * n * 0.999999); };
  const auto within = [&](double value) { return std::clamp(value, spec.minimum, spec.maximum); };
  switch (spec.kind) {
    case ParameterKind::integer:
      if (spec.name == "head_dim" || spec.name == "d_model") return 4 + 4 * below(6);
      return static_cast<Index>(within(static_cast<double>(below(spec.name.ends_with("length") ? 40 : 24))));
    case ParameterKind::real:
      return below(2) == 0
                 ? spec.default_value
                 : within(std::get<double>(spec.default_value) * (0.5 + 2 * random.uniform()) + random.uniform());
    case ParameterKind::boolean: return below(2) == 0;
    case ParameterKind::choice: {
      return spec.choices[static_cast<std::size_t>(below(static_cast<double>(spec.choices.size())))].id;
    }
    default: return spec.default_value;
  }
}

/// Random values of every method whose numbers are no samples.
std::vector<SnippetCase> random_cases() {
  constexpr int of_a_method = 8, most_draws = 400;
  std::set<std::string> ids;
  for (const SnippetCase& given : compared_cases()) ids.insert(given.method);
  std::vector<SnippetCase> cases;
  SeededRandom random(5);
  for (const std::string& id : ids) {
    int made = 0;
    for (int draw = 0; made < of_a_method && draw < most_draws; ++draw) {
      SnippetCase one{id, {}};
      for (const ParameterSpec& spec : method_of(id).parameters)
        if (random.uniform() < 0.6) one.set[spec.name] = drawn_value(spec, random);
      one.set["q_length"] = Index{1} + static_cast<Index>(random.bits() % 40);
      if (!find_spec(method_of(id).parameters, "q_length")) one.set.erase("q_length");
      if (id == "rope_own_scores") one.set["vectors"] = std::string("ones");
      if (!check_method_values(method_of(id), values_of(one)) || !make_field(method_of(id), values_of(one))) continue;
      cases.push_back(one);
      ++made;
    }
    if (made < of_a_method) qWarning("%s: only %d draws are valid", id.c_str(), made);
  }
  return cases;
}

/// Those that sample what is learned: they have to run.
const std::vector<SnippetCase> sampled_cases{
    {"learned_absolute", {{"q_length", Index{5}}}},
    {"transformer_xl_score", {{"q_length", Index{5}}, {"mem_len", Index{3}}, {"d_head", Index{8}}}},
    {"randomized_positions", {{"q_length", Index{5}}}},
    {"rope_own_scores", {{"q_length", Index{5}}, {"head_dim", Index{5}}}},
    {"rope_own_scores", {{"q_length", Index{5}}, {"head_dim", Index{4}}, {"vectors", std::string("sampled")}}}};

/// Prints the error of a program, or nothing.
QByteArray program_error(const QTemporaryDir& folder, const std::string& program) {
  QFile file(folder.filePath("snippet.py"));
  if (!file.open(QIODevice::WriteOnly)) return "no file";
  file.write(program.c_str());
  file.close();
  QProcess process;
  process.start("python3", {file.fileName()});
  const bool done = process.waitForFinished(60'000) && process.exitCode() == 0;
  return done ? QByteArray() : process.readAllStandardError() + "\n" + program.c_str();
}

bool has_module(const char* name) {
  QProcess process;
  process.start("python3", {"-c", QStringLiteral("import %1").arg(QLatin1String(name))});
  return process.waitForFinished(60'000) && process.exitCode() == 0;
}

/// The method's numbers as a list of lists of Python, NaN as nan.
std::string numbers_of(const SnippetCase& given) {
  const auto field = *make_field(method_of(given.method), values_of(given));
  const auto [rows, cols] = field->extent();
  std::string text = "[";
  for (Index row = 0; row < rows; ++row) {
    text += "[";
    for (Index col = 0; col < cols; ++col) {
      const double value = field->at(row, col);
      text += (std::isnan(value) ? std::string("nan") : to_text(value)) + ", ";
    }
    text += "],\n";
  }
  return text + "]";
}

/// Programs one after the other in one process, each in a scope of its own.
std::string compared_program(SnippetLibrary library) {
  std::string program = "nan = float('nan')\ncases = []\n";
  std::vector<SnippetCase> all = compared_cases();
  const std::vector<SnippetCase> drawn = random_cases();
  all.insert(all.end(), drawn.begin(), drawn.end());
  for (const SnippetCase& given : all)
    program += "cases.append((r'''" + snippet(given, library) + "''', " + numbers_of(given) + "))\n";
  for (const SnippetCase& given : sampled_cases)
    program += "cases.append((r'''" + snippet(given, library) + "''', None))\n";
  program += R"(
for code, expected in cases:
    scope = {}
    exec(code, scope)
    if expected is None:
        continue
    result = scope["result"].tolist()
    same = len(result) == len(expected)
    for row, other in zip(result, expected):
        same = same and len(row) == len(other)
        for a, b in zip(row, other):
            same = same and ((a != a and b != b) or abs(a - b) <= 2e-6 * max(1, abs(b)) or abs(abs(a - b) - 6.283185307179586) < 2e-6)
    if not same:
        raise SystemExit(code + "\n" + str(result[:3]) + "\nexpected\n" + str(expected[:3]))
)";
  return program;
}

void run_all(const char* module, SnippetLibrary library) {
  if (!has_module(module)) return;  // nothing to run it with
  const QTemporaryDir folder;
  const QByteArray wrong = program_error(folder, compared_program(library));
  QVERIFY2(wrong.isEmpty(), wrong.left(4000).constData());
}

}  // namespace

class EncodingSnippetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_worked_snippet() {
    COMPARE_TEXT(snippet({"kerple_log", {{"q_length", Index{8}}}}, SnippetLibrary::torch),
                 "import torch\n\n"
                 "# KERPLE log: Chi et al. 2022, KERPLE, section 4\n"
                 "q_length, kv_length, past_len = 8, 8, 0\n"
                 "q_pos = torch.arange(q_length, dtype=torch.float64) + past_len\n"
                 "k_pos = torch.arange(kv_length, dtype=torch.float64)\n"
                 "distance = q_pos[:, None] - k_pos[None, :]  # above 0: the key is behind the query\n"
                 "r1, r2 = 1, 1  # learned, per head\n"
                 "behind = distance.clip(0)\n"
                 "result = -r1 * torch.log(1 + r2 * behind)  # added to q·k/√d\n");
  }

  /// Every encoding with traits, whatever is added later.
  void every_encoding_has_one() {
    for (const Method& method : encoding_methods())
      if (method.traits) QVERIFY2(has_snippet(method), method.id.c_str());
  }

  void every_snippet_is_covered_and_is_python() {
    std::set<std::string> covered;
    std::string program = "import ast\n";
    for (const auto& cases : {compared_cases(), sampled_cases})
      for (const SnippetCase& given : cases) {
        covered.insert(given.method);
        for (const auto library : {SnippetLibrary::numpy, SnippetLibrary::torch}) {
          const std::string python = snippet(given, library);
          QVERIFY2(python.find("«") == std::string::npos && !python.starts_with("error"), python.c_str());
          program += "ast.parse(r'''" + python + "''')\n";
        }
      }
    for (const Method& method : encoding_methods())
      if (has_snippet(method)) QVERIFY2(covered.contains(method.id), method.id.c_str());
    const QTemporaryDir folder;
    const QByteArray wrong = program_error(folder, program);
    QVERIFY2(wrong.isEmpty(), wrong.left(2000).constData());
  }

  void numpy_computes_our_numbers() { run_all("numpy", SnippetLibrary::numpy); }
  void torch_computes_our_numbers() { run_all("torch", SnippetLibrary::torch); }

  void refusals() {
    COMPARE_ERROR(snippet_library("jax"), "library is \"jax\" but must be numpy or torch");
    QCOMPARE(*snippet_library("numpy"), SnippetLibrary::numpy);
    COMPARE_TEXT(snippet({"t5_staircase", {}}, SnippetLibrary::numpy),
                 "error: there is no code to copy for t5_staircase, which is not a position encoding");
    COMPARE_TEXT(snippet({"alibi", {{"head", Index{8}}}}, SnippetLibrary::numpy),
                 "error: head is 8 but must be below num_heads = 8");
  }
};

VQSCOPE_TEST(EncodingSnippetTest)
#include "encoding_snippet_test.moc"
