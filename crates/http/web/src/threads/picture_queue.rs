//! The thread on which pictures are made of uploads.

use crate::ApiError;
use crate::threads::blocking_pool::BlockingPool;
use actix_web::http::StatusCode;
use raffle::pictures::{ALLOWED_UPLOADS, MadePicture, PictureMaker, UploadFault};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// How many uploads may wait. Each keeps up to 8 MB.
const QUEUE: usize = 3;
/// How long an upload may wait and be made into a picture.
const DEADLINE: Duration = Duration::from_secs(60);

/// Makes pictures, one at a time, when nothing else needs the core.
pub struct PictureQueue {
    thread: BlockingPool,
    maker: Arc<dyn PictureMaker>,
}

impl PictureQueue {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(maker: Arc<dyn PictureMaker>) -> io::Result<Self> {
        Ok(Self {
            thread: BlockingPool::in_background("pictures", QUEUE)?,
            maker,
        })
    }

    /// The picture of an upload.
    pub(crate) async fn make(&self, upload: Vec<u8>) -> Result<MadePicture, ApiError> {
        let maker = Arc::clone(&self.maker);
        self.thread.run(DEADLINE, move || maker.make(&upload)).await
    }
}

impl From<UploadFault> for ApiError {
    fn from(fault: UploadFault) -> Self {
        let (status, code) = match fault {
            UploadFault::NotTried(error) => {
                tracing::error!(%error, "cannot start the process that makes pictures");
                return Self::unavailable();
            }
            UploadFault::TooManyBytes => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            _ => (StatusCode::BAD_REQUEST, "unusable_picture"),
        };
        Self::new(status, code, "").saying(format!("{fault} {ALLOWED_UPLOADS}"))
    }
}
