import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endListenersWithTheTest } from '../testing/listeners';
import { assets } from '../testing/site/assets';
import { fillTemplate } from '../testing/site/fillTemplate';
import { raffles } from '../testing/site/raffles';

endListenersWithTheTest();

let built: Map<string, string>;
beforeAll(async () => {
  vi.stubGlobal('document', undefined); // as where pages are built
  const { adminPages, pages } = await import('./prerender');
  vi.unstubAllGlobals();
  const all = [...pages(assets), ...adminPages(assets)];
  built = new Map(
    Object.values(raffles).flatMap((raffle) =>
      all.map(({ route, html }) => [
        route.replace('{raffle}', raffle.key),
        fillTemplate(html, raffle),
      ]),
    ),
  );
});

const reload = vi.fn();
const fetchPage = vi.fn(() => Promise.resolve(new Response('')));

beforeEach(() => {
  vi.stubGlobal('fetch', fetchPage);
  reload.mockReset();
  fetchPage.mockClear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  close();
});

/** Ends the page: the next one has the same tab. */
function close() {
  document.body.innerHTML = document.head.innerHTML = '';
  for (const name of Object.keys(document.body.dataset)) delete document.body.dataset[name];
  for (const name of ['missing', 'referred']) delete document.documentElement.dataset[name];
  window.onbeforeunload = window.onpagehide = null;
  delete window.early;
  delete window.fileMissing;
}

/** The page before anything but its inline script has run. */
async function open(route = '/garden-bag', pathname = route) {
  close();
  const page = new DOMParser().parseFromString(built.get(route)!, 'text/html');
  document.body.append(...page.body.children);
  Object.assign(document.body.dataset, page.body.dataset);
  vi.stubGlobal('location', { ...location, pathname, reload });
  vi.resetModules();
  await import('./boot');
}

const files = () => [...document.head.querySelectorAll('script')];
const fail = (file = files().at(-1)!) => void file.onerror!('');
const touch = () => dispatchEvent(new Event('pointerdown'));
const said = () => document.documentElement.dataset.missing;
const settled = () => new Promise((next) => setTimeout(next));
const phone = () => screen.getByLabelText<HTMLInputElement>('Phone number');
const button = () => screen.getByRole('button', { name: /^Enter/ });
const submit = () => document.forms[0]!.dispatchEvent(new Event('submit', { cancelable: true }));
const reloaded = () => waitFor(() => expect(reload).toHaveBeenCalledOnce());

/** What the browser does once it was told to reload, and what fails again. */
async function comesBack(route?: string) {
  await reloaded();
  dispatchEvent(new Event('pagehide'));
  await open(route);
}

describe('a file that does not arrive', () => {
  it.each(['/garden-bag', '/claim/{token}', '/rules', '/success/{userId}/your-entry', '/admin'])(
    'reloads %s once, and then the page says it and offers to reload',
    async (route) => {
      await open(route);
      expect(said()).toBeUndefined();
      touch();
      files().forEach(fail);
      await comesBack(route);
      touch();
      files().forEach(fail);
      await waitFor(() => expect(said()).toBe('stale'));
      expect(reload).toHaveBeenCalledOnce();
      expect(screen.getByText('Reload the page')).toHaveAttribute('href', '');
    },
  );

  it('keeps what was typed, and the submit', async () => {
    await open();
    phone().value = '(415) 555-0201';
    screen.getByRole<HTMLInputElement>('checkbox').checked = true;
    submit();
    files().forEach((file) => fail(file));
    expect(button()).toHaveTextContent('Enter Free Raffle Now');
    await comesBack();
    expect(phone().value).toBe('(415) 555-0201');
    expect(screen.getByRole('checkbox')).toBeChecked();
    expect(button()).toHaveTextContent('Entering...');
    expect(window.early!.held).toBe(true);
    await open();
    expect(phone().value).toBe(''); // kept for that one load
  });

  it('submits nothing that was not submitted', async () => {
    await open();
    phone().value = '415';
    touch();
    fail();
    await comesBack();
    expect(phone().value).toBe('415');
    expect(phone()).toHaveFocus();
    expect(window.early!.held).toBe(false);
  });

  it('counts again once the application has run for longer than it waits for its files', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await open();
    window.fileMissing!(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(reload).toHaveBeenCalledOnce();
    await open();
    window.early!.release();
    await vi.advanceTimersByTimeAsync(149_999);
    window.fileMissing!(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(said()).toBe('stale');
    await vi.advanceTimersByTimeAsync(1);
    window.fileMissing!(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('does not count when leaving the page broke it off', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await open();
    touch();
    window.onbeforeunload!(new Event('beforeunload'));
    fail();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(fetchPage).not.toHaveBeenCalled();
    expect(said()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1); // it was not left after all
    expect(reload).toHaveBeenCalledOnce();
  });

  it('without a connection is not asked for by a reload; the page offers to try again', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await open();
    touch();
    const tried = files().length;
    fail();
    await waitFor(() => expect(said()).toBe('offline'));
    touch(); // of the button
    expect(files()).toHaveLength(2 * tried);
    expect(reload).not.toHaveBeenCalled();
    onLine.mockReturnValue(true);
    fail();
    await reloaded();
  });

  it.each([
    ['the server does not answer', () => fetchPage.mockRejectedValueOnce(new TypeError())],
    [
      'the page itself cannot be had',
      () => fetchPage.mockResolvedValueOnce(new Response('', { status: 503 })),
    ],
    ['the browser denies storage', () => void vi.stubGlobal('sessionStorage', undefined)],
  ])('reloads nothing where %s', async (_, happens) => {
    happens();
    await open();
    touch();
    fail();
    await waitFor(() => expect(said()).toBe('stale'));
    expect(reload).not.toHaveBeenCalled();
  });

  it('later is told by the application, which is not started again', async () => {
    await open();
    touch();
    const tried = files().length;
    window.early!.release();
    window.fileMissing!(true);
    await reloaded();
    touch();
    await settled();
    expect(files()).toHaveLength(tried);
    expect(window.early).toBeUndefined();
  });
});

it('says nothing any more once the application has started', async () => {
  await open();
  touch();
  window.fileMissing!(false);
  await waitFor(() => expect(said()).toBe('stale'));
  window.early!.release();
  expect(said()).toBeUndefined();
});

describe("the banner of a friend's link", () => {
  const isReferred = () => document.documentElement.dataset.referred !== undefined;
  const LINK = '/garden-bag/ref/{code}';

  it('shows on its page, and then on every sign-up page of the tab', async () => {
    await open();
    expect(isReferred()).toBe(false);
    await open(LINK, '/garden-bag/ref/CDFG3467');
    expect(isReferred()).toBe(true);
    await open('/fresh-sips');
    expect(isReferred()).toBe(true);
    expect(sessionStorage.getItem('tombola.link')).toBe('/garden-bag/ref/CDFG3467');
    await open(LINK, '/garden-bag/ref/MNPQRTVW');
    expect(sessionStorage.getItem('tombola.link')).toBe('/garden-bag/ref/MNPQRTVW');
  });
});
