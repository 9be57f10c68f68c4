// Two ways to load a server with visits: as fast as it answers, and at a pace.
import { setTimeout as delay } from 'node:timers/promises';

const CONCURRENCY = 32;
const TICK_MS = 5;
/** So many visits may be under way at a pace. If the server is slower than the pace, the rest is not made up for. */
const MOST_UNDER_WAY = 256;

/** Visits without a pause. Returns the requests per second. */
export async function loadFully(visitors, seconds) {
  const [started, before] = [performance.now(), visitors.sent];
  const ends = started + seconds * 1000;
  const visit = async () => {
    while (performance.now() < ends) await visitors.visit();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, visit));
  return (visitors.sent - before) / ((performance.now() - started) / 1000);
}

/** Begins visits so that `rate` requests are sent in a second, whatever the server does, until `isOver()`. */
export async function loadAtPace(visitors, rate, isOver) {
  const underWay = new Set();
  let due = 0;
  let [at, sent] = [performance.now(), visitors.sent];
  while (!isOver()) {
    await delay(TICK_MS);
    const now = performance.now();
    due = Math.min(due + ((now - at) / 1000) * rate - (visitors.sent - sent), rate);
    [at, sent] = [now, visitors.sent];
    while (visitors.sent - sent < due && underWay.size < MOST_UNDER_WAY) begin(visitors, underWay);
  }
  await Promise.all(underWay);
}

function begin(visitors, underWay) {
  const visit = visitors.visit().finally(() => underWay.delete(visit));
  underWay.add(visit);
}

/** Does something every so often until `isOver()`; the first time at once. */
export async function every(seconds, isOver, work) {
  let next = performance.now();
  while (!isOver()) {
    await work();
    next = Math.max(next + seconds * 1000, performance.now());
    while (!isOver() && performance.now() < next) await delay(Math.min(next - performance.now(), 200));
  }
}
