import { delay, http, HttpResponse, type HttpHandler } from 'msw';
import { aDashboard, aFunnel, fourRaffles, someSettings, someTrends } from './builders';
import { someSales } from './sales';
import { aMe } from './staff';

export const TOKEN = 'a-session-token';

type Answer = Record<string, unknown> | ((request: Request) => object | Promise<object>);

/** A call to /api/admin: answers requests with the token, as the server does. */
export function adminCall(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  answer: Answer,
  headers: Record<string, string> = {},
): HttpHandler {
  return http[method](`*/api/admin/${path}`, async ({ request }) => {
    if (request.headers.get('Authorization') !== `Bearer ${TOKEN}`) return unauthorized();
    const body = typeof answer === 'function' ? await answer(request.clone()) : answer;
    return HttpResponse.json(body, { headers });
  });
}

export const unauthorized = () =>
  HttpResponse.json({ error: 'Please sign in', code: 'unauthorized' }, { status: 401 });

export const never = () => delay('infinite');

/** An answer that is held back until `release`. */
export function held() {
  let release = () => {};
  const answered = new Promise<void>((resolve) => (release = resolve));
  return { answered, release };
}

/** What the console may ask for, until a test says otherwise. */
export const adminHandlers = [
  adminCall('get', 'me', () => aMe()),
  adminCall('get', 'analytics/dashboard', () => aDashboard()),
  adminCall('get', 'analytics/trends', () => someTrends()),
  adminCall('get', 'analytics/funnel', () => ({ funnel: aFunnel() })),
  adminCall('get', 'fraud/appeals', { appeals: [], open: 0 }),
  adminCall('get', 'fraud/networks', { networks: [] }),
  adminCall('get', 'claims', { claims: [], total: 0, waiting: 0 }),
  adminCall('get', 'entry-packages', { packages: [] }),
  adminCall('get', 'sales', () => someSales()),
  adminCall('get', 'waiting', { appeals: 0, claims: 0, approvals: 0 }),
  adminCall('get', 'opening', { checks: [] }),
  adminCall('get', 'jobs', { jobs: [] }),
  adminCall('get', 'raffles', () => ({
    schedule: 'manual',
    beacon: 'off',
    delaySeconds: 120,
    raffles: fourRaffles(),
  })),
  adminCall('post', 'logout', { success: true }),
  adminCall('get', 'settings', () => ({ settings: someSettings(), version: '1.2.3' })),
];
