// A Tick that runs Python's signal handlers (Ctrl-C) and the caller's progress function.
#pragma once

#include <nanobind/nanobind.h>

#include "common/tick.hpp"

namespace sfumato {

// `progress` is None or a function of one float. The GIL is not held by the computation.
inline Tick python_tick(nanobind::handle progress) {
    return [progress](double share) {
        nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (!progress.is_none()) progress(share);
    };
}

}  // namespace sfumato
