//! Private services, fault proxy and TestApp for tests (dev-dependency only).
