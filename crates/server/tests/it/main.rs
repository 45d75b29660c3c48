//! The server as its users meet it: real processes, real Redis, real SQL. One binary, a module per subject.

mod private_redis;
