use crate::Store;
use crate::support::{
    Noon, SMALL_BATCHES, assert_balanced, at_once, clear, entered, entered_through, figures, fold, free_date,
    ledger_of, new_job, noon, share, staff_actor, step, timed, view,
};
use analytics::{
    AnalyticsClearing, AnalyticsCounts, Collection, Figures, Funnel, FunnelFilter, Platform,
    ReferralClearing, ReferralCounts, ReferralVelocity, StepName,
};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use kernel::{Clock, PageRequest};
use pricing::{EntryCap, FreeEntries, FreeOutcome};
use raffle::{Entrants, Entries, EntryKind};
use referral::Referrals;
use staff::ClearingKind::{ClearAnalytics, ClearReferrals, ClearSms};
use staff::{
    Action, AuditEntry, AuditFilter, AuditLog, ClearingJob, ClearingKind, Detail, JobError, JobId, JobState,
};
use usecases::clearing::{self, StartedJob, Step};

fn cleared<S: Store>(store: &S, kind: ClearingKind) -> Vec<i64> {
    figures(kind, &clear(store, kind))
}

fn job<S: Store>(store: &S, id: JobId) -> ClearingJob {
    clearing::find(store, id).unwrap().unwrap()
}

fn audited<S: Store>(store: &S, action: Action) -> Vec<AuditEntry> {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    store
        .read(|tx| tx.list_audit(&filter, PageRequest::default()))
        .unwrap()
}

/// A minute after [`Noon`].
struct Later;

impl Clock for Later {
    fn now(&self) -> DateTime<Utc> {
        noon() + TimeDelta::minutes(1)
    }
}

pub fn a_job_tells_how_far_it_is_and_is_recorded_at_its_end<S: Store>(store: &S) {
    for popular in [10, 20, 30] {
        let popular = (popular, entered(store, popular));
        entered_through(store, popular.0 + 1, &popular.1.referral_code);
    }
    let id = new_job(store, ClearReferrals);
    let new = ClearingJob::new(id, ClearReferrals, staff_actor(), noon());
    assert_eq!(job(store, id), new);
    assert_eq!(clearing::list_running(store).unwrap(), [new]);
    let mut sums = Vec::new();
    while clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap() == Step::Progress {
        let job = job(store, id);
        assert_eq!(
            (job.state, job.finished_at, job.total.unwrap().sum()),
            (JobState::Running, None, 6)
        );
        sums.push(job.deleted.sum());
        assert_eq!(audited(store, Action::ClearReferrals), []);
    }
    // Nothing yet; then the referrals; then the entries of two entrants at a time, in the order of their random ids.
    assert_eq!((sums.len(), &sums[..2], sums[4]), (5, &[0, 3][..], 6));
    assert!(sums.is_sorted(), "{sums:?}");
    let job = job(store, id);
    assert_eq!((job.state, job.finished_at), (JobState::Completed, Some(noon())));
    assert_eq!(figures(ClearReferrals, &job.deleted), [3, 3]);
    assert_eq!(clearing::list_running(store).unwrap(), []);
    let recorded = audited(store, Action::ClearReferrals);
    let details = [("bonusEntries", 3), ("referrals", 3)];
    assert_eq!(recorded.len(), 1);
    assert_eq!(
        recorded[0].details,
        details.map(|(name, number)| (name.to_owned(), Detail::Number(number)))
    );
    assert_eq!(
        clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap(),
        Step::Ended
    );
    assert_eq!(audited(store, Action::ClearReferrals), recorded);
}

pub fn one_job_of_a_kind_runs_at_a_time<S: Store>(store: &S) {
    let started = at_once(20, |_| {
        clearing::start(store, &Noon, staff_actor(), ClearReferrals).unwrap()
    });
    let new: Vec<_> = started
        .iter()
        .filter_map(|job| match job {
            StartedJob::New(id) => Some(*id),
            StartedJob::Running(_) => None,
        })
        .collect();
    assert_eq!(new.len(), 1, "{started:?}");
    let others = started.iter().filter(|job| **job == StartedJob::Running(new[0]));
    assert_eq!(others.count(), 19);
    let other = clearing::start(store, &Noon, staff_actor(), ClearSms).unwrap();
    assert!(matches!(other, StartedJob::New(_)), "another kind");
    clear(store, ClearReferrals);
    let next = clearing::start(store, &Noon, staff_actor(), ClearReferrals).unwrap();
    assert!(matches!(next, StartedJob::New(id) if id != new[0]));
}

