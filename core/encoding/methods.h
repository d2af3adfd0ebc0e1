// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method_list.h"

#include <span>
#include <vector>

namespace vqscope {

// The help of each of these methods describes what it shows.
Method nope_method();
Method t5_bucket_method();
Method t5_staircase_method();
Method rope_phase_method();
Method rope_cos_method();
Method rope_sin_method();
Method rope_phase_seen_method();
Method rope_new_angles_method();
Method t5_bias_heads_method();
Method fire_by_distance_method();
Method sinusoidal_similarity_method();
Method sinusoidal_shift_method();
Method learned_absolute_method();
Method randomized_position_curve_method();
Method rope_2d_phase_method();
Method mrope_positions_method();
Method rope_phase_error_method();
Method t5_bucket_error_method();
Method t5_error_by_distance_method();
Method permutation_equivariance_method();

/// `alibi`: [q_length, kv_length] float32, the bias slope · (k - q) that is added after scores are
/// scaled.
///
/// Keys ahead of the query follow the same line upwards, as in the authors' code, whose causal mask
/// hides them. Bidirectional: -slope · |k - q|, behind the query raised by half a slope if
/// `left_offset` is half.
Method alibi_method();

/// `kerple_log`: [q_length, kv_length] float32, -r1 ln(1 + r2 (q - k)) (Chi et al. 2022, section
/// 4). `kerple_power`: -r1 (q - k)^r2, r2 at most 2.
///
/// The code keeps r1 and r2 at 0.01 or more, which are the ranges here, and takes keys ahead of the
/// query for distance 0, so their bias is 0.
Method kerple_log_method();
Method kerple_power_method();

/// `sandwich`: [q_length, kv_length] float32, 1 / ratio · Σ cos((q - k) · 10000^(-2i /
/// sandwich_dim)), i below sandwich_dim / 2, with ratio = 8 (head + 1) / num_heads (Chi et al.
/// 2023, section 4 and appendix E). Even in q - k: keys ahead of the query have the same bias.
Method sandwich_method();

/// `t5_bias`: [q_length, kv_length] float32, the value of each cell's T5 bucket for one head: what
/// T5 adds to a score that is not scaled. Values come from a table [num_buckets, num_heads], bucket
/// by bucket as Hugging Face stores relative_attention_bias, or [num_buckets] for the head shown;
/// without one, drawn from the standard normal distribution by seed, in that order. `bias_tensor`
/// names a file that holds the table.
Method t5_bias_method();

/// `fire`: [q_length, kv_length] float32, FIRE's bias of one head; query i stands at position
/// past_len + i. Keys ahead of the query have none: NaN. Beyond fire_threshold the bias depends on
/// the query's position besides the distance, so the cells are no function of relative position.
Method fire_method();

/// `rope_score_field`: [q_length, kv_length] float32, B(q - k): what a token scores with itself, by
/// RoPE alone. Even.
Method rope_score_field_method();

/// `rope_own_scores`: [q_length, kv_length] float32, (R_m (q + a)) · (R_n (k + b)) of given or
/// sampled queries and keys (Su et al. 2021, RoFormer, equations 16 and 34) under any rope_type, at
/// positions of one's own.
Method rope_own_scores_method();

/// `bias_own_scores`: [q_length, kv_length] float32, q_i · k_j / √d + b(j - i) of given or sampled
/// queries and keys and any of bias_makers(), or one of the two terms.
Method bias_own_scores_method();

/// `rope_with_bias`: [q_length, kv_length] float32, (q + a) · R(k - q) · (k + b) (Su 2023), where a
/// and b have the same number in every dimension. Content q = k = ones, or tokens drawn at random,
/// over which all but a · R · b averages 0. In the unit of `rope_score_field`: (1 + a)(1 + b) B, or
/// a b B. Even in q - k.
Method rope_with_bias_method();

/// `xpos_score`: [q_length, kv_length] float32, Σ cos(n θ_i) ζ_i^(n / scale_base) with n = q - k,
/// ζ_i = (2i + 0.4 d) / (1.4 d), θ_i = rope_theta^(-2i / d), i below d / 2 (Sun et al. 2023,
/// section 2.2). q · k / 2 for q = k = ones, in the unit of `rope_score_field`. Queries are scaled
/// by ζ^(q / scale_base), keys by its inverse: ahead of the query that grows without bound, and the
/// cells have no value.
Method xpos_score_method();

/// `rerope_score`: [q_length, kv_length] float32, B(r) = Σ cos(r θ_i) of the distance r that ReRoPE
/// gives the difference n = q - k (Su 2023): n where |n| < window; beyond it `window`, or for Leaky
/// ReRoPE window + (n - window) / leaky_factor. q · k / 2 for q = k = ones, as `rope_score_field`;
/// the factor ln(q + 1) / ln(training length) on long queries is left out. Keys ahead of the query
/// are what the same formulas give; a causal mask hides them.
Method rerope_score_method();

/// `sinusoidal`: [q_length, d_model] float32, what is added to the token embeddings (Vaswani et al.
/// 2017, section 3.5). Pair i of a position is its sine and cosine of position · base^(-2i /
/// d_model): in columns 2i and 2i + 1 (interleaved), or in columns i and i + d_model / 2
/// (concatenated).
Method sinusoidal_method();

/// `xpos_scale`: [q_length, head_dim / 2] float32, what xPos multiplies pair i of a rotated query
/// by, ζ_i^(p / scale_base), or of a key, its inverse; ζ_i = (2i + 0.4 d) / (1.4 d) (Sun et al.
/// 2023, section 2.2). The exponent's p is the position, or, as torchscale has it, the position
/// less half the sequence. Exact for any length: sums over a run of positions are geometric. Beyond
/// float32 a cell is infinite or 0, as a model's would be.
Method xpos_scale_method();

/// `beta_ary`: [q_length, head_dim / 2] float32, the digits of a position in base β, lowest first:
/// column m - 1 is floor(position / β^(m-1)) mod β, where RoPE has its pair m - 1; β =
/// rope_theta^(2 / head_dim), or as given (Su, 2023).
Method beta_ary_method();

/// `transformer_xl_score`: (q·k + q·r + u·k + v·r) / √d_head over seeded standard normal q, k, u
/// and v, with r the sinusoid [sin | cos] of the distance behind the query, without the projections
/// that a model learns.
Method transformer_xl_score_method();

/// `randomized_positions`: [q_length, q_length] float32, a relative encoding's f(p_k - p_q) with
/// drawn positions p, the same of queries and keys. The encoding brings its own parameters along.
Method randomized_positions_method();

/// RoPE of patches of an image in row-major order (Su et al. 2021, extended; Heo et al. 2024,
/// axial): the first half of a head's pairs turn with the patch's row, the second with its column,
/// each by rope_theta^(-4i / head_dim), i below head_dim / 4. Which half is which is a choice made
/// here, and scores do not depend on it.
///
/// `rope_2d_score`: [patches, patches] float32, Σ cos(Δrow θ_i) + Σ cos(Δcol θ_i): q · k / 2 for q
/// = k = ones, as `rope_score_field`.
Method rope_2d_score_method();

/// Multimodal RoPE (Wang et al. 2024, Qwen2-VL, section 2.1): the pairs of a head are divided among
/// three axes, time, height and width, on which image tokens have different positions and text
/// tokens the same.
///
/// `mrope_phase`: [tokens, pairs] float32, the wrapped angle in [0, 2π).
Method mrope_phase_method();

/// `key_bias`: attention weights of one query with and without a bias added to every key, with and
/// without RoPE (Su 2023, kexue.fm 9577). Softmax cancels the bias unless keys are rotated.
Method key_bias_method();

/// The additive biases (Method::bias), in the order of every list. Whatever offers biases takes
/// them from here or, made, from bias_methods(). A list of its own in bias_makers.cpp, so that a
/// program can have one more.
std::span<const MethodMaker> bias_makers();

/// The encodings: buckets, rotations, biases, scores, tables, and their rounding errors. Made once.
std::span<const Method> encoding_methods();

/// The additive biases among them (Method::bias): what adds nothing first, the others in their
/// order.
const std::vector<const Method*>& bias_methods();
/// Null: there is none of that id.
const Method* find_bias(std::string_view id);

}  // namespace vqscope
