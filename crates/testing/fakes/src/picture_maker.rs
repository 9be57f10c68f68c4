use raffle::pictures::{MadePicture, PictureMaker, Rendition, Size, UploadFault};

/// Takes for a picture what begins like a JPEG file, and makes renditions of which each repeats the upload and says its size.
#[derive(Debug, Clone, Copy, Default)]
pub struct FakePictures;

impl PictureMaker for FakePictures {
    fn make(&self, upload: &[u8]) -> Result<MadePicture, UploadFault> {
        if !upload.starts_with(b"\xff\xd8\xff") {
            return Err(UploadFault::UnknownKind);
        }
        Ok(MadePicture {
            renditions: Size::new(1440, 900).renditions().map(|size| Rendition {
                size,
                jpeg: [upload, format!(" {} x {}", size.width, size.height).as_bytes()].concat(),
            }),
        })
    }
}
