//! Demo data, deterministic and made by code: people, shops, notes, vouchers, pictures.
