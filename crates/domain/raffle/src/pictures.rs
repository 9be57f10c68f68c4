//! Uploaded pictures: what is allowed, what is made of them, and the ports (D57).

use crate::PictureHash;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::StoreError;
use std::io::ErrorKind;

/// What an upload may be, as whoever uploads reads it.
pub const ALLOWED_UPLOADS: &str = "A picture is a JPEG, PNG or WebP file without animation, of at most 8 MB and 25 megapixels, and of at least 1200 × 630 pixels.";
/// The most bytes of an upload.
pub const MOST_UPLOAD_BYTES: usize = 8_000_000;
/// The most pixels of an upload.
pub const MOST_PIXELS: u64 = 25_000_000;
/// The memory that one picture may take while it is made, the upload included, in bytes.
pub const PICTURE_MEMORY: u64 = 128 << 20;
/// How many pictures there can be. Withdrawn ones do not count.
pub const MOST_PICTURES: i64 = 300;
/// After how long a picture that nothing names is deleted.
pub const UNNAMED_LIFE: TimeDelta = TimeDelta::days(7);

/// Why an upload becomes no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UploadFault {
    /// More than [`MOST_UPLOAD_BYTES`].
    #[error("The file is too large.")]
    TooManyBytes,
    /// The bytes do not begin as those of a JPEG, PNG or WebP file do.
    #[error("The file is not a picture of these kinds.")]
    UnknownKind,
    /// It moves.
    #[error("The picture is animated.")]
    Animated,
    /// More than [`MOST_PIXELS`], by its header.
    #[error("The picture has too many pixels.")]
    TooManyPixels,
    /// Less than [`Size::LEAST`], by its header, once it is turned as EXIF says.
    #[error("The picture is too small.")]
    TooSmall,
    /// Reading it takes more than [`PICTURE_MEMORY`], by its header. A large progressive JPEG can, for example.
    #[error("The picture takes too much memory. Please save it with fewer pixels or as a plain JPEG.")]
    TooMuchMemory,
    /// It is not what its header says, or it ends too early.
    #[error("The picture cannot be read.")]
    Unreadable,
    /// Nothing is wrong with it as far as anybody knows: the system refused what it takes to look at it.
    #[error("The picture could not be looked at. Please try again.")]
    NotTried(ErrorKind),
}

/// Width and height, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

impl Size {
    /// The least size of an upload.
    pub const LEAST: Self = Self::new(1200, 630);
    /// The size of an image for link previews.
    pub const LINK_PREVIEW: Self = Self::new(1200, 630);

    /// A size.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// How many pixels it has.
    pub const fn pixels(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// The size after a quarter turn.
    pub const fn quarter_turned(self) -> Self {
        Self::new(self.height, self.width)
    }

    /// Whether an upload can have this size once it is turned as EXIF says.
    ///
    /// # Errors
    /// [`UploadFault::TooManyPixels`] and [`UploadFault::TooSmall`].
    pub const fn check(self) -> Result<(), UploadFault> {
        if self.pixels() > MOST_PIXELS {
            Err(UploadFault::TooManyPixels)
        } else if self.width < Self::LEAST.width || self.height < Self::LEAST.height {
            Err(UploadFault::TooSmall)
        } else {
            Ok(())
        }
    }

    /// The sizes that a picture of this size is made in, the largest for pages first. Those for pages have the shape of the
    /// scenes, 8 to 5, so that an upload takes a scene's place without moving anything; what is more is cut off on both
    /// sides. None is larger than the picture.
    pub fn renditions(self) -> [Self; 4] {
        let most = self.width.min(self.height * 8 / 5);
        let [large, medium, small] = [1440, 960, 480].map(|width| {
            let eighth = most.min(width) / 8;
            Self::new(eighth * 8, eighth * 5)
        });
        [large, medium, small, Self::LINK_PREVIEW]
    }
}

/// A picture in one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendition {
    /// Its size.
    pub size: Size,
    /// A JPEG file.
    pub jpeg: Vec<u8>,
}

/// A picture that was made of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadePicture {
    /// In the order of [`Size::renditions`].
    pub renditions: [Rendition; 4],
}

impl MadePicture {
    /// What is known of it without its bytes.
    pub fn summary(&self) -> PictureSummary {
        let [large, medium, small, link_preview] = self.renditions.each_ref().map(|made| StoredRendition {
            hash: PictureHash::of(&made.jpeg),
            size: made.size,
        });
        PictureSummary {
            pages: [large, medium, small],
            link_preview,
        }
    }
}

/// The name and the size of a rendition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredRendition {
    /// The hash of its bytes, which is its address.
    pub hash: PictureHash,
    /// Its size.
    pub size: Size,
}

/// A picture without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSummary {
    /// For pages, the largest first.
    pub pages: [StoredRendition; 3],
    /// For link previews.
    pub link_preview: StoredRendition,
}

