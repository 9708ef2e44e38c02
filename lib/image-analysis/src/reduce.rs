//! Reduces a picture by box means, so that a fine pattern is not mistaken for a colour.

use image::{DynamicImage, Rgba, RgbaImage};

use crate::decode::spend;

/// The picture reduced to `width` × `height`, neither larger than its own. The colour of
/// transparent pixels does not count.
pub fn reduce(image: &DynamicImage, width: u32, height: u32) -> RgbaImage {
    let to = (width as usize, height as usize);
    let from = (image.width() as usize, image.height() as usize);
    match image {
        DynamicImage::ImageLuma8(image) => {
            means(image.as_raw(), from, to, |[grey]: [u8; 1]| [grey, grey, grey, 255])
        }
        DynamicImage::ImageLumaA8(image) => {
            means(image.as_raw(), from, to, |[grey, alpha]: [u8; 2]| [grey, grey, grey, alpha])
        }
        DynamicImage::ImageRgb8(image) => {
            means(image.as_raw(), from, to, |[red, green, blue]: [u8; 3]| [red, green, blue, 255])
        }
        DynamicImage::ImageRgba8(image) => means(image.as_raw(), from, to, |pixel: [u8; 4]| pixel),
        // Deeper pictures are rare, so this path may be slower.
        other => other.thumbnail_exact(width, height).into_rgba8(),
    }
}

/// Box means of pixels with `N` samples.
fn means<const N: usize>(
    samples: &[u8],
    from: (usize, usize),
    to: (usize, usize),
    rgba: impl Fn([u8; N]) -> [u8; 4],
) -> RgbaImage {
    // A box has at most 33 × 65 pixels, so the sums stay below 2^28.
    let mut result = RgbaImage::new(to.0 as u32, to.1 as u32);
    for y in 0..to.1 {
        let rows = y * from.1 / to.1..(y + 1) * from.1 / to.1;
        let mut sums = vec![[0_u32; 5]; to.0];
        for row in rows {
            spend(from.0 * N);
            let row = &samples[row * from.0 * N..(row + 1) * from.0 * N];
            for (x, sum) in sums.iter_mut().enumerate() {
                let (start, end) = (x * from.0 / to.0, (x + 1) * from.0 / to.0);
                for pixel in row[start * N..end * N].as_chunks::<N>().0 {
                    let [red, green, blue, alpha] = rgba(*pixel).map(u32::from);
                    sum[0] += red * alpha;
                    sum[1] += green * alpha;
                    sum[2] += blue * alpha;
                    sum[3] += alpha;
                    sum[4] += 1;
                }
            }
        }
        for (x, [red, green, blue, alpha, count]) in sums.into_iter().enumerate() {
            let mean = |sum: u32, of: u32| ((sum + of / 2) / of.max(1)) as u8;
            let colour = [red, green, blue].map(|sum| mean(sum, alpha));
            let pixel = Rgba([colour[0], colour[1], colour[2], mean(alpha, count)]);
            result.put_pixel(x as u32, y as u32, pixel);
        }
    }
    result
}
