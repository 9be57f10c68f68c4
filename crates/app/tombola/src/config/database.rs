//! The database and the pools of requests that use it.

use super::Database;
use super::connections::{read_database_url, read_migration_url};
use super::read::Reader;
use web::PoolSize;

/// The variables of a pool, and their defaults.
struct Pool {
    threads: (&'static str, u32),
    queue: (&'static str, u32),
}

const VISITOR_READS: Pool = Pool {
    threads: ("DATABASE_POOL_SIZE_READS", 4),
    queue: ("REQUEST_QUEUE_READS", 16_384),
};
const VISITOR_WRITES: Pool = Pool {
    threads: ("DATABASE_POOL_SIZE", 16),
    queue: ("REQUEST_QUEUE", 16_384),
};
const CALLBACKS: Pool = Pool {
    threads: ("DATABASE_POOL_SIZE_CALLBACKS", 4),
    queue: ("REQUEST_QUEUE_CALLBACKS", 4_096),
};
const CONSOLE: Pool = Pool {
    threads: ("DATABASE_POOL_SIZE_CONSOLE", 4),
    queue: ("REQUEST_QUEUE_CONSOLE", 256),
};

pub(super) fn read_database(reader: &mut Reader, production: bool) -> Option<Database> {
    // All before the first `?`, so that all problems are found.
    let url = read_database_url(reader, production);
    let migration_url = read_migration_url(reader, production);
    let allow_owner_role = reader.one_of("ALLOW_OWNER_ROLE", &[("yes", true), ("no", false)], false);
    let [reads, writes, callbacks, console] =
        [VISITOR_READS, VISITOR_WRITES, CALLBACKS, CONSOLE].map(|pool| pool.read(reader));
    Some(Database {
        url: url?,
        migration_url,
        allow_owner_role: allow_owner_role?,
        visitor_reads: reads?,
        visitor_writes: writes?,
        callbacks: callbacks?,
        console: console?,
    })
}

impl Pool {
    fn read(self, reader: &mut Reader) -> Option<PoolSize> {
        let threads = reader.number(self.threads.0, 1, 200, self.threads.1);
        let queue = reader.number(self.queue.0, 1, 65_536, self.queue.1);
        Some(PoolSize {
            threads: threads?,
            queue: usize::try_from(queue?).ok()?,
        })
    }
}
