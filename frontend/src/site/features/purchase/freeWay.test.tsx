import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aFreeOffer, aUser, someOdds } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { turnCodesOn } from '../../../testing/site/codes';
import { block, installShop, PATH, selling, total } from '../../../testing/site/shop';
import { refusing, server } from '../../../testing/server';
import { inWords } from './Odds';

installShop();

/** An afternoon here, and the midnight after it. */
const today = new Date(2026, 10, 23, 15);
const againAt = new Date(2026, 10, 24).toISOString();

afterEach(() => vi.useRealTimers());

const freeButton = (name = 'Get 4 free entries') => screen.findByRole('button', { name });

/** A server that gives the free entries of the day once. */
function giving() {
  let claims = 0;
  server.use(
    http.get('*/api/users/:id/free-entries', () =>
      HttpResponse.json(
        claims ? aFreeOffer({ entries: 0, isClaimed: true, used: 4, againAt }) : aFreeOffer(),
      ),
    ),
    http.get('*/api/users/:id/odds', () =>
      HttpResponse.json(
        someOdds(claims ? { entries: 5, totalEntries: 370, probability: 5 / 370 } : {}),
      ),
    ),
    http.post('*/api/users/:id/free-entries', () => {
      claims += 1;
      return HttpResponse.json({ entriesAdded: 4, againAt }, { status: 201 });
    }),
  );
  return () => claims;
}

describe('the free way', () => {
  it('gives the entries of the day once, however often it is pressed', async () => {
    vi.useFakeTimers({ now: today, toFake: ['Date'] });
    selling();
    const claims = giving();
    const { user } = await renderPath(PATH);
    const button = await freeButton();
    expect(await screen.findByText(/odds now: 1 in 334/)).toBeInTheDocument();
    await user.dblClick(button);
    const boost = await block();
    expect(await within(boost).findByText(/4 entries added/)).toHaveTextContent(
      'Come back tomorrow for more.',
    );
    expect(await freeButton('No free entries left today')).toHaveAttribute('aria-disabled', 'true');
    expect(
      await screen.findByText('Your odds now: 1 in 74 (5 of 370 entries).'),
    ).toBeInTheDocument();
    expect(claims()).toBe(1);
  });

  it('stands above the packages, and says that nothing has to be bought', async () => {
    selling();
    await renderPath(PATH);
    await freeButton();
    const headings = within(await block()).getAllByRole('heading', { level: 3 });
    expect(headings[0]).toHaveTextContent('Free entries');
    expect(await block()).toHaveTextContent(
      'Free every day: entries with the same chance as bought ones.',
    );
  });

  it('says how many there are already, in the place of what is said after a claim', async () => {
    selling();
    server.use(
      http.get('*/api/users/:id/free-entries', () => HttpResponse.json(aFreeOffer({ used: 12 }))),
    );
    await renderPath(PATH);
    expect(await screen.findByText('You have 12 of at most 100 for this month.')).toBeVisible();
  });

  it('says what the cap is when it is reached', async () => {
    selling();
    server.use(
      http.get('*/api/users/:id/free-entries', () =>
        HttpResponse.json(aFreeOffer({ entries: 0, used: 100 })),
      ),
    );
    await renderPath(PATH);
    expect(
      await screen.findByText(/all 100 entries that one person can buy or get free in a month/),
    ).toBeInTheDocument();
  });

  it('is only for the browser that entered', async () => {
    selling();
    server.use(
      http.get('*/api/users/:id', () => HttpResponse.json(aUser({ phoneNumber: '***-***-4567' }))),
    );
    await renderPath(PATH);
    expect(
      await screen.findByText('Open this page in the browser that you entered with to get them.'),
    ).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /free entries/ })).not.toBeInTheDocument();
  });

  it('leads another browser to where it proves the number', async () => {
    turnCodesOn();
    selling();
    server.use(
      http.get('*/api/users/:id', () => HttpResponse.json(aUser({ phoneNumber: '***-***-4567' }))),
    );
    await renderPath(PATH);
    const link = await screen.findByRole('link', { name: 'Confirm your number' });
    expect(link).toHaveAttribute('href', '/garden-bag');
  });

  it('shows why none were given, and can be tried again', async () => {
    selling();
    const { user } = await renderPath(PATH);
    const button = await freeButton();
    server.use(
      refusing('/api/users/7/free-entries', 409, {
        error: 'Please try again.',
        code: 'entry_cap',
      }),
    );
    await user.click(button);
    expect(await within(await block()).findByText('Please try again.')).toBeInTheDocument();
    const claims = giving();
    await user.click(await freeButton());
    await waitFor(() => expect(claims()).toBe(1));
    expect(total()).toBeInTheDocument();
  });
});

describe('the odds', () => {
  it.each([
    [{ entries: 1, totalEntries: 1, probability: 1 }, 'Your odds now: 100% (1 of 1 entry).'],
    [{ entries: 2, totalEntries: 3, probability: 2 / 3 }, 'Your odds now: 66% (2 of 3 entries).'],
    [
      { entries: 37, totalEntries: 12_345, probability: 37 / 12_345 },
      'Your odds now: 1 in 334 (37 of 12,345 entries).',
    ],
    [
      { entries: 0, totalEntries: 5, probability: 0 },
      'Your entries take no part in the drawing while they are on hold.',
    ],
  ])('%j are said in one line', (odds, words) => {
    expect(inWords(odds)).toBe(words);
  });
});
