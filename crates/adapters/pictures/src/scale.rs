//! Making pixels fewer.

use raffle::pictures::Size;

/// What the bytes of a pixel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Gray,
    Rgb,
    /// Cyan, magenta, yellow and black: 0 is all of it, and 255 none.
    Cmyk,
    /// The same, with luma and chroma in the place of the first three.
    Ycck,
}

impl Space {
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb => 3,
            Self::Cmyk | Self::Ycck => 4,
        }
    }
}

/// Rows of pixels.
#[derive(Debug, Clone)]
pub(crate) struct Pixels {
    pub(crate) space: Space,
    pub(crate) size: Size,
    /// How many bytes there are from one pixel to the next; those after the channels mean nothing.
    pub(crate) step: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The share of a pixel that belongs to another.
struct Part {
    pixel: usize,
    share: f32,
}

/// The middle of a picture in a size that it is not smaller than, in the shape of that size. Each pixel is the mean of what it
/// covers, so that nothing flickers and no edge has a halo.
pub(crate) fn scaled(source: &Pixels, size: Size) -> Pixels {
    let by = f64::min(
        f64::from(source.size.width) / f64::from(size.width),
        f64::from(source.size.height) / f64::from(size.height),
    );
    let columns = parts(source.size.width, size.width, by);
    let rows = parts(source.size.height, size.height, by);
    let channels = source.space.channels();
    let row_bytes = source.size.width as usize * source.step;
    let mut bytes = Vec::with_capacity(size.pixels() as usize * channels);
    let mut sums = vec![0_f32; columns.len() * channels];
    for row in rows {
        sums.fill(0.0);
        for part in row {
            let at = part.pixel * row_bytes;
            let row = source.bytes.get(at..at + row_bytes).unwrap_or_default();
            add_row(&mut sums, row, &columns, (channels, source.step), part.share);
        }
        bytes.extend(sums.iter().map(|sum| (sum + 0.5) as u8));
    }
    Pixels {
        space: source.space,
        size,
        step: channels,
        bytes,
    }
}

fn add_row(
    sums: &mut [f32],
    row: &[u8],
    columns: &[Vec<Part>],
    (channels, step): (usize, usize),
    share: f32,
) {
    for (sums, column) in sums.chunks_exact_mut(channels).zip(columns) {
        for part in column {
            let at = part.pixel * step;
            let weight = part.share * share;
            for (sum, &byte) in sums.iter_mut().zip(row.get(at..).unwrap_or_default()) {
                *sum += f32::from(byte) * weight;
            }
        }
    }
}

/// What each of `to` pixels covers of the middle of `from` pixels, `by` of them each.
fn parts(from: u32, to: u32, by: f64) -> Vec<Vec<Part>> {
    let start = (f64::from(from) - f64::from(to) * by) / 2.0;
    let last = from.saturating_sub(1);
    let covered = |n: u32| {
        let begin = start + f64::from(n) * by;
        let end = begin + by;
        let pixels = (begin as u32).min(last)..=(end as u32).min(last);
        let parts = pixels.map(|pixel| {
            let inside = f64::min(end, f64::from(pixel) + 1.0) - f64::max(begin, f64::from(pixel));
            Part {
                pixel: pixel as usize,
                share: (inside.max(0.0) / by) as f32,
            }
        });
        parts.filter(|part| part.share > 0.0).collect()
    };
    (0..to).map(covered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(size: Size, pixel: impl Fn(u32, u32) -> u8) -> Pixels {
        let all = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        Pixels {
            space: Space::Gray,
            size,
            step: 1,
            bytes: all.map(|(x, y)| pixel(x, y)).collect(),
        }
    }

    #[test]
    fn the_same_size_keeps_every_pixel() {
        let source = gray(Size::new(7, 5), |x, y| (x * 31 + y * 7) as u8);
        assert_eq!(scaled(&source, source.size).bytes, source.bytes);
    }

    #[test]
    fn each_pixel_is_the_mean_of_what_it_covers() {
        let source = gray(Size::new(6, 4), |x, y| (x * 10 + y * 40) as u8);
        assert_eq!(
            scaled(&source, Size::new(3, 2)).bytes,
            [25, 45, 65, 105, 125, 145]
        );
        // 1.5 pixels in one: the middle one counts half on both sides.
        let source = gray(Size::new(3, 3), |x, _| (x * 90) as u8);
        assert_eq!(scaled(&source, Size::new(2, 2)).bytes, [30, 150, 30, 150]);
    }

    #[test]
    fn the_middle_is_kept_in_either_direction() {
        let source = gray(Size::new(8, 2), |x, _| x as u8);
        assert_eq!(scaled(&source, Size::new(2, 2)).bytes, [3, 4, 3, 4]);
        let source = gray(Size::new(2, 8), |_, y| y as u8);
        assert_eq!(scaled(&source, Size::new(2, 2)).bytes, [3, 3, 4, 4]);
    }

    #[test]
    fn one_color_stays_it_in_every_size() {
        for (width, height) in [(1201, 631), (3999, 2777), (631, 4001)] {
            let source = gray(Size::new(width, height), |_, _| 201);
            for (width, height) in [(480, 300), (300, 480), (479, 299)] {
                let small = scaled(&source, Size::new(width, height));
                assert!(small.bytes.iter().all(|&byte| byte == 201));
                assert_eq!(small.bytes.len(), (width * height) as usize);
            }
        }
    }

    #[test]
    fn bytes_after_the_channels_mean_nothing() {
        let source = Pixels {
            space: Space::Rgb,
            size: Size::new(2, 1),
            step: 4,
            bytes: vec![10, 20, 30, 99, 30, 40, 50, 77],
        };
        let small = scaled(&source, Size::new(2, 1));
        assert_eq!((small.step, small.bytes), (3, vec![10, 20, 30, 30, 40, 50]));
    }
}
