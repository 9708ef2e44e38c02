//! Offsets as results give them.

/// The offset in bytes of an offset in code points; the end of a text for what is behind it.
pub fn byte_at(text: &str, point: usize) -> usize {
    text.char_indices().nth(point).map_or(text.len(), |(at, _)| at)
}

/// Offsets in code points for offsets in bytes, or the other way round, that do not fall.
pub struct CodePoints<'a> {
    text: &'a str,
    bytes: usize,
    points: usize,
}

impl<'a> CodePoints<'a> {
    /// Begins at the beginning of a text.
    pub const fn of(text: &'a str) -> Self {
        Self { text, bytes: 0, points: 0 }
    }

    /// The offset in code points of an offset in bytes, which is not before the last one.
    pub fn at(&mut self, offset: usize) -> usize {
        self.points += self.text[self.bytes..offset].chars().count();
        self.bytes = offset;
        self.points
    }

    /// The offset in bytes of an offset in code points, which is not before the last one; the end of the text for what
    /// is behind it.
    pub fn byte_at(&mut self, point: usize) -> usize {
        self.bytes += byte_at(&self.text[self.bytes..], point - self.points);
        self.points = point;
        self.bytes
    }
}
