import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { ClaimView } from '../../site/api/generatedClaims';
import { refusing } from '../server';
import { aClaim } from './builders';
import { renderPath } from './renderPath';

export const TOKEN = '0123456789abcdef0123456789abcdef';
export const PATH = `/claim/${TOKEN}`;

export interface Act {
  action: string;
  body: unknown;
}

/** What a claim becomes by an action. */
type Becomes = Partial<ClaimView> | ((body: unknown) => Partial<ClaimView>);

/**
 * A server with one claim. Each action changes the claim as `becomes` says; `acts` has those that came. What `now` is
 * changed to, other tabs or staff have done. `clock` is its own.
 */
export function claimServer(first: Partial<ClaimView>, becomes: Record<string, Becomes> = {}) {
  const state = { now: aClaim(first), acts: [] as Act[], reads: 0, clock: () => Date.now() };
  const answer = () =>
    HttpResponse.json(state.now, { headers: { Date: new Date(state.clock()).toUTCString() } });
  const handlers = [
    http.get(`*/api/claims/${TOKEN}`, () => {
      state.reads += 1;
      return answer();
    }),
    http.post(`*/api/claims/${TOKEN}/:action`, async ({ request, params }) => {
      const action = String(params.action);
      const text = await request.text();
      const body: unknown = text ? JSON.parse(text) : undefined;
      state.acts.push({ action, body });
      const change = becomes[action] ?? {};
      state.now = { ...state.now, ...(typeof change === 'function' ? change(body) : change) };
      return answer();
    }),
  ];
  return { state, handlers };
}

export const refusingAction = (
  action: string,
  status: number,
  body: Record<string, unknown> | string,
  headers: Record<string, string> = {},
) => refusing(`/api/claims/${TOKEN}/${action}`, status, body, headers);

/** Codes that live ten minutes, of which another can be sent in so many seconds. */
export const aCode = (resendAfter = 60) => ({
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  expiresAfter: 600,
  resendAfter,
  undeliverable: false,
});

export async function openClaim() {
  const { user } = await renderPath(PATH);
  return user;
}

/** The title of the step on the stub. */
export const stepTitle = (name: string) => screen.findByRole('heading', { level: 2, name });
