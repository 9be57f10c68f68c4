import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import qrcode from 'qrcode-generator';
import { today } from '../../../../shared/lib/days';
import { aUser, someShares } from '../../../../testing/site/builders';
import { entrant, refusing, server } from '../../../../testing/server';
import { renderPath } from '../../../../testing/site/renderPath';
import { SHARE_COUNTED, type Tracked } from '../../../lib/tracked';
import type { ShareProgress } from '../api';

const PATH = '*/api/users/7/share-progress';

/** How often the shares were read. */
let reads: number;
let now: ShareProgress;
/** What the pages reported. */
let events: Tracked[];

beforeEach(() => {
  addEventListener('click', stay);
  reads = 0;
  now = someShares();
  events = [];
  window.tracked = { push: (event) => events.push(event) };
  server.use(
    http.get(PATH, () => {
      reads += 1;
      return HttpResponse.json(now);
    }),
  );
});
afterEach(() => {
  removeEventListener('click', stay);
  delete window.tracked;
  cleanup(); // the pages take back what they asked of the browser
  vi.unstubAllGlobals();
});

const shared = { totalShares: 4, platformsShared: ['sms'], shareStreak: 3, xp: 40 };
const shareOfToday = () =>
  someShares({ totalShares: 1, platformsShared: ['email'], lastShareDate: today() });
const onThreeDays = () => someShares({ ...shared, lastShareDate: today() });
const card = () => screen.getByRole('region', { name: /^Double Your Chances/ });
const line = () => card().querySelector('.share-line');
const MILESTONE = '1 more friend: 2 entries in all.';
const wasRead = (times: number) => waitFor(() => expect(reads).toBe(times));
const email = () => screen.findByRole('link', { name: 'Email' });
const counted = () => act(() => void dispatchEvent(new Event(SHARE_COUNTED)));
const stay = (event: Event) => event.preventDefault(); // jsdom opens no mail

describe('the line in the share card', () => {
  it('says what the next friend is worth before the first share', async () => {
    await renderPath('/garden-bag/success/7');
    await wasRead(1);
    expect(line()).toHaveTextContent(MILESTONE);
  });

  it('is empty without the figures, and still keeps its place', async () => {
    server.use(refusing('/api/users/:id/stats', 503, { error: 'Away' }));
    await renderPath('/garden-bag/success/7');
    await wasRead(1);
    expect(line()).toBeEmptyDOMElement();
  });

  it('says what came of the shares, once the page is idle', async () => {
    const idle: (() => void)[] = [];
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run));
    vi.stubGlobal('cancelIdleCallback', vi.fn());
    now = onThreeDays();
    await renderPath('/garden-bag/success/7');
    await email();
    await screen.findByRole('link', { name: 'Your entry and your data' });
    expect(reads).toBe(0);
    idle.forEach((run) => run());
    expect(await screen.findByText('You shared on 3 days in a row.')).toBe(line());
  });

  it('is read again once the server has counted a share', async () => {
    const { user } = await renderPath('/garden-bag/success/7');
    await wasRead(1);
    await user.click(await email());
    expect(events).toMatchObject([{ kind: 'referral_share', platform: 'email' }]);
    expect(reads).toBe(1);
    now = shareOfToday();
    counted();
    expect(await screen.findByText('You shared your link today.')).toBe(line());
    expect(reads).toBe(2);
  });

  it('is read again when a share is counted while an answer from before it is on its way', async () => {
    const answers: (() => void)[] = [];
    server.use(
      http.get(PATH, async () => {
        reads += 1;
        const before = now;
        await new Promise<void>((answer) => answers.push(answer));
        return HttpResponse.json(before);
      }),
    );
    await renderPath('/garden-bag/success/7');
    await waitFor(() => expect(answers).toHaveLength(1));
    now = shareOfToday();
    counted();
    answers.pop()!();
    await waitFor(() => expect(answers).toHaveLength(1));
    answers.pop()!();
    expect(await screen.findByText('You shared your link today.')).toBe(line());
    expect(reads).toBe(2);
  });

  it('keeps what it said when it cannot be read again', async () => {
    now = onThreeDays();
    const { user } = await renderPath('/garden-bag/success/7');
    await screen.findByText('You shared on 3 days in a row.');
    let failed = false;
    server.use(
      http.get(PATH, () => {
        failed = true;
        return HttpResponse.error();
      }),
    );
    await user.click(await email());
    counted();
    await waitFor(() => expect(failed).toBe(true));
    expect(line()).toHaveTextContent('You shared on 3 days in a row.');
  });

  it.each([
    [403, { error: 'No.', code: 'forbidden' }],
    [503, { error: 'Away' }],
  ])('says what it said before when the server answers %i', async (status, body) => {
    let refused = false;
    server.use(
      http.get(PATH, () => {
        refused = true;
        return HttpResponse.json(body, { status });
      }),
    );
    await renderPath('/garden-bag/success/7');
    await waitFor(() => expect(refused).toBe(true));
    await email();
    expect(line()).toHaveTextContent(MILESTONE);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is not there in another browser, which asks for nothing', async () => {
    now = onThreeDays();
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await renderPath('/success/7');
    await screen.findByText(/^No referrals yet/);
    expect(line()).toBeNull();
    expect(screen.queryByRole('button', { name: 'Show QR code' })).toBeNull();
    expect(reads).toBe(0);
  });
});

describe('the QR code', () => {
  const button = () => screen.findByRole('button', { name: 'Show QR code' });

  it('opens, has the link in it, is no share, and gives the focus back', async () => {
    const { user } = await renderPath('/garden-bag/success/7');
    await user.click(await button());
    const dialog = await screen.findByRole('dialog', { name: 'Your link as a QR code' });
    const code = within(dialog).getByRole('img', { name: 'QR code of your referral link' });
    const whole = qrcode(0, 'M');
    whole.addData(`${location.origin}/garden-bag/ref/ABCD2345`);
    whole.make();
    const all = [...Array(whole.getModuleCount()).keys()];
    const dark = all.flatMap((y) =>
      all.filter((x) => whole.isDark(y, x)).map((x) => `M${x + 4} ${y + 4}`),
    );
    expect(code.innerHTML.match(/M\d+ \d+(?=h1v1)/g)).toEqual(dark);
    expect(events).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await button()).toHaveFocus();
  });
});

describe('the part "Your shares" of the screen behind', () => {
  const part = () => screen.findByRole('region', { name: 'Your shares' });
  const screenOf = () => renderPath('/garden-bag/success/7/your-entry');
  const withoutPart = async () => {
    await screenOf();
    await screen.findByRole('region', { name: 'The next drawing' });
    expect(screen.queryByRole('heading', { name: 'Your shares' })).toBeNull();
  };

  it('says everything in words, and that it gives no entries', async () => {
    now = { ...onThreeDays(), achievements: ['first_share', 'three_day_streak'] };
    await screenOf();
    expect(await part()).toHaveTextContent(
      'You shared your link 4 times, by text, most recently on 3 days in a row.',
    );
    const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(items).toEqual(['Your first share', 'Shared on three days in a row']);
    expect(await part()).toHaveTextContent('You have 40 points, which is level 1.');
    expect(await part()).toHaveTextContent('They give no entries');
  });

  it('is not there before the first share', withoutPart);

  it('is not there where it cannot be read, and the rest is', async () => {
    server.use(refusing('/api/users/7/share-progress', 503, {}));
    await withoutPart();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
