import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anOffer, aUser, someReferrals, someStats } from '../../../testing/site/builders';
import { ended, raffleOf } from '../../../testing/site/raffles';
import { renderPath } from '../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../testing/server';

const tile = (label: string) => screen.getByText(label).closest('div');
const link = () => screen.findByLabelText<HTMLTextAreaElement>('Your referral link');
const toast = async () =>
  within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('listitem');

describe('the success screen of a raffle that has ended', () => {
  it('shows the entries, and offers nothing that only an open raffle has', async () => {
    server.use(
      ...entrant({ stats: { totalEntries: 5, referralCount: 2 }, referrals: someReferrals(2) }),
      http.get('*/api/entry-packages', () => HttpResponse.json(anOffer())),
    );
    await renderPath('/garden-bag/success/7', ended('garden-bag', 'fresh-sips'));
    expect(await screen.findByRole('region', { name: 'Your Referrals' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This raffle has ended');
    expect(screen.getByText('You entered to win the Garden Bag Essentials.')).toBeVisible();
    expect(tile('Total Entries')).toHaveTextContent('5');
    const open = within(screen.getByRole('region', { name: 'Open raffles' }));
    expect(open.getByRole('link', { name: 'Fresh Sips Mixology Kit' })).toHaveAttribute(
      'href',
      '/fresh-sips',
    );
    expect(open.getByRole('link', { name: 'See its drawings' })).toHaveAttribute(
      'href',
      '/drawings?raffle=garden-bag',
    );
    for (const gone of [/Next Drawing/, /referral link/, 'Starter Pack', /free entries/i]) {
      expect(screen.queryByText(gone)).not.toBeInTheDocument();
    }
    expect(screen.getByRole('link', { name: 'Your entry and your data' })).toBeVisible();
  });

  it.each([
    [
      { dueAt: '2026-12-01T17:00:00Z' },
      /to come, on December 1, 2026. Until then, this number stays/,
    ],
    [{ dueAt: null }, /Its last drawing is still to come. Until then, this number stays/],
    [null, /Its last drawing is over: this number can enter another raffle/],
  ])('says until when the number stays in it: %j', async (lastDrawing, words) => {
    server.use(...entrant({ user: aUser({ lastDrawing }) }));
    await renderPath('/garden-bag/success/7', ended('garden-bag', 'fresh-sips'));
    expect(await screen.findByText(words)).toBeVisible();
  });
});

describe('the success screens', () => {
  it.each([
    ['/garden-bag/success/7', 'Garden Bag Success!', '/garden-bag/ref/ABCD2345'],
    ['/fresh-sips/success/7', 'Fresh Sips Success!', '/fresh-sips/ref/ABCD2345'],
    ['/kitchen-garden/success/7', 'Kitchen Garden Success!', '/kitchen-garden/ref/ABCD2345'],
    [
      '/sustainable-living/success/7',
      'Sustainable Living Success!',
      '/sustainable-living/ref/ABCD2345',
    ],
    ['/success/7', "You're Entered!", '/ref/ABCD2345'],
  ])('%s greets with "%s" and links to its own page', async (path, title, linkPath) => {
    await renderPath(path);
    expect(await link()).toHaveValue(location.host + linkPath); // without its scheme, which a phone has no room for
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(title);
    expect(screen.getByText(/^You're entered to win the/)).toBeInTheDocument();
    const heading = title.startsWith('Garden') ? 'Double Your Chances!' : 'Double Your Chances';
    expect(screen.getByRole('heading', { name: heading })).toBeInTheDocument();
    expect(
      screen.getByText('Share your referral link and get +1 entry for each friend who joins!'),
    ).toBeInTheDocument();
  });

  it('show the three figures, grouped, and what was bought as the bonus', async () => {
    server.use(
      ...entrant({ stats: { totalEntries: 9_999_999, referralCount: 200, paidEntries: 20 } }),
    );
    await renderPath('/garden-bag/success/7');
    expect(await screen.findByText('9,999,999')).toBeInTheDocument();
    expect(tile('Total Entries')).toHaveTextContent('9,999,999');
    expect(tile('Friends Referred')).toHaveTextContent('200');
    expect(tile('Bonus Entries')).toHaveTextContent('20');
  });

  it.each([
    [1, 'One entry is on hold while we check a sign-up.'],
    [1_200, '1,200 entries are on hold while we check sign-ups.'],
  ])('say what %i flagged sign-ups hold', async (entriesOnHold, sentence) => {
    server.use(...entrant({ stats: { entriesOnHold } }));
    await renderPath('/garden-bag/success/7');
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  it('say nothing of entries on hold without any', async () => {
    await renderPath('/garden-bag/success/7');
    await waitFor(() => expect(tile('Total Entries')).toHaveTextContent('1'));
    expect(screen.queryByText(/on hold/)).not.toBeInTheDocument();
  });

  it('default to one entry, no friends and no bonus', async () => {
    server.use(http.get('*/api/users/:id/stats', () => HttpResponse.json({})));
    await renderPath('/garden-bag/success/7');
    await waitFor(() => expect(tile('Total Entries')).toHaveTextContent('1'));
    expect(tile('Friends Referred')).toHaveTextContent('0');
    expect(tile('Bonus Entries')).toHaveTextContent('0');
  });

  it.each([
    [
      'again',
      'This number is already entered to win the Garden Bag Essentials. ',
      "haven't changed.",
    ],
    [
      'moved',
      'The raffle you were in is over. ',
      "You're entered to win the Garden Bag Essentials now",
    ],
  ] as const)('say what happened to people who are not new: %s', async (arrival, first, then) => {
    const { SuccessPage } = await import('./SuccessPage');
    const raffle = raffleOf('garden-bag');
    const { render } = await import('@testing-library/react');
    const { Provider } = await import('react-redux');
    const { makeStore } = await import('../../app/store');
    render(
      <Provider store={makeStore()}>
        <SuccessPage copy={{ raffle }} userId="7" arrival={arrival} />
      </Provider>,
    );
    const lead = screen.getByText((text) => text.startsWith(first));
    expect(lead).toHaveTextContent(then);
    expect(await link()).toBeInTheDocument();
  });

  it('the generic one counts entries in its header and says what happens next', async () => {
    server.use(...entrant({ stats: { totalEntries: 12 } }));
    await renderPath('/success/7');
    expect(screen.getByText("You're entered to win the Garden Bag Essentials.")).toBeVisible();
    await waitFor(() => expect(screen.getByText(/^Your Entries/)).toHaveTextContent('12'));
    const next = await screen.findByRole('region', { name: 'What Happens Next?' });
    expect(within(next).getByRole('heading', { name: 'Monthly Drawing' })).toBeInTheDocument();
    expect(within(next).getByRole('heading', { name: 'Stay Updated' })).toBeInTheDocument();
    expect(next).toHaveTextContent('About upcoming raffles we send at most 1 text per month.');
    for (const [name, href] of [
      ['Terms & Conditions', '/rules'],
      ['Privacy Policy', '/privacy'],
      ['Contact Us', '/contact'],
    ] as const) {
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });
});

describe('loading and failing', () => {
  it('every call names the session that is tracked, if one is', async () => {
    const named: (string | null)[] = [];
    server.use(
      http.get('*/api/users/:id*', ({ request }) => {
        named.push(request.headers.get('X-Analytics-Session'));
      }),
    );
    window.trackingHeaders = { 'X-Analytics-Session': 'a-session' };
    await renderPath('/garden-bag/success/7');
    await link();
    await waitFor(() => expect(named).toHaveLength(4));
    delete window.trackingHeaders;
    cleanup();
    await renderPath('/garden-bag/success/7');
    await link();
    // The entrant, the figures, the friends, and whether the entries are on hold.
    await waitFor(() =>
      expect(named).toEqual([...Array<string>(4).fill('a-session'), ...Array<null>(4).fill(null)]),
    );
  });

  it('Sustainable Living says Loading... until the user record is there', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      http.get('*/api/users/:id', async () => {
        await answered;
        return undefined; // on to the usual answer
      }),
    );
    await renderPath('/sustainable-living/success/7');
    expect(screen.getByText('Loading...')).toBeVisible();
    expect(screen.queryByText('Total Entries')).not.toBeInTheDocument();
    answer();
    expect(await link()).toBeInTheDocument();
    expect(screen.queryByText('Loading...')).not.toBeInTheDocument();
  });

  it('the others keep the places of what comes', async () => {
    server.use(http.get('*/api/users/:id*', () => delay('infinite')));
    await renderPath('/fresh-sips/success/7');
    expect(tile('Total Entries')?.querySelector('dd')).toBeEmptyDOMElement();
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
  });

  it('the tiles say where the entries come from', async () => {
    const given = { totalEntries: 690, bonusEntries: 39, freeEntries: 36, paidEntries: 650 };
    server.use(http.get('*/api/users/:id/stats', () => HttpResponse.json(someStats(given))));
    await renderPath('/garden-bag/success/7');
    expect(
      await screen.findByText(
        (_, element) =>
          element?.textContent === '1 sign-up · 3 from friends · 36 free · 650 bought',
      ),
    ).toBeVisible();
  });

  it.each([404, 400])('an id that nobody has (%i) is said to be unknown', async (status) => {
    server.use(refusing('/api/users/:id', status, { error: 'Not found', code: 'not_found' }));
    await renderPath('/garden-bag/success/999');
    expect(
      await screen.findByRole('heading', { level: 1, name: 'We cannot find this entry' }),
    ).toBeInTheDocument();
  });

  it.each([
    ['/garden-bag/success/999', 'Go to the raffle', '/garden-bag'],
    ['/fresh-sips/success/999', 'Go to the raffle', '/fresh-sips'],
    ['/kitchen-garden/success/999', 'Go to the raffle', '/kitchen-garden'],
    ['/sustainable-living/success/999', 'Go to the raffle', '/sustainable-living'],
    ['/success/999', 'See all raffles', '/welcome'],
  ])('%s, an entry that nobody has, leads to %s', async (path, name, href) => {
    server.use(refusing('/api/users/:id', 404, { error: 'Not found', code: 'not_found' }));
    await renderPath(path);
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', href);
  });

  it.each([
    ['the user', '/api/users/:id'],
    ['the figures', '/api/users/:id/stats'],
    ['the referrals', '/api/users/:id/referrals'],
  ])('says that %s failed, and tries again when asked', async (_, path) => {
    server.use(refusing(path, 503, { error: 'Away' }, { 'Retry-After': '3' }));
    await renderPath('/success/7');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 3 seconds.');
    server.use(...entrant({}));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(await screen.findByText(/^No referrals yet/)).toBeInTheDocument();
    expect(await link()).toBeInTheDocument();
  });

  it('speaks of the page and not of a form when the server is busy', async () => {
    server.use(refusing('/api/users/:id/stats', 503, { error: 'Away' }, { 'Retry-After': '3' }));
    await renderPath('/garden-bag/success/7');
    expect((await screen.findByRole('alert')).querySelector('p')).toHaveTextContent(
      /^We are busy right now. Please try again in 3 seconds.$/,
    );
  });

  it('speaks of no form to people who are offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    server.use(http.get('*/api/users/:id/stats', () => HttpResponse.error()));
    await renderPath('/garden-bag/success/7');
    expect((await screen.findByRole('alert')).querySelector('p')).toHaveTextContent(
      /^You seem to be offline. Try again when you are connected.$/,
    );
    vi.restoreAllMocks();
  });
});

describe('sharing', () => {
  afterEach(() => {
    delete window.tracked;
    Reflect.deleteProperty(navigator, 'share');
    vi.useRealTimers();
  });

  it('copies the link, says so for two seconds, and aloud', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = await renderPath('/kitchen-garden/success/7');
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    const field = await link();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(copied).toHaveBeenCalledWith(`${location.protocol}//${field.value}`);
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
    // The toast has a status of its own for as long as it is read out.
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said).toContain('Copied!');
    expect(await toast()).toHaveTextContent(
      'Link copied!Share it with your friends to get more entries.',
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.getByRole('button', { name: 'Copied!' })).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await screen.findByRole('button', { name: 'Copy' })).toBeInTheDocument();
  });

  it('copies the link with its scheme by hand, too, and a part of it as that part', async () => {
    await renderPath('/kitchen-garden/success/7');
    const field = await link();
    const clipboardData = { setData: vi.fn() };
    field.setSelectionRange(0, 4);
    expect(fireEvent.copy(field, { clipboardData })).toBe(true);
    field.select();
    expect(fireEvent.copy(field, { clipboardData })).toBe(false);
    const whole = `${location.origin}/kitchen-garden/ref/ABCD2345`;
    expect(clipboardData.setData.mock.calls).toEqual([['text/plain', whole]]);
  });

  it('refuses to copy a link that is not there yet', async () => {
    server.use(...entrant({ user: { referralCode: '' } }));
    const { user } = await renderPath('/success/7');
    expect(await link()).toHaveValue('');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await toast()).toHaveTextContent(
      'ErrorReferral link is not available yet. Please try again.',
    );
    expect(screen.queryByRole('link', { name: 'Email' })).not.toBeInTheDocument();
  });

  it('says when the browser does not let it copy', async () => {
    const { user } = await renderPath('/sustainable-living/success/7');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await link();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await toast()).toHaveTextContent('ErrorFailed to copy link');
  });

  it('opens mail and messages with the link in them', async () => {
    await renderPath('/fresh-sips/success/7');
    const address = (await link()).value;
    const mail = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Email' }).href);
    expect(mail.protocol).toBe('mailto:');
    expect(mail.searchParams.get('subject')).toBe(
      'Free Monthly Fresh Sips Mixology Kit - Win $150+ in Supplies!',
    );
    expect(mail.searchParams.get('body')).toContain(address);
    const text = screen.getByRole<HTMLAnchorElement>('link', { name: 'Text' }).href;
    expect(text).toMatch(/^sms:\?body=/);
    expect(decodeURIComponent(text)).toContain(address);
  });

  it.each([
    ['/garden-bag/success/7', 'Amazing Raffle - Win Premium Supplies!'],
    ['/success/7', 'Amazing Raffle - Win Premium Supplies!'],
  ])('mails from %s with its subject', async (path, subject) => {
    await renderPath(path);
    await link();
    const mail = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Email' }).href);
    expect(mail.searchParams.get('subject')).toBe(subject);
  });

  it('names the next winner in the mail of Kitchen Garden as the spec does in July 2025', async () => {
    vi.useFakeTimers({ now: new Date('2025-07-10T12:00:00Z'), toFake: ['Date'] });
    await renderPath('/kitchen-garden/success/7');
    await link();
    const mail = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Email' }).href);
    expect(mail.searchParams.get('body')).toContain('August 1st, 2025');
  });

  it('tells the tracking script of each way to share, by its name', async () => {
    const tracked: unknown[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    const { user } = await renderPath('/garden-bag/success/7');
    await link();
    const stay = (event: Event) => event.preventDefault(); // jsdom opens no mail
    addEventListener('click', stay);
    for (const name of ['Email', 'Text']) await user.click(screen.getByRole('link', { name }));
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    removeEventListener('click', stay);
    const share = { kind: 'referral_share', userId: 7, referralCode: 'ABCD2345' };
    expect(tracked).toEqual([
      { ...share, platform: 'email' },
      { ...share, platform: 'sms' },
      { ...share, platform: 'copy' },
    ]);
  });

  it("offers the system's own sheet only where there is one", async () => {
    await renderPath('/garden-bag/success/7');
    await link();
    expect(screen.queryByRole('button', { name: 'Share' })).not.toBeInTheDocument();
  });

  it("hands the link to the system's own sheet", async () => {
    const share = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const { user } = await renderPath('/garden-bag/success/7');
    const address = (await link()).value;
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(share).toHaveBeenCalledWith(
      expect.objectContaining({ text: expect.stringContaining(address) as string }),
    );
  });

  it("counts what the system's own sheet shared, and not that it was closed", async () => {
    const tracked: unknown[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    const share = vi.fn(() => Promise.reject(new DOMException('', 'AbortError')));
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const { user } = await renderPath('/garden-bag/success/7');
    await link();
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(share).toHaveBeenCalledOnce();
    expect(tracked).toEqual([]);
    share.mockResolvedValue(undefined as never);
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(tracked).toMatchObject([{ kind: 'referral_share', platform: 'system' }]);
  });
});

describe('the referrals', () => {
  it('are listed with number and local date', async () => {
    server.use(...entrant({ referrals: someReferrals(1), stats: { referralCount: 1 } }));
    await renderPath('/fresh-sips/success/7');
    const list = await screen.findByRole('region', { name: 'Your Referrals' });
    const row = within(list).getByRole('listitem');
    expect(row).toHaveTextContent('(555) 200-0000');
    const date = new Date('2025-08-05T15:00:00Z');
    expect(row).toHaveTextContent(date.toLocaleDateString(undefined, { dateStyle: 'medium' }));
  });

  it('are masked on garden-bag even where the server names them in full', async () => {
    server.use(...entrant({ referrals: someReferrals(1), stats: { referralCount: 1 } }));
    await renderPath('/garden-bag/success/7');
    const list = await screen.findByRole('region', { name: 'Your Referrals' });
    expect(list).toHaveTextContent('***-***-0000');
    expect(list).not.toHaveTextContent('555');
  });

  it('show as masked as the server gives them', async () => {
    const [referral] = someReferrals(1);
    const masked = [{ ...referral!, referredPhoneNumber: '***-***-4567' }];
    server.use(...entrant({ referrals: masked, stats: { referralCount: 1 } }));
    await renderPath('/kitchen-garden/success/7');
    expect(await screen.findByText('***-***-4567')).toBeInTheDocument();
  });

  it('are not there without any', async () => {
    await renderPath('/garden-bag/success/7');
    await link();
    await waitFor(() => expect(tile('Total Entries')).toHaveTextContent('1'));
    expect(screen.queryByText('Your Referrals')).not.toBeInTheDocument();
  });

  it('of the generic page say how to get some', async () => {
    await renderPath('/success/7');
    const list = await screen.findByRole('region', { name: 'Recent Referrals' });
    expect(list).toHaveTextContent('No referrals yet. Share your link to get started!');
  });

  it('start with ten of 200, and show all when asked', async () => {
    server.use(...entrant({ referrals: someReferrals(200), stats: { referralCount: 812 } }));
    const { user } = await renderPath('/success/7');
    const list = await screen.findByRole('region', { name: 'Recent Referrals' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(10);
    await user.click(within(list).getByRole('button', { name: 'Show all 200' }));
    expect(within(list).getAllByRole('listitem')).toHaveLength(200);
    expect(await within(list).findByText('Showing the newest 200 of 812.')).toBeInTheDocument();
  });
});
