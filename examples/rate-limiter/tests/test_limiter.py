import unittest

from src.limiter.limiter import LimitStore, RateLimiter


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class LimiterTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = Clock()
        self.store = LimitStore(default=2)
        self.limiter = RateLimiter(self.store, self.clock)

    def test_a_client_is_stopped_at_its_limit(self) -> None:
        self.assertEqual([self.limiter.allow("a") for _ in range(3)], [True, True, False])

    def test_clients_are_counted_apart(self) -> None:
        self.limiter.allow("a")
        self.limiter.allow("a")
        self.assertFalse(self.limiter.allow("a"))
        self.assertTrue(self.limiter.allow("b"))

    def test_a_new_window_starts_from_nothing(self) -> None:
        self.limiter.allow("a")
        self.limiter.allow("a")
        self.clock.seconds = 61
        self.assertTrue(self.limiter.allow("a"))

    def test_the_store_is_read_once_per_client(self) -> None:
        for _ in range(5):
            self.limiter.allow("a")
        self.assertEqual(self.store.reads, 1)

    def test_a_written_limit_counts_at_once(self) -> None:
        self.limiter.allow("a")
        self.limiter.allow("a")
        self.assertFalse(self.limiter.allow("a"))
        self.limiter.set_limit("a", 3)
        self.assertTrue(self.limiter.allow("a"))

    def test_a_limit_below_one_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            self.limiter.set_limit("a", 0)


if __name__ == "__main__":
    unittest.main()
