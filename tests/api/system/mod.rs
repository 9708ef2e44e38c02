mod capabilities;
mod health;
mod info;
mod models;
mod openapi;
mod usage;
