"""Every conformance row, in the order of the observation."""

from tests.conformance import (
    table_absent,
    table_big,
    table_commands,
    table_evasions,
    table_gates,
    table_specs,
)
from tests.conformance.rows import Row

ROWS: list[Row] = [
    *table_specs.ROWS,
    *table_gates.ROWS,
    *table_absent.ROWS,
    *table_commands.ROWS,
    *table_big.ROWS,
    *table_evasions.ROWS,
]
