// The compiled core: every area binds its own functions.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_covers(nb::module_&);
void bind_external(nb::module_&);
void bind_known_sets(nb::module_&);
void bind_meanings(nb::module_&);
void bind_patterns(nb::module_&);
void bind_places(nb::module_&);
void bind_reader(nb::module_&);
void bind_records(nb::module_&);
void bind_repeats(nb::module_&);
void bind_stored(nb::module_&);
void bind_tagger(nb::module_&);
void bind_terms(nb::module_&);
void bind_text(nb::module_&);

NB_MODULE(_core, m) {
    // Weights that are kept until Python ends are no leak, and nothing is to be printed then.
    nb::set_leak_warnings(false);
    m.doc() = "Compiled kernels; use them through sfumato.kernels.";
    bind_covers(m);
    bind_external(m);
    bind_known_sets(m);
    bind_meanings(m);
    bind_patterns(m);
    bind_places(m);
    bind_reader(m);
    bind_records(m);
    bind_repeats(m);
    bind_stored(m);
    bind_tagger(m);
    bind_terms(m);
    bind_text(m);
}
