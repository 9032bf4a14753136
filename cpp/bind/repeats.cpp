// Suffix array, PLCP and repeat lengths of codes, for sfumato.kernels.repeats.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bind/python_tick.hpp"
#include "common/buffer.hpp"
#include "repeats/copies.hpp"
#include "repeats/plcp.hpp"
#include "repeats/repeats.hpp"
#include "repeats/shared_repeats.hpp"
#include "repeats/shared_stretches.hpp"
#include "repeats/suffix_array.hpp"

namespace nb = nanobind;

namespace sfumato {
namespace {

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

template <class T>
Array<T> as_array(Buffer<T> buffer, std::size_t n) {
    auto* owner = new Buffer<T>(std::move(buffer));
    nb::capsule capsule(owner, [](void* p) noexcept { delete static_cast<Buffer<T>*>(p); });
    return Array<T>(owner->get(), {n}, capsule);
}

template <class Symbol>
std::size_t alphabet_size(const Symbol* codes, std::size_t n) {
    const std::size_t largest = n == 0 ? 0 : *std::max_element(codes, codes + n);
    require(sizeof(Symbol) <= 2 || largest <= n,
            "expected dense codes, none larger than the number of symbols");
    return largest + 1;
}

template <class Index, class Symbol>
nb::tuple index_of(const Array<const Symbol>& codes, nb::handle progress) {
    const std::size_t n = codes.shape(0);
    const Tick tick = python_tick(progress);
    Buffer<Index> suffixes, lengths;
    {
        nb::gil_scoped_release unlocked;
        const std::size_t sigma = alphabet_size(codes.data(), n);
        suffixes = make_buffer<Index>(n);
        lengths = make_buffer<Index>(n);  // first the working memory of the sorting
        suffix_array(codes.data(), suffixes.get(), n, sigma, lengths.get(), part(tick, 0, 0.8));
        plcp(codes.data(), suffixes.get(), lengths.get(), n, part(tick, 0.8, 1));
    }
    return nb::make_tuple(as_array(std::move(suffixes), n), as_array(std::move(lengths), n));
}

template <class Symbol>
nb::tuple suffix_index(Array<const Symbol> codes, std::int64_t narrow_limit, nb::handle progress) {
    return std::int64_t(codes.shape(0)) <= std::min(narrow_limit, std::int64_t(INT32_MAX))
               ? index_of<std::int32_t>(codes, progress)
               : index_of<std::int64_t>(codes, progress);
}

// One pass in order, beside the random ones that follow: each is a place of the text.
template <class Index>
void check_suffixes(const Array<const Index>& suffixes) {
    const auto n = static_cast<std::uint64_t>(suffixes.shape(0));
    bool outside = false;
    for (std::size_t i = 0; i < n; ++i)
        outside |= static_cast<std::uint64_t>(suffixes.data()[i]) >= n;
    require(!outside, "a suffix outside the text");
}

template <class Index>
void check_index(const Array<const Index>& suffixes, const Array<Index>& lengths, std::int64_t k) {
    require(suffixes.shape(0) == lengths.shape(0), "expected two arrays of one length");
    require(k >= 2, "expected k of at least 2");
    check_suffixes(suffixes);
}

template <class Index>
void bound_repeat_lengths(Array<const Index> suffixes, Array<Index> lengths, std::int64_t k,
                          nb::handle progress) {
    check_index(suffixes, lengths, k);
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    repeat_lengths(suffixes.data(), lengths.data(), lengths.shape(0), std::size_t(k), tick);
}

template <class Index, class Symbol>
void bound_shared_repeat_lengths(Array<const Symbol> codes, Array<const Index> suffixes,
                                 Array<Index> lengths, std::int64_t k,
                                 Array<const std::int32_t> labels, Array<const std::int64_t> ends,
                                 nb::handle progress) {
    check_index(suffixes, lengths, k);
    const std::size_t n = lengths.shape(0), documents = labels.shape(0);
    require(codes.shape(0) == n, "expected the codes the index was made of");
    require(ends.shape(0) == documents, "expected one label per document end");
    check_documents(codes.data(), n, ends.data(), documents);
    const Tick tick = python_tick(progress);
    nb::gil_scoped_release unlocked;
    std::vector<std::int32_t> dense(labels.data(), labels.data() + documents);
    const std::size_t distinct = dense_labels(dense);
    shared_repeat_lengths(suffixes.data(), lengths.data(), n, std::size_t(k), dense, distinct,
                          ends.data(), tick);
}

// Labels renumbered, as OwnedTexts has them.
struct Owners {
    std::vector<std::int32_t> labels;
    OwnedTexts texts;

