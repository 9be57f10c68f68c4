import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Offer } from '../../site/features/purchase/api';
import { refusing, server } from '../server';
import { anOffer, someStats } from './builders';
import { renderPath } from './renderPath';
import { installStripe, resetStripe } from './stripe';

export const PATH = '/garden-bag/success/7';
export const KEY = 'tombola.purchase';
export const intent = {
  clientSecret: 'pi_1_secret_2',
  paymentIntentId: 'pi_1',
  eventId: 'abc123abc123',
};

interface Asked {
  path: string;
  body: unknown;
}

/** A server that sells, and credits what is confirmed. */
export function selling(offer: Partial<Offer> = {}) {
  const asked: Asked[] = [];
  let paidEntries = 0;
  const listen = async (request: Request) => {
    asked.push({ path: new URL(request.url).pathname, body: await request.json() });
  };
  server.use(
    http.get('*/api/entry-packages', () => HttpResponse.json(anOffer(offer))),
    http.get('*/api/users/:id/stats', () =>
      HttpResponse.json(someStats({ totalEntries: 1 + paidEntries, paidEntries })),
    ),
    http.post('*/api/stripe/create-payment-intent', async ({ request }) => {
      await listen(request);
      return HttpResponse.json(intent);
    }),
    http.post('*/api/confirm-payment', async ({ request }) => {
      await listen(request);
      paidEntries = 10;
      return HttpResponse.json({ eventId: intent.eventId, entriesAdded: 10 });
    }),
  );
  return asked;
}

export const refuseConfirming = (status: number, code: string) =>
  server.use(
    refusing('/api/confirm-payment', status, { error: 'Payment confirmation failed', code }),
  );

export const block = () => screen.findByRole('region', { name: 'Boost Your Chances' });
export const buyButton = (name = 'Buy 10 entries') => screen.findByRole('button', { name });
export const dialog = () => screen.findByRole('dialog', { name: 'Complete Your Purchase' });
export const noDialog = () =>
  waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
export const alertOf = async (part: HTMLElement) => {
  const alert = await within(part).findByRole('alert');
  await waitFor(() => expect(alert).not.toBeEmptyDOMElement());
  return alert;
};
export const toast = async () =>
  within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('listitem');
export const total = () => screen.getByText('Total Entries').closest('div');
export const referralLink = () => screen.findByLabelText('Your referral link');

/** Opens the dialog, and waits for the provider's form. */
export async function openDialog() {
  const { user } = await renderPath(PATH);
  await user.click(await buyButton());
  const opened = await dialog();
  const payButton = within(opened).getByRole('button', { name: 'Complete Payment' });
  return { user, opened, payButton };
}

export async function openForm() {
  const open = await openDialog();
  await waitFor(() => expect(open.payButton).not.toHaveAttribute('aria-disabled'));
  return open;
}

/** The provider's script is there, and no test leaves anything to the next one. */
export function installShop() {
  beforeAll(() => {
    installStripe();
    vi.stubGlobal('matchMedia', () => ({ matches: false })); // jsdom has none
  });
  beforeEach(() => {
    resetStripe();
    sessionStorage.clear();
  });
  afterEach(() => {
    delete window.tracked;
    vi.useRealTimers();
  });
}