/// Friends enter all the time, so referrers gain entries before, during and after their turn.
pub fn entries_equal_the_ledger_after_each_step_while_friends_enter<S: Store>(store: &S) {
    let referrers: Vec<_> = (0..6).map(|n| entered(store, n)).collect();
    let mut friends = 100..;
    let mut befriend = |which: &[usize]| {
        for n in which {
            entered_through(store, friends.next().unwrap(), &referrers[*n].referral_code);
        }
    };
    befriend(&[0, 0, 1, 3, 3, 3, 5]);
    let id = new_job(store, ClearReferrals);
    clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap();
    befriend(&[0]); // before the referrals are deleted: counted, and taken back
    let mut kept = [0; 6];
    while clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap() == Step::Progress {
        assert_balanced(store);
        // A few times only: the job reaches new entrants too.
        if kept[0] < 4 {
            befriend(&[0, 3, 5]);
            for n in [0, 3, 5] {
                kept[n] += 1;
            }
        }
        assert_balanced(store);
        fold(store);
        assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    }
    for (referrer, kept) in referrers.iter().zip(kept) {
        let entrant = store.read(|tx| tx.find_entrant(referrer.id)).unwrap().unwrap();
        let referrals = store.read(|tx| tx.count_referrals(referrer.id)).unwrap().all;
        assert_eq!((entrant.entries.bonus, referrals), (kept, kept));
    }
    assert_eq!(figures(ClearReferrals, &job(store, id).deleted), [8, 8]);
}

