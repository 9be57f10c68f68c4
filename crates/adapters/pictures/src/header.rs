//! What an upload says of itself, read without decoding anything.

use raffle::pictures::{PICTURE_MEMORY, Size, UploadFault};

/// What making the renditions takes besides the decoded pixels, in bytes.
const BESIDES: u64 = 12 << 20;

/// What an upload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// Before it is turned as EXIF says.
    pub(crate) size: Size,
    /// What decoding takes besides the upload, in bytes.
    pub(crate) memory: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Jpeg {
        /// Whether four channels are inverted, as Adobe's programs write them.
        by_adobe: bool,
    },
    Png,
    WebP,
}

impl Header {
    /// # Errors
    /// [`UploadFault::UnknownKind`], [`UploadFault::Animated`] and [`UploadFault::Unreadable`].
    pub(crate) fn read(upload: &[u8]) -> Result<Self, UploadFault> {
        let read = if upload.starts_with(b"\xff\xd8\xff") {
            jpeg(upload)
        } else if upload.starts_with(b"\x89PNG\r\n\x1a\n") {
            png(upload)
        } else if upload.starts_with(b"RIFF") && upload.get(8..12) == Some(b"WEBP") {
            return webp(upload)?.ok_or(UploadFault::Unreadable);
        } else {
            return Err(UploadFault::UnknownKind);
        };
        read.ok_or(UploadFault::Unreadable)
    }

    /// Whether it may be decoded. EXIF may turn it, so only what no turn makes large enough is too small.
    ///
    /// # Errors
    /// [`UploadFault::TooManyPixels`], [`UploadFault::TooSmall`] and [`UploadFault::TooMuchMemory`].
    pub(crate) fn check(&self, upload_bytes: usize) -> Result<(), UploadFault> {
        if self.size.check().is_err() {
            self.size.quarter_turned().check()?;
        }
        match self.memory + upload_bytes as u64 + BESIDES <= PICTURE_MEMORY {
            true => Ok(()),
            false => Err(UploadFault::TooMuchMemory),
        }
    }
}

fn byte(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at).map(|&byte| u64::from(byte))
}

fn short(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
    Some(u32::from(u16::from_be_bytes(bytes)))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_be_bytes(bytes))
}

/// Walks the segments to the first scan. Kinds of JPEG that no camera and no browser knows are unreadable.
fn jpeg(upload: &[u8]) -> Option<Header> {
    let mut by_adobe = false;
    let mut frame = None;
    let mut at = 2;
    loop {
        let marker = *upload.get(at + 1).filter(|_| upload.get(at) == Some(&0xff))?;
        if marker == 0xff {
            at += 1; // padding
            continue;
        }
        let length = short(upload, at + 2)? as usize;
        let segment = upload.get(at + 4..at + 2 + length)?;
        match marker {
            0xc0..=0xc2 if frame.is_none() => frame = Some(Frame::read(segment, marker == 0xc2)?),
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return None,
            0xee => by_adobe |= segment.starts_with(b"Adobe"),
            0xda => {
                let Frame { size, .. } = frame?;
                let is_whole = byte(segment, 0)? == frame?.channels;
                return Some(Header {
                    kind: Kind::Jpeg { by_adobe },
                    size,
                    memory: frame?.memory(is_whole),
                });
            }
            _ => {}
        }
        at += 2 + length;
    }
}

#[derive(Clone, Copy)]
struct Frame {
    is_progressive: bool,
    size: Size,
    channels: u64,
    /// How many samples all channels have of a block of the largest factors' size, and how wide and high such a block is.
    samples: u64,
    width: u64,
    height: u64,
}

impl Frame {
    fn read(segment: &[u8], is_progressive: bool) -> Option<Self> {
        let size = Size::new(short(segment, 3)?, short(segment, 1)?);
        let channels = byte(segment, 5).filter(|channels| [1, 3, 4].contains(channels))?;
        let factors = (0..channels as usize).map(|channel| byte(segment, 7 + 3 * channel));
        let factors = factors.map(|factors| Some((factors? >> 4, factors? & 15)));
        let factors = factors.collect::<Option<Vec<_>>>()?;
        if byte(segment, 0)? != 8 || factors.iter().any(|&(h, v)| h.min(v) == 0 || h.max(v) > 4) {
            return None;
        }
        Some(Self {
            is_progressive,
            size,
            channels,
            samples: factors.iter().map(|(h, v)| h * v * 64).sum(),
            width: factors.iter().map(|(h, _)| h * 8).max()?,
            height: factors.iter().map(|(_, v)| v * 8).max()?,
        })
    }

