use crate::PgTx;
use crate::analytics::recount::{RECOUNTS, Recount};
use crate::rows::{CountRow, rows};
use analytics::{
    Contribution, Folded, JourneyRow, PageNames, REFERRAL_DELAYS, Rollups, Scope, Settled, Settling,
    StepName, contributions,
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use kernel::StoreError;
use raffle::RaffleKey;
use std::collections::BTreeMap;
use uuid::Uuid;

const FOLD_VIEWS: &str = include_str!("../../sql/fold_views.sql");
const FOLD_VIEW_TIMES: &str = include_str!("../../sql/fold_view_times.sql");
const FOLD_SHARES: &str = include_str!("../../sql/fold_shares.sql");
const FOLD_ENTRANTS: &str = include_str!("../../sql/fold_entrants.sql");
const FOLD_REFERRALS: &str = include_str!("../../sql/fold_referrals.sql");
const FOLD_STEPS: &str = include_str!("../../sql/fold_steps.sql");
const STEPS_OF_SESSIONS: &str = include_str!("../../sql/steps_of_sessions.sql");

/// How many rows of one source are folded in one transaction: few enough to stay well below the statement timeout and to be
/// sorted in `work_mem`, many because each transaction updates the counters of pages and codes once.
const CHUNK: i64 = 20_000;

/// A crash may lose the last folds. Roll-ups and watermarks are lost together, so the next fold repeats them.
const ASYNC_COMMIT: &str = "SET LOCAL synchronous_commit = off";
/// Makes the planner expect few rows, because statistics lag behind tables that grow fast.
const PLAN_FOR_FEW: &str = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; \
                            SET LOCAL enable_mergejoin = off";

rows! {
    struct SettledRow {
        page_views: i64,
        page_view_times: i64,
        social_shares: i64,
        steps: i64,
        entrants: i64,
        referrals: i64,
    }
}

const LAST_IDS: &str = "
SELECT coalesce((SELECT max(id) FROM page_views), 0) AS page_views,
       coalesce((SELECT max(id) FROM page_view_times), 0) AS page_view_times,
       coalesce((SELECT max(id) FROM social_shares), 0) AS social_shares,
       coalesce((SELECT max(id) FROM conversion_funnel WHERE NOT counted), 0) AS steps,
       coalesce((SELECT max(sequence_number) FROM users), 0) AS entrants,
       coalesce((SELECT max(id) FROM referrals), 0) AS referrals";

rows! {
    struct Watermark {
        source: String,
        last_id: i64,
    }

    struct StepRow {
        id: i64,
        session_key: Uuid,
        landing_page: String,
        step: String,
        exit_point: bool,
        counted: bool,
        created_at: DateTime<Utc>,
    }
}

impl StepRow {
    fn journey_row(&self) -> Result<JourneyRow, StoreError> {
        let corrupt = |column| StoreError::corrupt("conversion_funnel", column, self.id);
        let landing_page = match self.landing_page.as_str() {
            "" => None,
            key => Some(key.parse().map_err(|_| corrupt("landing_page"))?),
        };
        Ok(JourneyRow {
            raffle: landing_page,
            step: self.step.parse().map_err(|_| corrupt("step"))?,
            at: self.created_at,
        })
    }
}

/// The rows of one source that one fold reads: ids after `after`, up to `until`; for entrants, sequence numbers.
#[derive(Clone, Copy)]
struct Chunk {
    after: i64,
    until: i64,
}

impl Rollups for PgTx {
    fn settle(&mut self) -> Result<Option<Settled>, StoreError> {
        if !self.stop_writers()? {
            return Ok(None);
        }
        // A separate statement, because its snapshot must be taken after the wait.
        self.last_ids().map(Some)
    }

    /// Every server folds, so most calls find another one folding or nothing new. Writers must not wait for those.
    fn settle_new(&mut self) -> Result<Settling, StoreError> {
        if !self.try_begin_folding()? {
            return Ok(Settling::Busy);
        }
        // An event that is not committed yet is found by the next call.
        let last = self.last_ids()?;
        if last.steps == 0 && self.unfolded(&last)?.is_empty() {
            return Ok(Settling::UpToDate);
        }
        Ok(self.settle()?.map_or(Settling::Busy, Settling::Settled))
    }

    fn wait_for_turn(&mut self) -> Result<(), StoreError> {
        self.begin_folding()
    }

    fn fold(&mut self, settled: &Settled, zone: Tz) -> Result<Folded, StoreError> {
        if !self.try_begin_folding()? {
            return Ok(Folded::Busy);
        }
        self.run(&format!("{ASYNC_COMMIT}; {PLAN_FOR_FEW}"))?;
        let (mut all, mut steps) = (true, false);
        for (source, after, last) in self.unfolded(settled)? {
            let until = last.min(after.saturating_add(CHUNK));
            self.fold_source(source, Chunk { after, until }, zone)?;
            all &= until == last;
            steps |= source == "page_views";
        }
        all &= self.fold_steps(settled.steps, zone)?;
        Ok(match (all, steps) {
            (false, _) => Folded::Part,
            (true, true) => Folded::AllButSteps,
            (true, false) => Folded::All,
        })
    }

    fn differences(&mut self, zone: Tz) -> Result<Vec<String>, StoreError> {
        self.begin_folding()?;
        self.run("SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '256MB'")?;
        let names = self.page_names()?;
        let (pages, mut found) = (raffle_pages(&names), Vec::new());
        for recount in RECOUNTS {
            let query = recount.differences(&pages, zone);
            let count: CountRow = self.query(|connection| sql_query(query).get_result(connection))?;
            if count.n > 0 {
                found.push(format!("{}: {} rows differ", recount.table, count.n));
            }
        }
        Ok(found)
    }

    fn rebuild(&mut self, settled: &Settled, zone: Tz) -> Result<(), StoreError> {
        self.begin_folding()?;
        self.run("SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '256MB'")?;
        let names = self.page_names()?;
        for statement in Recount::rebuild_statements(settled, &raffle_pages(&names), zone) {
            self.run(&statement)?;
        }
        Ok(())
    }
}

/// Each page with the key of its raffle, or an empty string.
fn raffle_pages(names: &PageNames) -> Vec<(String, String)> {
    let key = |raffle: Option<RaffleKey>| raffle.map(|raffle| raffle.to_string()).unwrap_or_default();
    names
        .iter()
        .map(|(page, raffle)| (page.as_str().to_owned(), key(raffle)))
        .collect()
}

impl PgTx {
    fn last_ids(&self) -> Result<Settled, StoreError> {
        let last: SettledRow = self.query(|connection| sql_query(LAST_IDS).get_result(connection))?;
        Ok(Settled {
            page_views: last.page_views,
            page_view_times: last.page_view_times,
            social_shares: last.social_shares,
            steps: last.steps,
            entrants: last.entrants,
            referrals: last.referrals,
        })
    }

    /// The sources with rows that are not folded yet: the last id that is folded, and the last one to fold. Without steps,
    /// which are marked one by one.
    fn unfolded(&self, last: &Settled) -> Result<Vec<(&'static str, i64, i64)>, StoreError> {
        let folded: Vec<Watermark> = self.query(|connection| {
            sql_query("SELECT source, last_id FROM analytics_watermarks").load(connection)
        })?;
        let watermark = |source| {
            let found = folded.iter().find(|watermark| watermark.source == source);
            found.map_or(0, |watermark| watermark.last_id)
        };
        let sources = [
            ("entrants", last.entrants),
            ("referrals", last.referrals),
            ("page_views", last.page_views),
            ("page_view_times", last.page_view_times),
            ("social_shares", last.social_shares),
        ];
        let ranges = sources.map(|(source, last)| (source, watermark(source), last));
        Ok(ranges
            .into_iter()
            .filter(|(_, after, last)| last > after)
            .collect())
    }

    fn fold_source(&mut self, source: &str, chunk: Chunk, zone: Tz) -> Result<(), StoreError> {
        match source {
            "entrants" => self.fold_sql(FOLD_ENTRANTS, chunk, Some(zone)),
            "referrals" => self.fold_referrals(chunk, zone),
            "page_views" => self.fold_views(chunk, zone),
            "page_view_times" => self.fold_sql(FOLD_VIEW_TIMES, chunk, Some(zone)),
            _ => self.fold_sql(FOLD_SHARES, chunk, None),
        }
    }

    fn fold_sql(&mut self, sql: &str, chunk: Chunk, zone: Option<Tz>) -> Result<(), StoreError> {
        let query = sql_query(sql)
            .bind::<BigInt, _>(chunk.after)
            .bind::<BigInt, _>(chunk.until);
        let done = match zone {
            Some(zone) => self.query(|connection| query.bind::<Text, _>(zone.name()).execute(connection)),
            None => self.query(|connection| query.execute(connection)),
        };
        done.map(drop)
    }

    fn fold_referrals(&mut self, chunk: Chunk, zone: Tz) -> Result<(), StoreError> {
        let cuts: Vec<i64> = REFERRAL_DELAYS.iter().map(|seconds| seconds * 1000).collect();
        let query = sql_query(FOLD_REFERRALS)
            .bind::<BigInt, _>(chunk.after)
            .bind::<BigInt, _>(chunk.until)
            .bind::<Text, _>(zone.name())
            .bind::<Array<BigInt>, _>(cuts);
        self.query(|connection| query.execute(connection)).map(drop)
    }

    fn fold_views(&mut self, chunk: Chunk, zone: Tz) -> Result<(), StoreError> {
        let names = self.page_names()?;
        let (pages, raffles): (Vec<_>, Vec<_>) = raffle_pages(&names).into_iter().unzip();
        let query = sql_query(FOLD_VIEWS)
            .bind::<BigInt, _>(chunk.after)
            .bind::<BigInt, _>(chunk.until)
            .bind::<Text, _>(zone.name())
            .bind::<Array<Text>, _>(pages)
            .bind::<Array<Text>, _>(raffles);
        self.query(|connection| query.execute(connection)).map(drop)
    }

    /// Folds a chunk of steps. What a session contributes depends on all of its steps, so this folds the difference
    /// that the new ones make. Returns `false` when more steps are left.
    fn fold_steps(&mut self, settled: i64, zone: Tz) -> Result<bool, StoreError> {
        let query = sql_query(STEPS_OF_SESSIONS)
            .bind::<BigInt, _>(settled)
            .bind::<BigInt, _>(CHUNK);
        let rows: Vec<StepRow> = self.query(|connection| query.load(connection))?;
        if rows.is_empty() {
            return Ok(true);
        }
        let mut changes = Changes::default();
        for session in rows.chunk_by(|one, next| one.session_key == next.session_key) {
            changes.add_session(session, zone)?;
        }
        self.write_changes(&changes)?;
        Ok(changes.newly_counted < CHUNK)
    }

    fn write_changes(&mut self, changes: &Changes) -> Result<(), StoreError> {
        let counts = || changes.counts.iter().filter(|(_, n)| **n != 0);
        let column =
            |pick: fn(&Contribution) -> &'static str| counts().map(|(c, _)| pick(c)).collect::<Vec<_>>();
        let hours: Vec<_> = counts().map(|(c, _)| place(c).0).collect();
        let numbers: Vec<_> = counts().map(|(_, n)| *n).collect();
        let steps = &changes.steps;
        let query = sql_query(FOLD_STEPS)
            .bind::<Array<Text>, _>(column(kind))
            .bind::<Array<Timestamptz>, _>(hours)
            .bind::<Array<Text>, _>(
                counts()
                    .map(|(c, _)| place(c).1.map(|raffle| raffle.to_string()).unwrap_or_default())
                    .collect::<Vec<_>>(),
            )
            .bind::<Array<Text>, _>(column(|c| place(c).2.map_or("", StepName::as_str)))
            .bind::<Array<BigInt>, _>(numbers)
            .bind::<Array<SqlUuid>, _>(steps.iter().map(|(row, _)| row.session_key).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(
                steps
                    .iter()
                    .map(|(row, _)| row.landing_page.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind::<Array<Text>, _>(steps.iter().map(|(row, _)| row.step.as_str()).collect::<Vec<_>>())
            .bind::<Array<Bool>, _>(steps.iter().map(|(_, is_last)| *is_last).collect::<Vec<_>>())
            .bind::<BigInt, _>(changes.newly_counted);
        self.query(|connection| query.execute(connection)).map(drop)
    }
}

/// The changes that new steps of sessions make.
#[derive(Default)]
struct Changes<'a> {
    counts: BTreeMap<Contribution, i64>,
    /// Steps that are newly counted or whose `exit_point` changes, and whether each is the last of its session.
    steps: Vec<(&'a StepRow, bool)>,
    newly_counted: i64,
}

impl<'a> Changes<'a> {
    fn add_session(&mut self, rows: &'a [StepRow], zone: Tz) -> Result<(), StoreError> {
        let counted = rows.iter().filter(|row| row.counted);
        let before: Vec<_> = counted.map(StepRow::journey_row).collect::<Result<_, _>>()?;
        let now: Vec<_> = rows.iter().map(StepRow::journey_row).collect::<Result<_, _>>()?;
        for contribution in contributions(&before, zone) {
            *self.counts.entry(contribution).or_default() -= 1;
        }
        for contribution in contributions(&now, zone) {
            *self.counts.entry(contribution).or_default() += 1;
        }
        let order = |(row, journey): &(&StepRow, &JourneyRow)| (journey.at, journey.step, row.id);
        let last = rows.iter().zip(&now).max_by_key(order).map(|(row, _)| row.id);
        for row in rows {
            let is_last = last == Some(row.id);
            if !row.counted || row.exit_point != is_last {
                self.steps.push((row, is_last));
            }
            self.newly_counted += i64::from(!row.counted);
        }
        Ok(())
    }
}

fn place(contribution: &Contribution) -> (DateTime<Utc>, Scope, Option<StepName>) {
    match *contribution {
        Contribution::Session(hour, scope) => (hour, scope, None),
        Contribution::Took(hour, scope, step) | Contribution::Left(hour, scope, step) => {
            (hour, scope, Some(step))
        }
    }
}

fn kind(contribution: &Contribution) -> &'static str {
    match contribution {
        Contribution::Session(..) => "session",
        Contribution::Took(..) => "took",
        Contribution::Left(..) => "left",
    }
}
