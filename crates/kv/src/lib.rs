//! Our Redis data: sessions, codes, limits; keys only in keys.rs.
