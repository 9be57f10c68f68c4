import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { adminHandlers } from './console/handlers';
import {
  aConsent,
  aDrawing,
  aFreeOffer,
  anOffer,
  aRegisteredUser,
  aStanding,
  aUser,
  someOdds,
  someShares,
  someStats,
} from './site/builders';
import type { EnteredUserView, ReferralView, StatsView, UserView } from '../site/api/generated';

/** Everything answers as for one new entrant, until a test says otherwise. */
export const server = setupServer(
  registering(),
  http.get('*/api/users/:id', () => HttpResponse.json(aUser())),
  http.get('*/api/users/:id/appeal', () => HttpResponse.json(aStanding())),
  http.get('*/api/users/:id/consent', () => HttpResponse.json(aConsent())),
  http.get('*/api/users/:id/free-entries', () => HttpResponse.json(aFreeOffer())),
  http.get('*/api/users/:id/odds', () => HttpResponse.json(someOdds())),
  http.get('*/api/users/:id/purchases', () => HttpResponse.json({ purchases: [] })),
  http.get('*/api/users/:id/share-progress', () => HttpResponse.json(someShares())),
  http.get('*/api/users/:id/stats', () => HttpResponse.json(someStats())),
  http.get('*/api/users/:id/referrals', () => HttpResponse.json([])),
  http.get('*/api/entry-packages', () => HttpResponse.json(anOffer({ showPricing: false }))),
  http.get('*/api/push/key', () => HttpResponse.json({ publicKey: null })),
  http.get('*/api/drawings/log', () => new HttpResponse('')),
  http.get('*/api/drawings/:id', () => HttpResponse.json(aDrawing())),
  ...adminHandlers,
);

export interface Sent {
  path: string;
  body: Record<string, unknown>;
}

/** Answers sign-ups and keeps what was sent. */
export function registering(changes: Partial<EnteredUserView> = {}, sent: Sent[] = []) {
  return http.post('*/api/users/:call', async ({ request }) => {
    const body = (await request.json()) as Sent['body'];
    sent.push({ path: new URL(request.url).pathname, body });
    const user = aRegisteredUser(changes);
    return HttpResponse.json({ user }, { status: user.isNew ? 201 : 200 });
  });
}

/** Refuses a call with the error body that the server gives. */
export function refusing(
  path: string,
  status: number,
  body: Record<string, unknown> | string,
  headers: Record<string, string> = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return http.all(`*${path}`, () => new HttpResponse(text, { status, headers }));
}

interface Entrant {
  user?: Partial<UserView>;
  stats?: Partial<StatsView>;
  referrals?: ReferralView[];
}

export function entrant({ user, stats, referrals = [] }: Entrant) {
  return [
    http.get('*/api/users/:id', () => HttpResponse.json(aUser(user))),
    http.get('*/api/users/:id/stats', () => HttpResponse.json(someStats(stats))),
    http.get('*/api/users/:id/referrals', () =>
      HttpResponse.json(referrals, { headers: { 'X-Total-Count': String(referrals.length) } }),
    ),
  ];
}
