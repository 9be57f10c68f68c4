import { http, HttpResponse } from 'msw';
import type { DataRequestView } from '../../site/api/generatedData';

export const DAY_MS = 86_400_000;

/** A copy whose link works for three days. */
export const aCopy = (changes: Partial<DataRequestView> = {}): DataRequestView => ({
  id: 1,
  requestType: 'export',
  status: 'completed',
  createdAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 3 * DAY_MS).toISOString(),
  completedAt: new Date().toISOString(),
  fileUrl: `/api/data-exports/${'ab'.repeat(32)}`,
  verification: null,
  ...changes,
});

/** A request that waits for the code that was texted. */
export const aPending = (changes: Partial<DataRequestView> = {}): DataRequestView => {
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const verification = {
    id: 'AAECAwQFBgcICQoLDA0ODw',
    expiresAt,
    expiresAfter: 600,
    resendAfter: 60,
    undeliverable: false,
  };
  const waits = { status: 'pending', completedAt: null, fileUrl: null, verification } as const;
  return { ...aCopy(), ...waits, expiresAt, ...changes };
};

/** A server with the entrant's requests. `made` and `codes` have what came; others change `now` and `isErased`. */
export function dataServer(first: DataRequestView[] = [], codesAreOn = false) {
  const state = { now: first, isErased: false, made: [] as string[], codes: [] as unknown[] };
  const keep = (request: DataRequestView) => {
    state.now = [request, ...state.now.filter(({ id }) => id !== request.id)];
    state.isErased ||= request.requestType === 'erasure' && request.status === 'completed';
    return request;
  };
  const done = (request: DataRequestView) =>
    request.requestType === 'export'
      ? aCopy({ id: request.id })
      : { ...request, status: 'completed' as const, verification: null };
  const forbidden = () => HttpResponse.json({ code: 'forbidden', error: 'No.' }, { status: 403 });
  const handlers = [
    http.get('*/api/users/:id/data-requests', () =>
      state.isErased ? forbidden() : HttpResponse.json({ requests: state.now }),
    ),
    http.post('*/api/users/:id/data-requests', async ({ request }) => {
      if (state.isErased) return forbidden();
      const { requestType } = (await request.json()) as Pick<DataRequestView, 'requestType'>;
      state.made.push(requestType);
      const waiting = state.now.find((each) => each.status === 'pending');
      const asked = aPending({ id: waiting?.id ?? state.now.length + 1, requestType });
      return HttpResponse.json(keep(codesAreOn ? asked : done(asked)), { status: 201 });
    }),
    http.post('*/api/users/verify', async ({ request }) => {
      state.codes.push(await request.json());
      return HttpResponse.json(keep(done(state.now[0]!)));
    }),
  ];
  return { state, handlers };
}
