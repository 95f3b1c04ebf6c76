"""A rate limiter per client."""
