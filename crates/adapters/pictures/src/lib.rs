//! Makes pictures of uploads (D57).
//!
//! An upload is hostile until its pixels have been read: its header is checked before anything is decoded, and what comes
//! out is encoded again from pixels alone. [`Maker::make`] reads downwards; the server calls it in a process of its own
//! ([`ChildMaker`]).

mod child;
mod color;
mod decode;
mod exif;
mod header;
mod scale;

pub use child::{ChildMaker, run_child};
use color::in_srgb;
use decode::{Decoded, decode};
use header::Header;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use raffle::pictures::{MOST_UPLOAD_BYTES, MadePicture, PictureMaker, Rendition, Size, UploadFault};
use scale::scaled;
use std::panic::catch_unwind;

/// From 1 to 100. Higher than this, files grow and nobody sees more.
const QUALITY: u8 = 82;

/// Makes pictures on the caller's thread. What a file makes a decoder ask for besides its pixels is not limited: see [`ChildMaker`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Maker;

impl PictureMaker for Maker {
    fn make(&self, upload: &[u8]) -> Result<MadePicture, UploadFault> {
        if upload.len() > MOST_UPLOAD_BYTES {
            return Err(UploadFault::TooManyBytes);
        }
        let header = Header::read(upload)?;
        header.check(upload.len())?;
        // Decoders are meant to return errors, and some panic on a file that nobody thought of.
        catch_unwind(|| make_checked(upload, &header)).unwrap_or(Err(UploadFault::Unreadable))
    }
}

fn make_checked(upload: &[u8], header: &Header) -> Result<MadePicture, UploadFault> {
    let decoded = decode(upload, header)?;
    let turned = decoded.orientation.turned(header.size);
    turned.check()?;
    let sizes = turned.renditions();
    let small = sizes.map(|size| scaled(&decoded.pixels, decoded.orientation.turned(size)));
    let Decoded {
        pixels,
        profile,
        orientation,
    } = decoded;
    drop(pixels); // most of the memory
    let profile = profile.and_then(|profile| color::parsed(&profile));
    let mut renditions = Vec::with_capacity(sizes.len());
    for (size, pixels) in sizes.into_iter().zip(small) {
        let rgb = orientation.turn(&in_srgb(pixels, profile.as_ref()), orientation.turned(size));
        renditions.push(Rendition {
            size,
            jpeg: jpeg_of(&rgb, size)?,
        });
    }
    let renditions = renditions.try_into().map_err(|_| UploadFault::Unreadable)?;
    Ok(MadePicture { renditions })
}

/// A progressive JPEG file, which browsers show before all of it has arrived.
fn jpeg_of(rgb: &[u8], Size { width, height }: Size) -> Result<Vec<u8>, UploadFault> {
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    let [width, height] = [width, height].map(|pixels| u16::try_from(pixels).unwrap_or_default());
    encoder
        .encode(rgb, width, height, ColorType::Rgb)
        .map_err(|_| UploadFault::Unreadable)?;
    Ok(jpeg)
}
