import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aCode,
  claimServer,
  openClaim,
  refusingAction,
  stepTitle,
} from '../../../testing/site/claims';
import { codeInput } from '../../../testing/site/codes';
import { blockCookies, COOKIES_BLOCKED } from '../../../testing/site/cookies';
import { server } from '../../../testing/server';
import type { ClaimView } from '../../api/generatedClaims';

const proved: Partial<ClaimView> = { status: 'code_verified', isThisBrowser: true, code: null };
const askButton = (name = 'Text me a code') => screen.findByRole('button', { name });
const says = (words: RegExp) => waitFor(() => expect(screen.getByText(words)).toBeInTheDocument());

/** Opens the page of a claim, which actions change. */
async function open(first: Partial<ClaimView>, becomes = {}) {
  const { state, handlers } = claimServer(first, {
    code: () => ({ code: aCode() }),
    verify: proved,
    prove: proved,
    ...becomes,
  });
  server.use(...handlers);
  const user = await openClaim();
  await stepTitle('Confirm your number');
  return { user, state };
}

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.useRealTimers());

describe('proving the number', () => {
  it('asks for a code once, however often the button is pressed, and focuses its field', async () => {
    const { user, state } = await open({});
    await user.dblClick(await askButton());
    await waitFor(() => expect(codeInput()).toHaveFocus());
    expect(screen.getByText(/^We texted a 6-digit code to/)).toHaveTextContent('***-***-4567');
    expect(state.acts).toEqual([{ action: 'code', body: undefined }]);
  });

  it('sends the code by itself once it is whole, and goes on to the details', async () => {
    const { user, state } = await open({ code: aCode() });
    await user.type(codeInput(), '123 456');
    expect(await stepTitle('Claim your prize')).toHaveFocus();
    expect(state.acts).toEqual([{ action: 'verify', body: { code: '123456' } }]);
  });

  it('takes the code of the text where the browser hands it over', async () => {
    const get = vi.fn(() => Promise.resolve({ code: '654321' }));
    vi.stubGlobal('OTPCredential', class {});
    vi.stubGlobal('navigator', Object.assign(navigator, { credentials: { get } }));
    const { state } = await open({ code: aCode() });
    await stepTitle('Claim your prize');
    expect(state.acts).toEqual([{ action: 'verify', body: { code: '654321' } }]);
    vi.unstubAllGlobals();
  });

  it('says at the field that a code is wrong, and keeps it', async () => {
    const { user } = await open({ code: aCode() });
    const sentence = "That code isn't right. 3 tries left.";
    server.use(
      refusingAction('verify', 400, {
        error: 'Check the code',
        code: 'validation',
        fields: { code: [sentence] },
      }),
    );
    await user.type(codeInput(), '111111');
    await waitFor(() => expect(codeInput()).toHaveAccessibleDescription(RegExp(sentence)));
    expect(codeInput()).toHaveValue('111111');
    expect(codeInput()).toHaveFocus();
  });

  it('offers a new code when this one is worth nothing any more', async () => {
    const { user, state } = await open({ code: aCode() });
    server.use(refusingAction('verify', 410, { error: 'Expired', code: 'verification_expired' }));
    state.now = { ...state.now, code: null };
    await user.type(codeInput(), '111111');
    await says(/a code is good for 10 minutes and 5 tries/);
    expect(await askButton('Text me a new code')).toHaveFocus();
  });

  it("says until when a code works by the clock of the visitor, whatever the server's is", async () => {
    vi.setSystemTime(new Date(2026, 10, 21, 15, 4));
    const expiresAt = new Date(2026, 10, 18, 14, 54).toISOString();
    await open({ code: { ...aCode(), expiresAt } });
    expect(screen.getByText(/^We texted/)).toHaveTextContent(/It expires at 3:14 PM\.$/);
  });

  it('says that the number cannot be texted, once that is known', async () => {
    const { state } = await open({ code: aCode() });
    state.now = { ...state.now, code: { ...aCode(), undeliverable: true } };
    window.dispatchEvent(new Event('focus'));
    const sentence = 'We could not text this number. Is it a mobile phone?';
    expect(await screen.findByText(sentence)).toHaveAttribute('role', 'alert');
    expect(screen.queryByText(/^We texted/)).not.toBeInTheDocument();
    expect(codeInput()).toBeVisible();
  });

  it.each([
    ['Text me a code', {}],
    ['Send again', { code: aCode(0) }],
  ])('has no code sent to a browser that blocks cookies: %s', async (name, first) => {
    const { user, state } = await open(first);
    blockCookies();
    await user.click(await askButton(name));
    await says(RegExp(COOKIES_BLOCKED));
    expect(state.acts).toEqual([]);
  });

  it('sends a code again whose answer was lost', async () => {
    const { user, state } = await open({ code: aCode() });
    server.use(http.post('*/api/claims/:token/verify', () => HttpResponse.error(), { once: true }));
    await user.type(codeInput(), '123456');
    await says(/could not reach Tombola/);
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    await stepTitle('Claim your prize');
    expect(state.acts).toEqual([{ action: 'verify', body: { code: '123456' } }]);
  });

  it('asks for all six digits', async () => {
    const { user, state } = await open({ code: aCode() });
    await user.type(codeInput(), '123');
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    await waitFor(() =>
      expect(codeInput()).toHaveAccessibleDescription(/Enter the 6 digits of the code/),
    );
    expect(state.acts).toEqual([]);
  });

  it('sends the code again, but not before the countdown has ended', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, state } = await open({ code: aCode(30) });
    expect(screen.getByText(/^Send again in/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send again' })).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await user.type(codeInput(), '12');
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    await says(/^Send again in/);
    expect(state.acts).toEqual([{ action: 'code', body: undefined }]);
    expect(codeInput()).toHaveValue('');
    expect(codeInput()).toHaveFocus();
  });

  it.each([
    ['too many', 429, 'too_many_codes', 'You had 10 codes today. Try again tomorrow.'],
    ['no texts', 503, 'texts_not_configured', 'Texts cannot be sent at the moment.'],
    ['used up', 503, 'texts_used_up', 'No more texts can be sent today.'],
  ])("has the server's sentence why no code is sent: %s", async (_, status, code, error) => {
    const { user } = await open({});
    server.use(refusingAction('code', status, { error, code }, { 'Retry-After': '600' }));
    await user.click(await askButton());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(error));
    await user.click(await askButton()); // it can be tried again
  });

  it('says what STOP means for it, and goes on after START', async () => {
    const { user, state } = await open({ canText: false, hasOptedOut: true });
    expect(screen.getByText(/replied STOP to our texts/)).toHaveTextContent('Text START');
    expect(screen.getByRole('link', { name: '(212) 555-0100' })).toHaveAttribute(
      'href',
      'sms:+12125550100',
    );
    state.now = { ...state.now, canText: true, hasOptedOut: false };
    await user.click(screen.getByRole('button', { name: 'I texted START' }));
    expect(await askButton()).toBeInTheDocument();
  });

  it('says that we call a number that cannot be texted', async () => {
    await open({ canText: false });
    expect(screen.getByText(/We call this number to confirm that it is yours/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Type the code that we told you/ })).toHaveAttribute(
      'href',
      '/claim',
    );
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('takes the browser that entered, if the number cannot be texted', async () => {
    const { user, state } = await open({ canText: false, canProve: true });
    await user.dblClick(screen.getByRole('button', { name: 'Go on without a code' }));
    await stepTitle('Claim your prize');
    expect(state.acts).toEqual([{ action: 'prove', body: undefined }]);
  });

  it('says why this browser proves nothing', async () => {
    const { user } = await open({ canText: false, canProve: true });
    const error = 'This is not the browser that entered.';
    server.use(refusingAction('prove', 403, { error, code: 'another_browser' }));
    await user.click(screen.getByRole('button', { name: 'Go on without a code' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(error));
  });

  it('asks again in another browser than the one that proved it', async () => {
    const { user } = await open({ status: 'code_verified' });
    expect(screen.getByText(/confirmed before, but not in this browser/)).toBeInTheDocument();
    await user.click(await askButton());
    await waitFor(() => expect(codeInput()).toHaveFocus());
  });

  it('shows the end of a claim whose time ran out meanwhile', async () => {
    const { user, state } = await open({});
    state.now = { ...state.now, status: 'expired' };
    server.use(refusingAction('code', 410, { error: 'Too late', code: 'claim_expired' }));
    await user.click(await askButton());
    expect(await stepTitle('The time to claim is over')).toHaveFocus();
  });
});
