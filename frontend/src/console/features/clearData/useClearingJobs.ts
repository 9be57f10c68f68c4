import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import {
  afterClearingAny,
  useLazyGetJobQuery,
  useListJobsQuery,
  type JobView,
} from '../../api/admin';
import { polled } from '../../lib/polled';
import { kindOf, type Kind } from './clearing';

const POLL_MS = 1_000;

/** The clearings of these kinds that run: those that this page started, and those of a reload or another tab. */
export function useClearingJobs(kinds: Kind[], onEnd: (kind: Kind, job: JobView) => void) {
  const [followed, setFollowed] = useState<ReadonlyMap<number, Kind>>(new Map());
  const [getJob] = useLazyGetJobQuery();
  const dispatch = useDispatch();
  const { data, fulfilledTimeStamp } = useListJobsQuery(undefined, {
    ...polled(followed.size > 0 ? POLL_MS : undefined),
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  const running = (data?.jobs ?? []).filter((job) => kinds.includes(kindOf(job)));

  const follow = (id: number, kind: Kind) => setFollowed((ids) => new Map(ids).set(id, kind));

  async function end(id: number, kind: Kind) {
    const { data: job } = await getJob({ jobId: id });
    // Without an answer, and when the list was older than the job, the next poll finds out.
    if (!job || job.state === 'running') return;
    setFollowed((ids) => new Map([...ids].filter(([other]) => other !== id)));
    if (!followed.has(id)) return;
    dispatch(afterClearingAny());
    onEnd(kind, job);
  }

  useEffect(() => {
    running.forEach((job) => follow(job.jobId, kindOf(job)));
    const ids = new Set(running.map((job) => job.jobId));
    followed.forEach((kind, id) => {
      if (!ids.has(id)) void end(id, kind);
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each answer
  }, [fulfilledTimeStamp]);

  /** The job of a kind, or its id while the list does not have it yet. */
  const jobOf = (kind: Kind): { job?: JobView } | undefined => {
    const job = running.find((job) => kindOf(job) === kind);
    if (job) return { job };
    return [...followed.values()].includes(kind) ? {} : undefined;
  };

  return { jobOf, follow };
}