    /// The pixels; a few rows of blocks; and all coefficients, if they do not come in the order of the pixels.
    fn memory(&self, is_whole: bool) -> u64 {
        let across = u64::from(self.size.width).div_ceil(self.width);
        let down = u64::from(self.size.height).div_ceil(self.height);
        let rows = across * self.width * self.height * self.channels * 2 * 4;
        let coefficients = across * down * self.samples * 2;
        let is_kept = self.is_progressive || !is_whole;
        self.size.pixels() * self.channels + rows + if is_kept { coefficients } else { 0 }
    }
}

/// What the decoder gives back has at most four bytes for a pixel, also of 16 bits; it keeps a few rows besides.
fn png(upload: &[u8]) -> Option<Header> {
    if upload.get(12..16)? != b"IHDR" {
        return None;
    }
    let size = Size::new(long(upload, 16)?, long(upload, 20)?);
    Some(Header {
        kind: Kind::Png,
        size,
        memory: size
            .pixels()
            .saturating_mul(4)
            .saturating_add(u64::from(size.width) * 8 * 4),
    })
}

/// Walks the chunks. The decoder believes the size in the chunk of the pixels, so it has to be that of the whole.
fn webp(upload: &[u8]) -> Result<Option<Header>, UploadFault> {
    let mut whole = None;
    let mut pixels = None;
    let mut has_alpha = false;
    for (name, chunk) in chunks(upload) {
        match name {
            b"ANIM" | b"ANMF" => return Err(UploadFault::Animated),
            b"VP8X" => {
                if byte(chunk, 0).is_some_and(|flags| flags & 2 != 0) {
                    return Err(UploadFault::Animated);
                }
                has_alpha = byte(chunk, 0).is_some_and(|flags| flags & 16 != 0);
                whole = Some((three(chunk, 4).map(|n| n + 1), three(chunk, 7).map(|n| n + 1)));
            }
            b"VP8 " | b"VP8L" if pixels.is_some() => return Ok(None),
            b"VP8 " => {
                let side = |at| {
                    byte(chunk, at)
                        .zip(byte(chunk, at + 1))
                        .map(|(low, high)| (low | high << 8) & 0x3fff)
                };
                // As wide and high as whole blocks; with alpha, that is decoded to four bytes, and then to one.
                pixels = Some((side(6), side(8), if has_alpha { 21 } else { 9 }));
            }
            b"VP8L" => {
                let bits = (1..5)
                    .rev()
                    .try_fold(0_u64, |bits, at| Some(bits << 8 | byte(chunk, at)?));
                let side = |from: u32| bits.map(|bits| (bits >> from & 0x3fff) + 1);
                has_alpha = bits.is_some_and(|bits| bits >> 28 & 1 == 1) || has_alpha;
                pixels = Some((side(0), side(14), if has_alpha { 9 } else { 15 }));
            }
            _ => {}
        }
    }
    let Some((Some(width), Some(height), halves)) = pixels else {
        return Ok(None);
    };
    if whole.is_some_and(|whole| whole != (Some(width), Some(height))) {
        return Ok(None);
    }
    let blocks = width.next_multiple_of(16) * height.next_multiple_of(16);
    Ok(Some(Header {
        kind: Kind::WebP,
        size: Size::new(width as u32, height as u32),
        memory: blocks * halves / 2,
    }))
}

fn three(chunk: &[u8], at: usize) -> Option<u64> {
    (at..at + 3)
        .rev()
        .try_fold(0_u64, |number, at| Some(number << 8 | byte(chunk, at)?))
}

fn chunks(upload: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 12;
    std::iter::from_fn(move || {
        let name = upload.get(at..at + 4)?;
        let length: [u8; 4] = upload.get(at + 4..at + 8)?.try_into().ok()?;
        let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
        let end = upload.len().min(at + 8 + length);
        let chunk = upload.get(at + 8..end)?;
        at += 8 + length.next_multiple_of(2);
        Some((name, chunk))
    })
}
