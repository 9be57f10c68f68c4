import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { someStats } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';
import {
  installShop,
  PATH,
  KEY,
  selling,
  refuseConfirming,
  block,
  toast,
  total,
} from '../../../testing/site/shop';

installShop();

describe('coming back', () => {
  const returned = (status: string) =>
    `${PATH}?package=3&payment_intent=pi_1&payment_intent_client_secret=x&redirect_status=${status}`;
  const remembered = () =>
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ paymentIntentId: 'pi_1', userId: 7, packageId: 3 }),
    );
  const body = { paymentIntentId: 'pi_1', userId: 7, packageId: 3 };

  it("from the provider's pages finishes the purchase and cleans the address", async () => {
    const asked = selling({ showPricing: false });
    await renderPath(returned('succeeded'));
    expect(await toast()).toHaveTextContent('Purchase successful!');
    expect(asked).toEqual([{ path: '/api/confirm-payment', body }]);
    expect(location.pathname + location.search).toBe(PATH);
    await waitFor(() => expect(total()).toHaveTextContent('11'));
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  it('without having paid says so', async () => {
    const asked = selling();
    await renderPath(returned('failed'));
    expect(await toast()).toHaveTextContent(
      'Payment failedSomething went wrong. Please try again.',
    );
    expect(asked).toEqual([]);
    expect(location.search).toBe('');
  });

  it('after a reload between paying and confirming shows the entries', async () => {
    selling();
    remembered();
    await renderPath(PATH);
    expect(await toast()).toHaveTextContent('Purchase successful!');
    await waitFor(() => expect(total()).toHaveTextContent('11'));
  });

  it("leaves another entrant's purchase alone", async () => {
    const asked = selling();
    remembered();
    await renderPath('/garden-bag/success/8');
    await block();
    expect(asked).toEqual([]);
  });

  it('shows what the webhook credited, even while the server cannot confirm', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    remembered();
    await renderPath(PATH);
    await screen.findByText(/^We're checking your payment/);
    server.use(
      http.get('*/api/users/:id/stats', () => HttpResponse.json(someStats({ totalEntries: 11 }))),
    );
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(total()).toHaveTextContent('11'));
  });

  it('gives up after a minute, and can be asked to go on', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    remembered();
    const { user } = await renderPath(PATH);
    await screen.findByText(/^We're checking your payment/);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    const alert = await screen.findByText(/^Purchase confirmation failed:/);
    expect(alert).toHaveTextContent('Payment confirmation failed');
    expect(sessionStorage.getItem(KEY)).not.toBeNull();
    selling();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await toast()).toHaveTextContent('Purchase successful!');
    await waitFor(() => expect(alert).not.toBeInTheDocument());
  });

  it('to a payment that never went through says so, once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(409, 'payment_not_confirmed');
    remembered();
    await renderPath(PATH);
    await screen.findByText(/^We're checking your payment/);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(await screen.findByText(/^Your last payment hasn't gone through/)).toBeInTheDocument();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  it('to a payment that came too late says so at once', async () => {
    selling();
    refuseConfirming(409, 'paid_too_late');
    remembered();
    await renderPath(PATH);
    expect(await toast()).toHaveTextContent('Purchase confirmation failed');
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  it("does not ask twice for somebody else's", async () => {
    selling();
    refuseConfirming(403, 'not_your_payment');
    remembered();
    await renderPath(PATH);
    expect(await toast()).toHaveTextContent('Purchase confirmation failed');
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });
});
