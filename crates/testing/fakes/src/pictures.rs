use crate::mem_store::MemTx;
use crate::state::raffles::StoredPicture;
use chrono::{DateTime, Utc};
use kernel::StoreError;
use raffle::PictureHash;
use raffle::pictures::{
    AddedPicture, MOST_PICTURES, MadePicture, Medium, PictureSummary, Pictures, UNNAMED_LIFE, Withdrawal,
};

impl Pictures for MemTx {
    fn add_picture(&mut self, picture: &MadePicture, now: DateTime<Utc>) -> Result<AddedPicture, StoreError> {
        if let Some(stored) = self.stored_picture(picture.summary().hash()) {
            if stored.is_withdrawn {
                return Ok(AddedPicture::Withdrawn);
            }
            stored.last_named_at = now;
            return Ok(AddedPicture::Known);
        }
        let pictures = &mut self.0.raffles.pictures;
        let there = pictures.iter().filter(|stored| !stored.is_withdrawn).count();
        if there as i64 >= MOST_PICTURES {
            return Ok(AddedPicture::TooMany);
        }
        pictures.push(StoredPicture {
            picture: picture.clone(),
            last_named_at: now,
            is_withdrawn: false,
        });
        Ok(AddedPicture::New)
    }

    fn find_picture(&self, hash: PictureHash) -> Result<Option<PictureSummary>, StoreError> {
        let mut there = self
            .0
            .raffles
            .pictures
            .iter()
            .filter(|stored| !stored.is_withdrawn);
        let found = there.find(|stored| stored.picture.summary().hash() == hash);
        Ok(found.map(|stored| stored.picture.summary()))
    }

    fn find_medium(&self, hash: PictureHash) -> Result<Option<Medium>, StoreError> {
        let mut found = None;
        for stored in &self.0.raffles.pictures {
            let mut made = stored.picture.renditions.iter();
            match made.find(|made| PictureHash::of(&made.jpeg) == hash) {
                Some(made) if !stored.is_withdrawn => return Ok(Some(Medium::Jpeg(made.jpeg.clone()))),
                Some(_) => found = Some(Medium::Withdrawn),
                None => {}
            }
        }
        Ok(found)
    }

    fn keep_picture(&mut self, hash: PictureHash, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let stored = self.stored_picture(hash).filter(|stored| !stored.is_withdrawn);
        Ok(stored.map(|stored| stored.last_named_at = now).is_some())
    }

    fn withdraw_picture(&mut self, hash: PictureHash, _: DateTime<Utc>) -> Result<Withdrawal, StoreError> {
        Ok(match self.stored_picture(hash) {
            Some(stored) if stored.is_withdrawn => Withdrawal::Before,
            Some(stored) => {
                stored.is_withdrawn = true;
                Withdrawal::Done
            }
            None => Withdrawal::Unknown,
        })
    }

    fn delete_unnamed_pictures(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let raffles = &self.0.raffles;
        let versions = raffles.versions.iter().map(|version| &version.content);
        let drafts = raffles.drafts.values().map(|draft| &draft.content);
        let named: Vec<_> = versions
            .chain(drafts)
            .filter_map(|content| content.picture.upload)
            .collect();
        let pictures = &mut self.0.raffles.pictures;
        let before = pictures.len();
        pictures.retain_mut(|stored| {
            if named.contains(&stored.picture.summary().hash()) {
                stored.last_named_at = now;
            }
            stored.is_withdrawn || stored.last_named_at >= now - UNNAMED_LIFE
        });
        Ok(before - pictures.len())
    }
}

impl MemTx {
    fn stored_picture(&mut self, hash: PictureHash) -> Option<&mut StoredPicture> {
        let mut pictures = self.0.raffles.pictures.iter_mut();
        pictures.find(|stored| stored.picture.summary().hash() == hash)
    }
}
