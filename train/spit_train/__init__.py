"""Training, evaluation, calibration and export, and the ``spit`` command."""
