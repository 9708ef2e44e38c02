//! A prompt as its author wrote it: what it stands in, and what of it is material to work on.

pub mod container;
pub mod mask;

pub use container::Container;
pub use mask::Mask;

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Behind its end.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The place at an offset, without extent.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The range so many bytes further on.
    pub const fn moved(self, by: usize) -> Self {
        Self::new(self.start + by, self.end + by)
    }

    /// Whether `other` lies in it.
    pub const fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether it shares a byte with `other`.
    pub const fn meets(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}
