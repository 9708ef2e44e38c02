mod capabilities;
mod erasure;
mod health;
mod info;
mod models;
mod openapi;
mod quotas;
mod usage;
