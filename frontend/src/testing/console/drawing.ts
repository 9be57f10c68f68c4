import { screen, within } from '@testing-library/react';
import { beforeEach } from 'vitest';
import type { DrawingView, RaffleStatisticsView, RaffleView } from '../../console/api/admin';
import { server } from '../server';
import { aDrawing, fourRaffles, landingPages } from './builders';
import { adminCall } from './handlers';
import { part, renderAdmin } from './renderConsole';

export const DRAWING = '?section=drawing';
export const PERFORM = '/api/admin/drawing/perform';
export const HISTORY = '/api/admin/drawing/history';

const figures: Partial<Record<string, Partial<RaffleStatisticsView>>> = {
  'garden-bag': { users: 1_204, totalEntries: 3_456, averageEntries: 2.8704 },
  'fresh-sips': { users: 1, totalEntries: 3, averageEntries: 3 },
};

export const statsAre = (known = figures) =>
  adminCall('get', 'drawing/stats', () => ({
    landingPageStats: landingPages.map((landingPage) => ({
      landingPage,
      users: 0,
      totalEntries: 0,
      averageEntries: 0,
      ...known[landingPage],
    })),
  }));

/** The queries with which the history was asked for. */
export const asked: string[] = [];

export function historyIs(drawings: DrawingView[] | (() => DrawingView[]), total?: number) {
  return adminCall(
    'get',
    'drawing/history',
    (request) => {
      asked.push(new URL(request.url).search);
      return typeof drawings === 'function' ? drawings() : drawings;
    },
    total === undefined ? {} : { 'X-Total-Count': String(total) },
  );
}

/** The four raffles, with what is known of some of them. */
export const rafflesAre = (known: Partial<Record<string, Partial<RaffleView>>> = {}) =>
  adminCall('get', 'raffles', () => ({
    schedule: 'manual',
    beacon: 'off',
    delaySeconds: 120,
    raffles: fourRaffles(known),
  }));

/** Every test begins with two raffles to draw from, and no drawing. */
export function installDrawing() {
  beforeEach(() => {
    asked.length = 0;
    server.use(statsAre(), historyIs([]), rafflesAre());
  });
}

export const select = () => screen.findByLabelText('Raffle');
export const drawButton = async () =>
  within(await part('Perform Drawing')).findByRole('button', { name: /^Draw/ });

/** The confirmation of a raffle's drawing. */
export async function openConfirmation(raffle = 'garden-bag') {
  const { user, ...rest } = renderAdmin(DRAWING);
  await user.selectOptions(await select(), raffle);
  await user.click(await drawButton());
  const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Drawing' });
  return { user, dialog, confirm: within(dialog).getByRole('button', { name: /^Draw/ }), ...rest };
}

interface Performed {
  body: unknown;
  key: string | null;
}

/** A server that draws; what it was sent is in the array. */
export function performing(drawing: Partial<DrawingView> = {}) {
  const sent: Performed[] = [];
  server.use(
    adminCall('post', 'drawing/perform', async (request) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return aDrawing(drawing);
    }),
  );
  return sent;
}
