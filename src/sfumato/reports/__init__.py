"""What a release looks like to people: charts, and one HTML file that holds everything."""

from ..judging.plot import Chart
from .plots import plot
from .report import report
from .sample import Record

__all__ = ["Chart", "Record", "plot", "report"]
