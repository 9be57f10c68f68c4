//! Colors as screens show them.

use crate::scale::{Pixels, Space};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// A color profile, unless it makes no sense: pixels are taken for sRGB then, as browsers do.
pub(crate) fn parsed(profile: &[u8]) -> Option<ColorProfile> {
    ColorProfile::new_from_slice(profile).ok()
}

/// The pixels in sRGB, with three bytes each.
pub(crate) fn in_srgb(mut pixels: Pixels, profile: Option<&ColorProfile>) -> Vec<u8> {
    if pixels.space == Space::Ycck {
        ycck_to_cmyk(&mut pixels.bytes);
        pixels.space = Space::Cmyk;
    }
    let converted = profile.and_then(|profile| by_profile(&pixels, profile));
    converted.unwrap_or_else(|| without_profile(pixels))
}

fn by_profile(Pixels { space, bytes, .. }: &Pixels, profile: &ColorProfile) -> Option<Vec<u8>> {
    let (layout, of) = match space {
        Space::Gray => (Layout::Gray, DataColorSpace::Gray),
        Space::Rgb => (Layout::Rgb, DataColorSpace::Rgb),
        Space::Cmyk | Space::Ycck => (Layout::Rgba, DataColorSpace::Cmyk), // four channels, whatever they are
    };
    if profile.color_space != of {
        return None;
    }
    // Profiles count the ink.
    let ink: Vec<u8>;
    let source = match space {
        Space::Cmyk => {
            ink = bytes.iter().map(|byte| 255 - byte).collect();
            &ink
        }
        _ => bytes,
    };
    let options = TransformOptions::default();
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(layout, &srgb, Layout::Rgb, options)
        .ok()?;
    let mut rgb = vec![0; source.len() / space.channels() * 3];
    transform.transform(source, &mut rgb).ok()?;
    Some(rgb)
}

fn without_profile(Pixels { space, bytes, .. }: Pixels) -> Vec<u8> {
    match space {
        Space::Rgb => bytes,
        Space::Gray => bytes.into_iter().flat_map(|gray| [gray; 3]).collect(),
        Space::Cmyk | Space::Ycck => bytes.chunks_exact(4).flat_map(cmyk_to_rgb).collect(),
    }
}

/// White paper through four filters.
fn cmyk_to_rgb(pixel: &[u8]) -> [u8; 3] {
    let &[cyan, magenta, yellow, black] = pixel else {
        return [0; 3];
    };
    [cyan, magenta, yellow].map(|ink| ((u16::from(ink) * u16::from(black) + 127) / 255) as u8)
}

/// The first three channels are those of JFIF, of the inverted colors.
fn ycck_to_cmyk(bytes: &mut [u8]) {
    for pixel in bytes.chunks_exact_mut(4) {
        if let [y, cb, cr, _] = pixel {
            let [luma, blue, red] = [*y, *cb, *cr].map(f32::from);
            let (blue, red) = (blue - 128.0, red - 128.0);
            let inverted = [
                luma + 1.402 * red,
                luma - 0.344_136 * blue - 0.714_136 * red,
                luma + 1.772 * blue,
            ];
            [*y, *cb, *cr] = inverted.map(|channel| 255 - (channel + 0.5) as u8);
        }
    }
}
