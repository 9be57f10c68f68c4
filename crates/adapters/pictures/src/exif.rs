//! How a camera was held (EXIF, tag `Orientation`).

use raffle::pictures::Size;

/// From 1, as it stands, to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Orientation(u16);

/// The tag in a TIFF directory.
const TAG: u16 = 0x0112;

impl Orientation {
    pub(crate) const AS_IT_IS: Self = Self(1);

    /// What the first directory of EXIF data says; as it is without a word that makes sense.
    pub(crate) fn of(exif: &[u8]) -> Self {
        let value = value_of(exif).filter(|value| (1..=8).contains(value));
        value.map_or(Self::AS_IT_IS, Self)
    }

    /// A size after turning, and also the size before turning of what has this one afterwards.
    pub(crate) const fn turned(self, size: Size) -> Size {
        if self.0 >= 5 { size.quarter_turned() } else { size }
    }

    /// Turns pixels of three bytes. `size` is that before turning.
    pub(crate) fn turn(self, rgb: &[u8], size: Size) -> Vec<u8> {
        let (columns, rows) = (size.width as usize, size.height as usize);
        let turned = self.turned(size);
        let mut out = Vec::with_capacity(rgb.len());
        for y in 0..turned.height as usize {
            for x in 0..turned.width as usize {
                let (left, top) = (x, y);
                let (column, row) = match self.0 {
                    2 => (columns - 1 - left, top),
                    3 => (columns - 1 - left, rows - 1 - top),
                    4 => (left, rows - 1 - top),
                    5 => (top, left),
                    6 => (top, rows - 1 - left),
                    7 => (columns - 1 - top, rows - 1 - left),
                    8 => (columns - 1 - top, left),
                    _ => (left, top),
                };
                let at = (row * columns + column) * 3;
                out.extend_from_slice(rgb.get(at..at + 3).unwrap_or(&[0; 3]));
            }
        }
        out
    }
}

fn value_of(exif: &[u8]) -> Option<u16> {
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let is_little = match tiff.get(..4)? {
        b"II\x2a\0" => true,
        b"MM\0\x2a" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    };
    let long = |at: usize| {
        let bytes: [u8; 4] = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    };
    let directory = usize::try_from(long(4)?).ok()?;
    let entries = usize::from(short(directory)?);
    let mut places = (0..entries).map(|entry| directory + 2 + entry * 12);
    let place = places.find(|&at| short(at) == Some(TAG))?;
    short(place + 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EXIF data with one entry, as cameras write it.
    fn exif(orientation: u16) -> Vec<u8> {
        let mut bytes = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
        bytes.extend_from_slice(&orientation.to_be_bytes());
        bytes.extend_from_slice(&[0; 6]);
        bytes
    }

    #[test]
    fn the_orientation_is_read_in_both_byte_orders() {
        assert_eq!(Orientation::of(&exif(6)), Orientation(6));
        let little = b"Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0\0\0\0\0";
        assert_eq!(Orientation::of(little), Orientation(8));
    }

    #[test]
    fn what_makes_no_sense_turns_nothing() {
        let whole = exif(6);
        for length in 0..20 {
            assert_eq!(
                Orientation::of(&whole[..length]),
                Orientation::AS_IT_IS,
                "{length}"
            );
        }
        let mut far = whole.clone();
        far[4..8].copy_from_slice(&[0xff; 4]);
        for strange in [exif(0), exif(9), far] {
            assert_eq!(Orientation::of(&strange), Orientation::AS_IT_IS);
        }
    }

    /// The letter F, as the standard draws it for each value.
    #[test]
    fn pixels_are_turned_as_the_standard_says() {
        let letter = |rows: &[&str]| -> (Vec<u8>, Size) {
            let size = Size::new(rows[0].len() as u32, rows.len() as u32);
            let pixels = rows.concat().bytes().flat_map(|byte| [byte; 3]).collect();
            (pixels, size)
        };
        let (upright, _) = letter(&["###", "#..", "##.", "#.."]);
        for (value, stored) in [
            (1, ["###", "#..", "##.", "#.."].as_slice()),
            (2, &["###", "..#", ".##", "..#"]),
            (3, &["..#", ".##", "..#", "###"]),
            (4, &["#..", "##.", "#..", "###"]),
            (5, &["####", "#.#.", "#..."]),
            (6, &["#...", "#.#.", "####"]),
            (7, &["...#", ".#.#", "####"]),
            (8, &["####", ".#.#", "...#"]),
        ] {
            let (pixels, size) = letter(stored);
            assert_eq!(Orientation(value).turn(&pixels, size), upright, "{value}");
        }
    }
}
