mod body;
mod credentials;
mod envelope;
mod rate;
mod refusal_cache;
mod router;
mod secret_rotation;
mod unavailable;