impl PictureSummary {
    /// The name of the picture in contents: the hash of the largest rendition for pages.
    pub const fn hash(&self) -> PictureHash {
        let [large, ..] = &self.pages;
        large.hash
    }

    /// All renditions, those for pages first.
    pub const fn renditions(&self) -> [StoredRendition; 4] {
        let [large, medium, small] = self.pages;
        [large, medium, small, self.link_preview]
    }
}

/// What became of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddedPicture {
    /// It was added.
    New,
    /// It was there.
    Known,
    /// It was withdrawn before, and stays so.
    Withdrawn,
    /// There are [`MOST_PICTURES`].
    TooMany,
}

/// What stands at the address of a rendition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Medium {
    /// A JPEG file.
    Jpeg(Vec<u8>),
    /// It was withdrawn.
    Withdrawn,
}

/// What a withdrawal did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// The picture was withdrawn.
    Done,
    /// It was withdrawn before.
    Before,
    /// There is no such picture.
    Unknown,
}

/// Makes pictures of uploads.
pub trait PictureMaker: Send + Sync {
    /// Reads an upload, turns it as EXIF says, converts it to sRGB, and encodes it again in the sizes of [`Size::renditions`],
    /// without anything that the file held besides. It takes seconds of a core, and at most [`PICTURE_MEMORY`]: call it for
    /// one upload at a time.
    ///
    /// # Errors
    /// [`UploadFault`].
    fn make(&self, upload: &[u8]) -> Result<MadePicture, UploadFault>;
}

/// The uploaded pictures.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Pictures {
    /// Adds a picture, unless there are too many. Of any number of calls at the same time, no more are added.
    fn add_picture(&mut self, picture: &MadePicture, now: DateTime<Utc>) -> Result<AddedPicture, StoreError>;

    /// The picture with this name, if it is there and was not withdrawn.
    fn find_picture(&self, hash: PictureHash) -> Result<Option<PictureSummary>, StoreError>;

    /// What stands at the address with this hash. Two pictures can have a rendition in common; it is withdrawn when both are.
    fn find_medium(&self, hash: PictureHash) -> Result<Option<Medium>, StoreError>;

    /// Keeps a picture, which a draft or a version names as of now, for [`UNNAMED_LIFE`] at least. False if it is not there, or
    /// was withdrawn. Whoever stores such a content calls it in the same transaction.
    fn keep_picture(&mut self, hash: PictureHash, now: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Withdraws a picture: its bytes go, and its addresses stay taken.
    fn withdraw_picture(&mut self, hash: PictureHash, now: DateTime<Utc>) -> Result<Withdrawal, StoreError>;

    /// Deletes the pictures that no draft and no version names, and that none named for [`UNNAMED_LIFE`]. Withdrawn ones stay.
    /// Returns how many it deleted.
    fn delete_unnamed_pictures(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_upload_is_neither_too_large_nor_too_small() {
        for (width, height, expected) in [
            (1200, 630, Ok(())),
            (1199, 630, Err(UploadFault::TooSmall)),
            (1200, 629, Err(UploadFault::TooSmall)),
            (5000, 5000, Ok(())),
            (5000, 5001, Err(UploadFault::TooManyPixels)),
            (u32::MAX, u32::MAX, Err(UploadFault::TooManyPixels)),
            (0, 0, Err(UploadFault::TooSmall)),
        ] {
            assert_eq!(Size::new(width, height).check(), expected, "{width} x {height}");
        }
    }

    #[test]
    fn a_large_picture_is_made_in_all_sizes() {
        let sizes = [(1440, 900), (960, 600), (480, 300), (1200, 630)];
        let expected = sizes.map(|(width, height)| Size::new(width, height));
        for (width, height) in [(6000, 4000), (1440, 900), (4000, 6000)] {
            assert_eq!(Size::new(width, height).renditions(), expected);
        }
    }

    /// The least upload is 630 high, so its shape for pages is 1008 wide.
    #[test]
    fn a_small_picture_is_not_made_larger() {
        let [large, medium, ..] = Size::LEAST.renditions();
        assert_eq!((large, medium), (Size::new(1008, 630), Size::new(960, 600)));
    }

    proptest! {
        #[test]
        fn renditions_fit_into_every_allowed_picture(width in 1200_u32..39_000, tall in 0.0..1.0) {
            let most = MOST_PIXELS / u64::from(width);
            let height = 630 + (tall * (most - 630) as f64) as u32;
            let size = Size::new(width, height);
            prop_assert_eq!(size.check(), Ok(()));
            let renditions = size.renditions();
            for made in renditions {
                prop_assert!(made.width <= width && made.height <= height, "{made:?}");
            }
            for made in &renditions[..3] {
                prop_assert_eq!(made.width * 5, made.height * 8);
            }
            prop_assert_eq!([renditions[1].width, renditions[2].width], [960, 480]);
        }
    }
}
