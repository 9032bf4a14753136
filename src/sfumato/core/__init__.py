"""What every part speaks of: releases, claims, verdicts, spans, corpora and errors."""
