"""Research on predictors: corpus, training, calibration and experiments. It may import bpa_dev, never the reverse."""
