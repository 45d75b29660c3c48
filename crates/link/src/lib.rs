//! One handle to Redis in any shape: standalone, TLS, unix socket, Sentinel, Cluster.
