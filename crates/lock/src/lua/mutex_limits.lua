-- Limits of a mutex; `limits.rs` has them with their reasons, and a test compares the two.
local FENCES, FENCE_TTL_MS, GRACE_MS, ALIVE_MS, DONE_TTL_MS = 64, 86400000, 2000, 5000, 15000
