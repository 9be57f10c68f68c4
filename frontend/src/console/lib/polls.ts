import type { Middleware } from '@reduxjs/toolkit';

/**
 * Requests that the console makes on its own timer do not keep a session alive (D51), so the server has to
 * know them. RTK Query does not say why it asks again; three things together do. A timer dispatches the
 * request directly, not while another action is dispatched, as a change, Refresh or the focus does. It asks
 * again for what is there. And its time has come: the timer starts over with each answer.
 */
interface Asked {
  type: string;
  queryCacheKey: string;
  subscribe?: boolean;
  forceRefetch?: boolean;
}

interface QueryAction {
  type: string;
  /** `condition`: nothing was asked, because the answer is there. */
  meta: { arg: Asked; condition?: boolean };
}

interface Subscribed {
  adminApi: { subscriptions: Record<string, Record<string, { pollingInterval?: number }>> };
}

const QUERY = 'adminApi/executeQuery/';
const isQuery = (action: unknown): action is QueryAction =>
  String((action as Partial<QueryAction>).type).startsWith(QUERY);

/** The thunk of the call, the thunk of its request, and its first action. */
const DIRECTLY = 3;

const polls = new Set<string>();

/** Whether the request that is being made for this answer is one of the console's own. */
export const wasPolled = (queryCacheKey: string | undefined): boolean =>
  queryCacheKey !== undefined && polls.has(queryCacheKey);

export const markPolls: Middleware = (store) => {
  const answeredAt = new Map<string, number>();
  let depth = 0;

  function isDue(key: string): boolean {
    const subscriptions = (store.getState() as Subscribed).adminApi.subscriptions[key] ?? {};
    const intervals = Object.values(subscriptions).map((each) => each.pollingInterval ?? 0);
    const least = Math.min(...intervals.filter((interval) => interval > 0));
    const since = Date.now() - (answeredAt.get(key) ?? Infinity);
    return since >= least - TOLERANCE_MS;
  }

  function note({ type, meta: { arg, condition } }: QueryAction) {
    if (condition) return;
    const { queryCacheKey: key, subscribe, forceRefetch } = arg;
    if (type !== `${QUERY}pending`) return void answeredAt.set(key, Date.now());
    const asksAgain = subscribe === false && forceRefetch === true;
    if (asksAgain && depth === DIRECTLY && isDue(key)) polls.add(key);
    else polls.delete(key);
  }

  return (next) => (action) => {
    depth += 1;
    try {
      if (isQuery(action)) note(action);
      return next(action);
    } finally {
      depth -= 1;
    }
  };
};

/** Clocks and timers differ by a few milliseconds. */
const TOLERANCE_MS = 20;
