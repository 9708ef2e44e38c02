//! Colours in a perceptual space: Oklab (Björn Ottosson, 2020).

use std::sync::LazyLock;

use image::RgbaImage;

/// Most colours of a palette.
const MOST_COLOURS: usize = 6;
/// Colours closer than this count as one.
const NEAR: f32 = 0.07;
/// Smallest share that is listed.
const SMALLEST: f64 = 0.015;
/// Chroma of pure red.
const MOST_CHROMA: f64 = 0.2577;
/// What measuring a pixel costs, in steps.
const WORK: usize = 50;

/// A colour and its share.
#[derive(Clone, Debug, PartialEq)]
pub struct Swatch {
    /// `#rrggbb`.
    pub hex: String,
    /// Share of the visible area, 0 to 1.
    pub share: f64,
}

/// A picture in Oklab, over white where it is transparent.
#[derive(Clone, Debug)]
pub struct Plane {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Lightness 0 to 1, green to red, and blue to yellow, row by row.
    pub lab: Vec<[f32; 3]>,
    /// Whether a pixel is visible: its alpha is at least 64.
    pub visible: Vec<bool>,
}

impl Plane {
    /// The picture's pixels.
    pub fn of(image: &RgbaImage) -> Self {
        budget::spend(WORK * image.width() as usize * image.height() as usize);
        let over_white = |value: u8, alpha: u8| {
            let (value, alpha) = (u32::from(value), u32::from(alpha));
            ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        let lab = image
            .pixels()
            .map(|pixel| {
                let [red, green, blue, alpha] = pixel.0;
                oklab([red, green, blue].map(|value| over_white(value, alpha)))
            })
            .collect();
        Self {
            width: image.width() as usize,
            height: image.height() as usize,
            lab,
            visible: image.pixels().map(|pixel| pixel.0[3] >= 64).collect(),
        }
    }

    /// Lightness at a place.
    pub fn light(&self, x: usize, y: usize) -> f32 {
        self.lab[y * self.width + x][0]
    }

    /// The visible pixels.
    pub fn seen(&self) -> impl Iterator<Item = &[f32; 3]> {
        self.lab.iter().zip(&self.visible).filter(|(_, visible)| **visible).map(|(lab, _)| lab)
    }

    /// Share of invisible pixels.
    pub fn transparent(&self) -> f64 {
        let hidden = self.visible.iter().filter(|visible| !**visible).count();
        hidden as f64 / self.visible.len().max(1) as f64
    }

    /// Mean chroma as a share of that of pure red, and whether hardly any pixel has a hue.
    pub fn saturation(&self) -> (f64, bool) {
        let mut count = 0.0_f64;
        let mut sum = 0.0;
        let mut coloured = 0.0_f64;
        for [_, a, b] in self.seen() {
            let chroma = f64::from(a.hypot(*b));
            count += 1.0;
            sum += chroma;
            coloured += f64::from(u8::from(chroma > 0.03));
        }
        let count = count.max(1.0);
        ((sum / count / MOST_CHROMA).min(1.0), coloured / count < 0.02)
    }
}

/// Oklab of an sRGB colour.
fn oklab(rgb: [u8; 3]) -> [f32; 3] {
    static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|value| {
            let value = value as f32 / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    });
    let [r, g, b] = rgb.map(|value| LINEAR[usize::from(value)]);
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// The sRGB colour of Oklab.
fn hex([light, a, b]: [f32; 3]) -> String {
    let l = (light + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (light - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (light - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let [red, green, blue] = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|value: f32| {
        let value = value.clamp(0.0, 1.0);
        let value = if value <= 0.003_130_8 {
            value * 12.92
        } else {
            1.055 * value.powf(1.0 / 2.4) - 0.055
        };
        (value * 255.0).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Perceptual distance.
pub fn distance(one: [f32; 3], other: [f32; 3]) -> f32 {
    let square = |index: usize| (one[index] - other[index]).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

/// Colours in one box of the colour space.
#[derive(Clone, Copy, Default)]
struct Bin {
    count: f32,
    sum: [f32; 3],
}

impl Bin {
    fn add(&mut self, lab: [f32; 3], count: f32) {
        self.count += count;
        for (sum, value) in self.sum.iter_mut().zip(lab) {
            *sum += value * count;
        }
    }

    fn mean(&self) -> [f32; 3] {
        self.sum.map(|sum| sum / self.count)
    }
}

/// The main colours of pictures: k-means over boxes. The first centre is the fullest box; each
/// further one is the box that is full and far from the chosen centres.
pub fn palette_of(planes: &[Plane]) -> Vec<Swatch> {
    let bins = bins(planes);
    let total: f32 = bins.iter().map(|bin| bin.count).sum();
    let Some(first) = bins.iter().max_by(|one, other| one.count.total_cmp(&other.count)) else {
        return Vec::new();
    };
    let mut centres = vec![first.mean()];
    while centres.len() < MOST_COLOURS {
        let worth =
            |bin: &Bin| distance(nearest(&centres, bin.mean()).1, bin.mean()) * bin.count.sqrt();
        let next = bins.iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
        match next.map(Bin::mean) {
            Some(next) if distance(nearest(&centres, next).1, next) > NEAR => centres.push(next),
            _ => break,
        }
    }
    let mut clusters = Vec::new();
    for _ in 0..8 {
        clusters = cluster(&bins, &centres);
        centres = clusters.iter().map(|(cluster, _)| cluster.mean()).collect();
    }
    let mut swatches: Vec<Swatch> = clusters
        .iter()
        .map(|(cluster, fullest)| {
            // A flat colour is returned exactly, not mixed with the edges around it.
            let flat = fullest.count * 2.0 >= cluster.count;
            Swatch {
                hex: hex(if flat { fullest.mean() } else { cluster.mean() }),
                share: (f64::from(cluster.count / total) * 1000.0).floor() / 1000.0,
            }
        })
        .filter(|swatch| swatch.share >= SMALLEST)
        .collect();
    swatches.sort_by(|one, other| other.share.total_cmp(&one.share));
    swatches
}

/// The boxes of similar colours that are not empty.
fn bins(planes: &[Plane]) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); 32 * 32 * 32];
    for lab in planes.iter().flat_map(Plane::seen) {
        let [light, a, b] = *lab;
        let index = |value: f32| (value * 32.0).clamp(0.0, 31.0) as usize;
        let place = index(light) << 10 | index(a + 0.5) << 5 | index(b + 0.5);
        bins[place].add(*lab, 1.0);
    }
    bins.retain(|bin| bin.count > 0.0);
    bins
}

fn nearest(centres: &[[f32; 3]], colour: [f32; 3]) -> (usize, [f32; 3]) {
    let mut best = (0, centres[0]);
    for (index, centre) in centres.iter().enumerate() {
        if distance(*centre, colour) < distance(best.1, colour) {
            best = (index, *centre);
        }
    }
    best
}

/// For each centre with boxes: their sum, and the fullest box.
fn cluster(bins: &[Bin], centres: &[[f32; 3]]) -> Vec<(Bin, Bin)> {
    let mut clusters = vec![(Bin::default(), Bin::default()); centres.len()];
    for bin in bins {
        let (sum, fullest) = &mut clusters[nearest(centres, bin.mean()).0];
        sum.add(bin.mean(), bin.count);
        if bin.count > fullest.count {
            *fullest = *bin;
        }
    }
    clusters.retain(|(sum, _)| sum.count > 0.0);
    clusters
}