    Owners(const nb::object& given, const Array<const std::int64_t>& ends)
        : texts{ends.data(), ends.shape(0), nullptr, 0} {
        if (given.is_none()) return;
        const auto numbers = nb::cast<Array<const std::int32_t>>(given);
        require(numbers.shape(0) == ends.shape(0), "expected one label per document end");
        labels.assign(numbers.data(), numbers.data() + numbers.shape(0));
        texts.distinct = dense_labels(labels);
        texts.labels = &labels;
    }
};

template <class Symbol>
nb::object bound_shared_stretches(Array<const Symbol> codes, std::int64_t k, nb::object labels,
                                  Array<const std::int64_t> ends, std::int64_t most,
                                  nb::handle progress) {
    const std::size_t n = codes.shape(0);
    require(k >= 2, "expected k of at least 2");
    check_documents(codes.data(), n, ends.data(), ends.shape(0));
    const Owners owners(labels, ends);
    const Tick tick = python_tick(progress);
    auto stretches = std::make_unique<SharedStretches>();
    bool found;
    {
        nb::gil_scoped_release unlocked;
        found =
            stretches->find(codes.data(), n, owners.texts, std::size_t(k), std::size_t(most), tick);
    }
    return found ? nb::cast(std::move(stretches)) : nb::none();
}

void bound_count_stretches(const SharedStretches& stretches, Array<const std::uint8_t> stars,
                           std::int64_t k, Array<std::int32_t> lengths) {
    const std::size_t n = stretches.size();
    require(stars.shape(0) == n && lengths.shape(0) == n, "expected one flag per code");
    require(k >= 2, "expected k of at least 2");
    nb::gil_scoped_release unlocked;
    stretches.count(stars.data(), std::size_t(k), lengths.data());
}

template <class Symbol>
void bound_shared_when_shown(Array<const Symbol> codes, std::int64_t k, nb::object labels,
                             Array<const std::int64_t> ends, Array<const std::uint8_t> stars,
                             Array<std::uint8_t> asked) {
    const std::size_t n = codes.shape(0);
    require(stars.shape(0) == n && asked.shape(0) == n, "expected one flag per code");
    check_documents(codes.data(), n, ends.data(), ends.shape(0));
    const Owners owners(labels, ends);
    nb::gil_scoped_release unlocked;
    shared_when_shown(codes.data(), n, owners.texts, std::size_t(std::max<std::int64_t>(k, 0)),
                      stars.data(), asked.data());
}

template <class Index>
void bound_mark_copied(Array<const Index> suffixes, Array<const Index> plcp, std::int64_t least,
                       Array<const std::int32_t> labels, Array<const std::int64_t> ends,
                       Array<std::uint8_t> copied) {
    const std::size_t n = suffixes.shape(0), documents = labels.shape(0);
    require(plcp.shape(0) == n && copied.shape(0) == n, "expected arrays of one length");
    require(ends.shape(0) == documents, "expected one label per document end");
    require(least >= 1, "expected a passage of at least one symbol");
    check_suffixes(suffixes);
    std::int64_t previous = -1;
    for (std::size_t d = 0; d < documents; ++d) {
        require(ends.data()[d] > previous && ends.data()[d] < std::int64_t(n), "ends must rise");
        previous = ends.data()[d];
    }
    require(previous == std::int64_t(n) - 1, "the last document must end with the text");
    nb::gil_scoped_release unlocked;
    const std::vector<std::int32_t> of(labels.data(), labels.data() + documents);
    mark_copied(suffixes.data(), plcp.data(), n, std::size_t(least), of, ends.data(),
                copied.data());
}

template <class Index, class Symbol>
nb::object distances(const Array<const Symbol>& codes) {
    auto lengths = make_buffer<Index>(codes.shape(0));
    break_distances(codes.data(), lengths.get(), codes.shape(0));
    return nb::cast(as_array(std::move(lengths), codes.shape(0)));
}

template <class Symbol>
nb::object bound_break_distances(Array<const Symbol> codes, bool wide) {
    return wide ? distances<std::int64_t>(codes) : distances<std::int32_t>(codes);
}

template <class Index, class Symbol>
void bind_both(nb::module_& m) {
    m.def("shared_repeat_lengths", &bound_shared_repeat_lengths<Index, Symbol>,
          nb::arg("codes").noconvert(), nb::arg("suffixes").noconvert(),
          nb::arg("lengths").noconvert(), nb::arg("k"), nb::arg("labels").noconvert(),
          nb::arg("ends").noconvert(), nb::arg("progress") = nb::none(),
          "Turns PLCP into the longest lengths found under at least k labels, in place.");
}

template <class Symbol>
void bind_symbol(nb::module_& m) {
    m.def("suffix_index", &suffix_index<Symbol>, nb::arg("codes").noconvert(),
          nb::arg("narrow_limit") = std::int64_t(INT32_MAX), nb::arg("progress") = nb::none(),
          "The suffix array and the PLCP array of codes; 64-bit beyond narrow_limit symbols.");
    m.def("break_distances", &bound_break_distances<Symbol>, nb::arg("codes").noconvert(),
          nb::arg("wide"), "The number of symbols from each position to the next break.");
    m.def("shared_stretches", &bound_shared_stretches<Symbol>, nb::arg("codes").noconvert(),
          nb::arg("k"), nb::arg("labels").none(), nb::arg("ends").noconvert(), nb::arg("most"),
          nb::arg("progress") = nb::none(),
          "The stretches that k places or labels share, to be counted again; or None.");
    m.def("shared_when_shown", &bound_shared_when_shown<Symbol>, nb::arg("codes").noconvert(),
          nb::arg("k"), nb::arg("labels").none(), nb::arg("ends").noconvert(),
          nb::arg("stars").noconvert(), nb::arg("asked").noconvert(),
          "Keeps of the flags of starred words those that k share once they are legible.");
    bind_both<std::int32_t, Symbol>(m);
    bind_both<std::int64_t, Symbol>(m);
}

template <class Index>
void bind_index(nb::module_& m) {
    m.def("repeat_lengths", &bound_repeat_lengths<Index>, nb::arg("suffixes").noconvert(),
          nb::arg("lengths").noconvert(), nb::arg("k"), nb::arg("progress") = nb::none(),
          "Turns PLCP into the longest lengths that occur at least k times, in place.");
    m.def("mark_copied", &bound_mark_copied<Index>, nb::arg("suffixes").noconvert(),
          nb::arg("plcp").noconvert(), nb::arg("least"), nb::arg("labels").noconvert(),
          nb::arg("ends").noconvert(), nb::arg("copied").noconvert(),
          "Flags what stands in passages that another label's document has before.");
}

}  // namespace
}  // namespace sfumato

void bind_repeats(nb::module_& m) {
    using namespace sfumato;
    nb::class_<SharedStretches>(m, "SharedStretches")
        .def("count", &bound_count_stretches, nb::arg("stars").noconvert(), nb::arg("k"),
             nb::arg("lengths").noconvert(),
             "Writes the longest lengths that k places or labels share where stars (1) stand.");
    bind_symbol<std::uint8_t>(m);
    bind_symbol<std::uint16_t>(m);
    bind_symbol<std::uint32_t>(m);
    bind_index<std::int32_t>(m);
    bind_index<std::int64_t>(m);
}