pub fn sign_ups_during_a_clearing_lose_nothing<S: Store>(store: &S) {
    let popular = entered(store, 1000);
    for n in 0..20 {
        entered_through(store, n, &popular.referral_code);
    }
    at_once(6, |n| match n {
        0 => drop(clear(store, ClearReferrals)),
        1 => fold(store),
        n => (0..10).for_each(|m| drop(entered_through(store, 100 * n + m, &popular.referral_code))),
    });
    assert_balanced(store);
    fold(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    let entrant = store.read(|tx| tx.find_entrant(popular.id)).unwrap().unwrap();
    let referrals = store.read(|tx| tx.count_referrals(popular.id)).unwrap().all;
    assert_eq!(
        entrant.entries.bonus, referrals,
        "one entry for each friend since the cut"
    );
}

/// As after the kill of a server in the middle of a job.
pub fn another_server_continues_an_abandoned_job<S: Store>(store: &S) {
    let popular = entered(store, 1);
    for n in 10..16 {
        entered_through(store, n, &popular.referral_code);
    }
    let id = new_job(store, ClearReferrals);
    let mut steps = 0;
    clearing::run(store, &Noon, id, SMALL_BATCHES, || {
        steps += 1;
        steps <= 3
    })
    .unwrap();
    assert_eq!(job(store, id).state, JobState::Running);
    let idle = TimeDelta::hours(1);
    let continued = clearing::continue_unattended(store, &Noon, idle, || true).unwrap();
    assert_eq!(continued, 0, "it had progress a moment ago");
    let continued = clearing::continue_unattended(store, &Later, TimeDelta::zero(), || true).unwrap();
    assert_eq!(continued, 1);
    let job = job(store, id);
    assert_eq!(
        (job.state, figures(ClearReferrals, &job.deleted)),
        (JobState::Completed, vec![6, 6])
    );
    assert_balanced(store);
    assert_eq!(audited(store, Action::ClearReferrals).len(), 1);
}

pub fn several_servers_may_work_on_one_job<S: Store>(store: &S) {
    let popular = entered(store, 1);
    for n in 10..20 {
        entered_through(store, n, &popular.referral_code);
    }
    let id = new_job(store, ClearReferrals);
    at_once(4, |_| {
        while job(store, id).state == JobState::Running {
            clearing::run(store, &Noon, id, SMALL_BATCHES, || true).unwrap();
        }
    });
    assert_eq!(figures(ClearReferrals, &job(store, id).deleted), [10, 10]);
    assert_balanced(store);
    assert_eq!(audited(store, Action::ClearReferrals).len(), 1);
}

pub fn a_failed_job_reads_back_and_makes_room_for_the_next<S: Store>(store: &S) {
    let id = new_job(store, ClearAnalytics);
    store
        .transaction::<_, kernel::StoreError>(|tx| {
            use staff::ClearingJobs;
            let mut job = tx.lock_job(id)?.unwrap();
            job.attempts = 60;
            job.finish(Some(JobError::Busy), noon());
            tx.save_job(&job, noon())
        })
        .unwrap();
    let failed = job(store, id);
    assert_eq!(
        (failed.state, failed.error, failed.attempts, failed.finished_at),
        (JobState::Failed, Some(JobError::Busy), 60, Some(noon()))
    );
    assert_eq!(
        clearing::continue_unattended(store, &Later, TimeDelta::zero(), || true).unwrap(),
        0
    );
    clear(store, ClearAnalytics);
}

pub fn clearing_analytics_keeps_entrants_and_referrals<S: Store>(store: &S) {
    let friend = entered(store, 1);
    entered_through(store, 2, &friend.referral_code);
    let events = [
        view("one", "garden-bag", 0),
        view("one", "welcome", 0),
        timed("one", "garden-bag", 5_000, 0),
        step("one", StepName::FormStart, 1),
        share(Some(&friend), Platform::Sms, None),
    ];
    store.transaction(|tx| tx.collect(&events)).unwrap();
    fold(store);
    store
        .transaction(|tx| tx.collect(&[view("two", "garden-bag", 0)]))
        .unwrap();
    fold(store);
    let expected = AnalyticsCounts {
        page_views: 3,
        social_shares: 1,
        funnel_steps: 5,
    };
    assert_eq!(store.read(|tx| tx.count_analytics()).unwrap(), expected);
    assert_eq!(cleared(store, ClearAnalytics), [3, 1, 5]);
    assert_eq!(cleared(store, ClearAnalytics), [0, 0, 0]);
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!(
        (
            figures.total_page_views,
            figures.total_users(),
            figures.total_referrals()
        ),
        (0, 2, 1)
    );
    assert_eq!(
        store.snapshot(|tx| tx.funnel(&FunnelFilter::default())).unwrap(),
        Funnel::default()
    );
    assert_eq!(
        (
            figures.referral_funnel[0].shares,
            figures.referral_funnel[0].referrals
        ),
        (0, 1)
    );
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    // The same session counts again.
    store
        .transaction(|tx| tx.collect(&[view("one", "garden-bag", 0)]))
        .unwrap();
    fold(store);
    assert_eq!(store.snapshot(|tx| tx.dashboard(3)).unwrap().total_page_views, 1);
}

pub fn clearing_referrals_removes_their_entries<S: Store>(store: &S) {
    let popular = entered(store, 1);
    for n in 10..13 {
        entered_through(store, n, &popular.referral_code);
    }
    fold(store);
    entered_through(store, 13, &popular.referral_code);
    let date = free_date(noon(), EntryCap::DEFAULT);
    let give = |tx: &mut S::Tx| tx.give_free_entries(popular.id, date);
    assert_eq!(store.transaction(give).unwrap(), FreeOutcome::Given(4));
    let expected = ReferralCounts {
        referrals: 4,
        bonus_entries: 4,
    };
    assert_eq!(store.read(|tx| tx.count_referral_data()).unwrap(), expected);
    assert_eq!(cleared(store, ClearReferrals), [4, 4]);
    assert_eq!(cleared(store, ClearReferrals), [0, 0]);
    let entrant = store.read(|tx| tx.find_entrant(popular.id)).unwrap().unwrap();
    assert_eq!(
        entrant.entries,
        Entries {
            bonus: 4,
            ..Entries::NEW
        },
        "free entries stay"
    );
    assert_eq!(store.read(|tx| tx.count_referrals(popular.id)).unwrap().all, 0);
    let last = *store
        .read(|tx| ledger_of(tx, popular.id))
        .unwrap()
        .last()
        .unwrap();
    assert_eq!((last.kind, last.delta), (EntryKind::Clearing, -4));
    assert_balanced(store);
    fold(store);
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!((figures.total_users(), figures.total_referrals()), (5, 0));
    assert_eq!(
        (figures.top_referrers, figures.referral_velocity),
        (Vec::new(), ReferralVelocity::default())
    );
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    // Counting starts at one again.
    entered_through(store, 20, &popular.referral_code);
    fold(store);
    assert_eq!(
        store.snapshot(|tx| tx.dashboard(3)).unwrap().top_referrers[0].count,
        1
    );
    assert_balanced(store);
}

pub fn clearing_during_concurrent_writes_keeps_the_ledger_balanced<S: Store>(store: &S) {
    let popular = entered(store, 1000);
    at_once(8, |n| match n {
        0 => drop(clear(store, ClearAnalytics)),
        1 => drop(clear(store, ClearReferrals)),
        2 => fold(store),
        _ => {
            entered_through(store, n, &popular.referral_code);
            store
                .transaction(|tx| tx.collect(&[view(&format!("{n}"), "garden-bag", 0)]))
                .unwrap();
        }
    });
    assert_balanced(store);
    fold(store);
    assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
    let counted = store.read(|tx| tx.count_referrals(popular.id)).unwrap().all;
    let figures = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    assert_eq!(figures.total_referrals(), counted);
}
