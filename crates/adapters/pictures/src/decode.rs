//! From the bytes of a file to pixels.

use crate::exif::Orientation;
use crate::header::{Header, Kind};
use crate::scale::{Pixels, Space};
use image_webp::WebPDecoder;
use png::Transformations;
use raffle::pictures::{Size, UploadFault};
use std::io::Cursor;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// A color profile may take this many bytes. Those of printers take half a megabyte to two.
const MOST_PROFILE_BYTES: usize = 4 << 20;

/// A decoded upload.
pub(crate) struct Decoded {
    /// As they are stored, before turning.
    pub(crate) pixels: Pixels,
    pub(crate) orientation: Orientation,
    pub(crate) profile: Option<Vec<u8>>,
}

/// Decodes an upload whose header was checked.
///
/// # Errors
/// [`UploadFault::Unreadable`], and [`UploadFault::Animated`].
pub(crate) fn decode(upload: &[u8], header: &Header) -> Result<Decoded, UploadFault> {
    let decoded = match header.kind {
        Kind::Jpeg { by_adobe } => jpeg(upload, by_adobe),
        Kind::Png => png(upload)?,
        Kind::WebP => webp(upload),
    };
    // A decoder that read another header than ours has used memory that nobody allowed.
    decoded
        .filter(|decoded| decoded.pixels.size == header.size)
        .ok_or(UploadFault::Unreadable)
}

fn jpeg(upload: &[u8], by_adobe: bool) -> Option<Decoded> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(upload), options);
    decoder.decode_headers().ok()?;
    let stored = decoder.input_colorspace()?;
    let (wanted, space) = match stored {
        ColorSpace::Luma => (ColorSpace::Luma, Space::Gray),
        ColorSpace::CMYK => (ColorSpace::CMYK, Space::Cmyk),
        ColorSpace::YCCK => (ColorSpace::YCCK, Space::Ycck),
        _ => (ColorSpace::RGB, Space::Rgb),
    };
    // Strict: half a picture is none.
    decoder.set_options(options.set_strict_mode(true).jpeg_set_out_colorspace(wanted));
    let (width, height) = decoder.dimensions()?;
    let mut bytes = vec![0; decoder.output_buffer_size()?];
    decoder.decode_into(&mut bytes).ok()?;
    if space == Space::Cmyk && !by_adobe {
        bytes.iter_mut().for_each(|byte| *byte = 255 - *byte);
    }
    Some(Decoded {
        pixels: pixels(space, (width, height), space.channels(), bytes)?,
        orientation: decoder
            .exif()
            .map_or(Orientation::AS_IT_IS, |exif| Orientation::of(exif)),
        profile: decoder.icc_profile(),
    })
}

fn png(upload: &[u8]) -> Result<Option<Decoded>, UploadFault> {
    let mut decoder = png::Decoder::new_with_limits(
        Cursor::new(upload),
        png::Limits {
            bytes: MOST_PROFILE_BYTES,
        },
    );
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let Ok(mut reader) = decoder.read_info() else {
        return Ok(None);
    };
    if reader.info().animation_control().is_some() {
        return Err(UploadFault::Animated);
    }
    Ok(png_pixels(&mut reader))
}

fn png_pixels(reader: &mut png::Reader<Cursor<&[u8]>>) -> Option<Decoded> {
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut bytes).ok()?;
    let (space, step) = match frame.color_type {
        png::ColorType::Grayscale => (Space::Gray, 1),
        png::ColorType::GrayscaleAlpha => (Space::Gray, 2),
        png::ColorType::Rgb | png::ColorType::Indexed => (Space::Rgb, 3),
        png::ColorType::Rgba => (Space::Rgb, 4),
    };
    if step == space.channels() + 1 {
        put_on_white(&mut bytes, step);
    }
    let info = reader.info();
    let size = (frame.width as usize, frame.height as usize);
    Some(Decoded {
        pixels: pixels(space, size, step, bytes)?,
        orientation: info
            .exif_metadata
            .as_deref()
            .map_or(Orientation::AS_IT_IS, Orientation::of),
        profile: info.icc_profile.as_deref().map(<[u8]>::to_vec),
    })
}

fn webp(upload: &[u8]) -> Option<Decoded> {
    let mut decoder = WebPDecoder::new(Cursor::new(upload)).ok()?;
    decoder.set_memory_limit(MOST_PROFILE_BYTES);
    let mut bytes = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut bytes).ok()?;
    let step = if decoder.has_alpha() { 4 } else { 3 };
    if decoder.has_alpha() {
        put_on_white(&mut bytes, step);
    }
    let (width, height) = decoder.dimensions();
    let exif = decoder.exif_metadata().ok().flatten();
    Some(Decoded {
        pixels: pixels(Space::Rgb, (width as usize, height as usize), step, bytes)?,
        orientation: exif.map_or(Orientation::AS_IT_IS, |exif| Orientation::of(&exif)),
        profile: decoder.icc_profile().ok().flatten(),
    })
}

fn pixels(space: Space, (width, height): (usize, usize), step: usize, bytes: Vec<u8>) -> Option<Pixels> {
    let size = Size::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    (bytes.len() == width * height * step).then_some(Pixels {
        space,
        size,
        step,
        bytes,
    })
}

/// What shines through is white, because JPEG has no transparency. The last byte of each pixel is its opacity.
fn put_on_white(bytes: &mut [u8], step: usize) {
    for pixel in bytes.chunks_exact_mut(step) {
        if let Some((&mut opacity, channels)) = pixel.split_last_mut() {
            for channel in channels {
                let opacity = u16::from(opacity);
                *channel = ((u16::from(*channel) * opacity + 255 * (255 - opacity) + 127) / 255) as u8;
            }
        }
    }
}
