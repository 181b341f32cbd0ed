"""Research on predictors: corpus, training, calibration and experiments. bpa_dev must not import this package."""
