// Sums over all sequences of labels of a piece: how likely each label is at each token.
//
// Probabilities are scaled token by token, so nothing but +, x, / and our own exponential is used:
// the same input gives the same bits on every machine with IEEE numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tagger/model.hpp"

namespace sfumato::tagger {

// e to the x, to about 1e-9; 2^n times a polynomial.
inline double exponential(double x) {
    x = std::clamp(x, -600.0, 600.0);
    const double n = static_cast<double>(
        static_cast<std::int64_t>(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5)));
    const double r = x - n * 0.6931471805599453;
    double sum = 1.0;
    for (int i = 10; i >= 1; --i) sum = 1.0 + sum * r / i;
    const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023)
                               << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return power * sum;
}

// The steps between labels that are legal, and what they weigh.
struct Step {
    int from, to;
};

class Lattice {
  public:
    explicit Lattice(const Labels& labels) : labels_(labels), count_(labels.count()) {
        for (int from = 0; from < count_; ++from)
            for (int to = 0; to < count_; ++to)
                if (labels.legal(from, to)) steps.push_back({from, to});
        turned_.assign(static_cast<std::size_t>(count_) * count_, 0.0);
        for (int a = 0; a < count_; ++a)
            for (int b = 0; b < count_; ++b) {
                if (labels.legal(a, b)) extend(ahead_runs_, a, b);
                if (labels.legal(b, a)) extend(behind_runs_, a, b);
            }
    }

    // `factor` (token x label) and `between` (from x to, first, last) are exponentials of scores;
    // `allowed` has a bit for every label a token may have. False when no sequence is allowed.
    bool sum(const std::vector<double>& factor, const std::vector<double>& between,
             const std::vector<std::uint64_t>& allowed) {
        const std::size_t length = allowed.size(), n = count_;
        ahead_.assign(length * n, 0.0);
        behind_.assign(length * n, 0.0);
        scale_.assign(length, 0.0);
        const double* first = between.data() + n * n;
        const double* last = first + n;
        const auto may = [&](std::size_t t, int y) { return allowed[t] >> y & 1; };
        for (std::size_t t = 0; t < length; ++t) {
            double* now = ahead_.data() + t * n;
            if (t == 0) {
                for (int y = 0; y < count_; ++y)
                    if (labels_.opens(y)) now[y] = first[y];
            } else {
                const double* before = now - n;
                each_run(ahead_runs_, between.data(),
                         [&](int from, int to, int end, const double* row) {
                             for (int y = to; y < end; ++y) now[y] += before[from] * row[y];
                         });
            }
            double total = 0;
            for (int y = 0; y < count_; ++y) {
                now[y] = may(t, y) ? now[y] * factor[t * n + y] : 0.0;
                total += now[y];
            }
            if (!(total > 0)) return false;
            scale_[t] = 1 / total;
            for (int y = 0; y < count_; ++y) now[y] *= scale_[t];
        }
        for (const Step& step : steps)
            turned_[step.to * n + step.from] = between[step.from * n + step.to];
        double* end = behind_.data() + (length - 1) * n;
        for (int y = 0; y < count_; ++y) end[y] = labels_.closes(y) ? last[y] : 0.0;
        for (std::size_t t = length - 1; t > 0; --t) {
            double* now = behind_.data() + (t - 1) * n;
            for (int y = 0; y < count_; ++y)
                weighed_[y] = may(t, y) ? factor[t * n + y] * behind_[t * n + y] * scale_[t] : 0.0;
            each_run(behind_runs_, turned_.data(),
                     [&](int to, int from, int end, const double* row) {
                         for (int y = from; y < end; ++y) now[y] += row[y] * weighed_[to];
                     });
        }
        double total = 0;
        for (int y = 0; y < count_; ++y) total += ahead_[(length - 1) * n + y] * end[y];
        total_ = total;
        return total > 0;
    }

    // How likely a label is at a token.
    double at(std::size_t t, int y) const {
        return ahead_[t * count_ + y] * behind_[t * count_ + y] / total_;
    }

    // Adds `sign` times the expected number of every step, of first and of last labels.
    void expect(const std::vector<double>& factor, const std::vector<double>& between,
                const std::vector<std::uint64_t>& allowed, double sign, double* expected) {
        const std::size_t length = allowed.size(), n = count_;
        for (int y = 0; y < count_; ++y) {
            expected[n * n + y] += sign * at(0, y);
            expected[n * n + n + y] += sign * at(length - 1, y);
        }
        for (std::size_t t = 1; t < length; ++t) {
            for (int y = 0; y < count_; ++y)
                weighed_[y] = allowed[t] >> y & 1
                                  ? factor[t * n + y] * behind_[t * n + y] * scale_[t] / total_
                                  : 0.0;
            const double* before = ahead_.data() + (t - 1) * n;
            each_run(ahead_runs_, between.data(),
                     [&](int from, int to, int end, const double* row) {
                         const double signed_before = sign * before[from];
                         for (int y = to; y < end; ++y)
                             expected[from * n + y] += signed_before * row[y] * weighed_[y];
                     });
        }
    }

    std::vector<Step> steps;

  private:
    // Legal steps of a row of the matrix that stand side by side: they are summed together.
    struct Run {
        int row, first, end;
    };
    static void extend(std::vector<Run>& runs, int row, int at) {
        if (runs.empty() || runs.back().row != row || runs.back().end != at)
            runs.push_back({row, at, at});
        ++runs.back().end;
    }
    template <class Work>
    void each_run(const std::vector<Run>& runs, const double* matrix, Work&& work) const {
        for (const Run& run : runs) work(run.row, run.first, run.end, matrix + run.row * count_);
    }

    const Labels labels_;
    const int count_;
    std::vector<Run> ahead_runs_, behind_runs_;
    std::vector<double> ahead_, behind_, scale_, turned_;
    double weighed_[64];
    double total_ = 1;
};

}  // namespace sfumato::tagger
