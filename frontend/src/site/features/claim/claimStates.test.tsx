import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { raffleOf, writeLooks } from '../../../testing/site/raffles';
import { aRejection } from '../../../testing/site/builders';
import {
  claimServer,
  openClaim,
  refusingAction,
  stepTitle,
  TOKEN,
} from '../../../testing/site/claims';
import { refusing, server } from '../../../testing/server';
import type { ClaimView } from '../../api/generatedClaims';
import { reasons } from './words';

const title = () => screen.getByRole('heading', { level: 1 });
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Opens the page of a claim that is in this state. */
async function open(changes: Partial<ClaimView>, heading: string) {
  const { state, handlers } = claimServer(changes);
  server.use(...handlers);
  const user = await openClaim();
  await stepTitle(heading);
  return { user, state };
}

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  delete document.documentElement.dataset.palette;
});

describe('the page of a claim', () => {
  it('says that it is loading, and nothing of having won', async () => {
    server.use(http.get('*/api/claims/*', () => delay('infinite')));
    await openClaim();
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    expect(title()).toHaveTextContent('Your prize claim');
  });

  it.each([404, 400])('explains an unknown link, answered by %d', async (status) => {
    server.use(refusing(`/api/claims/${TOKEN}`, status, { error: 'No', code: 'not_found' }));
    await openClaim();
    expect(
      await screen.findByRole('heading', { level: 1, name: 'We cannot find this claim' }),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact');
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(http.get('*/api/claims/*', () => HttpResponse.error()));
    const user = await openClaim();
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not reach Tombola');
    server.use(...claimServer({}).handlers);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await stepTitle('Confirm your number');
    expect(screen.queryByText(/could not reach/)).not.toBeInTheDocument();
  });

  it.each(['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'] as const)(
    'takes the look of %s from the claim',
    async (landingPage) => {
      writeLooks();
      await open({ landingPage }, 'Confirm your number');
      expect(document.documentElement.dataset.palette).toBe(raffleOf(landingPage).palette);
      await waitFor(() =>
        expect(document.querySelector(`[data-prize='${landingPage}'] svg`)).toBeInTheDocument(),
      );
    },
  );

  it('shows the picture of a raffle that has one of its own', async () => {
    writeLooks({ 'garden-bag': '<img src="/media/aa" width="1440" height="900" alt="A bag">' });
    await open({ landingPage: 'garden-bag' }, 'Confirm your number');
    expect(screen.getByRole('img', { name: 'A bag' })).toHaveAttribute('src', '/media/aa');
    expect(document.querySelector("[data-prize='garden-bag'] svg")).not.toBeInTheDocument();
  });

  it('shows the prize, the deadline and the drawing, and that no fee is ever asked', async () => {
    await open({ expiresAt: '2026-12-15T20:04:00Z' }, 'Confirm your number');
    expect(screen.getByText('$150+')).toBeInTheDocument();
    expect(screen.getByText(/^Claim it by/)).toHaveTextContent(
      'Claim it by December 15, 2026 at 3:04 PM EST',
    );
    expect(screen.getByRole('link', { name: 'See how the entry was drawn' })).toHaveAttribute(
      'href',
      '/drawings/7',
    );
    expect(
      screen.getByText(/never ask a winner for a fee, a card number, a bank account or a tax/),
    ).toBeInTheDocument();
  });

  it.each([
    [13.5, '(13 days left)'],
    [1.5, '(1 day left)'],
    [0.5, '(less than a day left)'],
  ])('counts %d days as %s', async (days, words) => {
    await open({ expiresAt: inDays(days) }, 'Confirm your number');
    expect(screen.getByText(/^Claim it by/)).toHaveTextContent(words);
  });

  it('explains a deadline that does not run yet', async () => {
    await open({ expiresAt: null }, 'Confirm your number');
    expect(screen.getByText(/14 days to claim it\. They begin when/)).toBeInTheDocument();
  });

  it('tells an alternate why', async () => {
    await open({ rank: 2 }, 'Confirm your number');
    expect(screen.getByText(/drawn before yours did not take the prize/)).toBeInTheDocument();
  });

  it.each([
    ['pending', false, 'Confirm your number'],
    ['code_verified', true, 'Claim your prize'],
    ['submitted', true, 'We have your details'],
    ['rejected', true, 'We did not approve your claim'],
    ['declined', true, 'You declined the prize'],
    ['expired', false, 'The time to claim is over'],
    ['unreachable', false, 'We could not reach you'],
  ] as const)('never says “you won” while it is %s', async (status, isThisBrowser, heading) => {
    const rejection = status === 'rejected' ? aRejection() : null;
    await open({ status, isThisBrowser, rejection }, heading);
    expect(document.body).not.toHaveTextContent(/you won(?!'t)/i);
    expect(document.querySelector('.confetti')).not.toBeInTheDocument();
  });

  it.each([
    ['verified', 'Your claim is approved', "We'll send your prize to the address"],
    ['shipped', 'Your prize is on its way', 'It goes to the address you gave us'],
    ['delivered', 'Your prize was delivered', 'It went to the address'],
  ] as const)('says that the prize is won once it is %s', async (status, heading, words) => {
    await open({ status, isThisBrowser: true, expiresAt: null }, heading);
    expect(title()).toHaveTextContent('You won');
    expect(document.querySelector('.confetti')).toBeInTheDocument();
    expect(screen.getByRole('region', { name: heading })).toHaveTextContent(words);
    expect(screen.queryByText(/Claim it by/)).not.toBeInTheDocument();
  });

  it('shows the winner how the prize was sent', async () => {
    const shipment = {
      carrier: 'UPS',
      trackingNumber: '1Z999AA1',
      trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA1',
      shippedAt: '2026-12-04T15:00:00Z',
    };
    const { state } = await open(
      { status: 'shipped', isThisBrowser: true, expiresAt: null, shipment },
      'Your prize is on its way',
    );
    const step = screen.getByRole('region', { name: 'Your prize is on its way' });
    expect(step).toHaveTextContent('We sent it to the address you gave us on December 4, 2026.');
    expect(step).toHaveTextContent('CarrierUPSTracking number1Z999AA1');
    expect(within(step).getByRole('link', { name: 'Track your prize' })).toHaveAttribute(
      'href',
      shipment.trackingUrl,
    );
    state.now = { ...state.now, shipment: { ...shipment, trackingUrl: null } };
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(within(step).queryByText('Track your prize')).toBeNull());
  });

  it.each([
    ['submitted', 'We have your details', 'Someone will check them'],
    ['declined', 'You declined the prize', 'goes to the next entry'],
    ['expired', 'The time to claim is over', 'within the 14 days'],
    ['unreachable', 'We could not reach you', 'called you on three days'],
  ] as const)('explains %s, with no form', async (status, heading, words) => {
    await open({ status, expiresAt: null }, heading);
    expect(screen.getByRole('region', { name: heading })).toHaveTextContent(words);
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it.each(['pending', 'code_verified'] as const)(
    'takes nothing while a dispute pauses it: %s',
    async (status) => {
      const isThisBrowser = status === 'code_verified';
      const heading = isThisBrowser ? 'Claim your prize' : 'Confirm your number';
      await open({ status, isThisBrowser, paused: true }, heading);
      expect(screen.getByRole('status')).toHaveTextContent('Your claim is paused');
      expect(screen.queryByRole('button')).not.toBeInTheDocument();
      expect(screen.getByText(/^Before the pause, the deadline was/)).not.toHaveTextContent('left');
    },
  );

  it('shows what staff decide, when it is looked at again', async () => {
    const { state } = await open({ status: 'submitted' }, 'We have your details');
    state.now = { ...state.now, status: 'verified' };
    window.dispatchEvent(new Event('focus'));
    expect(await stepTitle('Your claim is approved')).toHaveFocus();
    expect(title()).toHaveTextContent('You won');
    expect(document.querySelector('.confetti')).toBeInTheDocument();
  });

  it('keeps what it shows when it cannot be asked again', async () => {
    await open({ status: 'submitted' }, 'We have your details');
    let asked = 0;
    server.use(
      http.get('*/api/claims/*', () => {
        asked += 1;
        return HttpResponse.error();
      }),
    );
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(asked).toBe(1));
    expect(await stepTitle('We have your details')).toBeInTheDocument();
  });
});

describe('a rejected claim', () => {
  const heading = 'We did not approve your claim';
  const rejected = (changes: Partial<ClaimView> = {}, rejection = aRejection()) =>
    open(
      { status: 'rejected', isThisBrowser: true, rejection, expiresAt: null, ...changes },
      heading,
    );
  const message = () => screen.getByLabelText('Your message');
  const send = () => screen.getByRole('button', { name: 'Send objection' });

  it.each(Object.entries(reasons))('says why: %s', async (reason, sentence) => {
    await rejected({}, aRejection({ reason: reason as keyof typeof reasons }));
    expect(screen.getByText(sentence)).toBeInTheDocument();
    expect(screen.getByText('The address is in Canada.')).toBeInTheDocument();
  });

  it('takes one objection until a date, however often the button is pressed', async () => {
    const objection = { message: 'I moved to Ohio.', at: '2026-12-02T15:00:00Z' };
    const until = aRejection({ objectUntil: inDays(6) });
    const { state, handlers } = claimServer(
      { status: 'rejected', isThisBrowser: true, rejection: until },
      { object: { rejection: { ...until, objection } } },
    );
    server.use(...handlers);
    const user = await openClaim();
    await stepTitle(heading);
    await user.type(message(), ' I moved to Ohio. ');
    await user.dblClick(send());
    expect(await screen.findByText(/^We have your objection/)).toBeInTheDocument();
    expect(screen.getByText('I moved to Ohio.')).toBeInTheDocument();
    expect(screen.queryByLabelText('Your message')).not.toBeInTheDocument();
    expect(state.acts).toEqual([{ action: 'object', body: { message: 'I moved to Ohio.' } }]);
  });

  it('keeps the message when it cannot be sent', async () => {
    const { user } = await rejected();
    server.use(refusingAction('object', 503, { error: 'Away' }));
    await user.type(message(), 'I moved to Ohio.');
    await user.click(send());
    expect(await screen.findByText(/We are busy right now/)).toBeInTheDocument();
    expect(message()).toHaveValue('I moved to Ohio.');
  });

  it('names what is wrong with the message', async () => {
    const { user, state } = await rejected();
    await user.type(message(), 'short');
    await user.click(send());
    await waitFor(() => expect(message()).toHaveAccessibleDescription(/at least 10 characters/));
    expect(state.acts).toEqual([]);
  });

  it.each([
    [
      'in another browser',
      { isThisBrowser: false },
      aRejection(),
      /in which you sent your details/,
    ],
    ['too late', {}, aRejection({ objectUntil: inDays(-1) }), /^The time to object ended/],
    ['while it is paused', { paused: true }, aRejection(), /A bank is looking into a payment/],
  ])('takes no objection %s', async (_, changes, rejection, words) => {
    await rejected(changes, rejection);
    expect(screen.getByText(words)).toBeInTheDocument();
    expect(screen.queryByLabelText('Your message')).not.toBeInTheDocument();
  });

  it("takes one as long as the server's clock says, whatever the visitor's does", async () => {
    const rejection = aRejection({ objectUntil: inDays(-1) });
    const { state, handlers } = claimServer({ status: 'rejected', isThisBrowser: true, rejection });
    state.clock = () => Date.now() - 3 * DAY_MS;
    server.use(...handlers);
    await openClaim();
    expect(await screen.findByRole('button', { name: 'Send objection' })).toBeInTheDocument();
  });

  it('shows an objection that was sent in another tab', async () => {
    const { user, state } = await rejected();
    const objection = { message: 'From the other tab.', at: '2026-12-02T15:00:00Z' };
    state.now = { ...state.now, rejection: aRejection({ objection }) };
    server.use(refusingAction('object', 409, { error: 'Once', code: 'objected_before' }));
    await user.type(message(), 'From this tab.');
    await user.click(send());
    const region = await screen.findByRole('region', { name: heading });
    expect(await within(region).findByText('From the other tab.')).toBeInTheDocument();
  });
});
