mod body;
mod credentials;
mod envelope;
mod flood;
mod rate;
mod rotation;
mod router;
