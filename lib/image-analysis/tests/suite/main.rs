//! Analysis of images and clips. One program, since linking costs more than running.

mod clips;
mod features;
mod files;
mod fitting;
mod graphs;
mod hostile;
mod large;
mod recovering;
