"""Research on predictors: corpus, training and experiments. bpa_dev must not import this package."""
