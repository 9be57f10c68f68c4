import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aUser } from '../../../../../testing/site/builders';
import { ENDPOINT, KEYS, PushBrowser } from '../../../../../testing/site/pushBrowser';
import { renderPath } from '../../../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../../../testing/server';

const PAGE = '/garden-bag/success/7/your-entry';

/** What the server was told: method and body. */
let told: [string, unknown][];
let browser: PushBrowser;

beforeEach(() => {
  told = [];
  browser = new PushBrowser();
  const keep = async ({ request }: { request: Request }) => {
    told.push([request.method, await request.json()]);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('*/api/push/key', () => HttpResponse.json({ publicKey: 'AQ-_' })),
    http.post('*/api/push/subscriptions', keep),
    http.delete('*/api/push/subscriptions', keep),
  );
});
afterEach(() => browser.remove());

const button = () => screen.findByRole('button', { name: 'Tell me when it is drawn' });
const stop = () => screen.findByRole('button', { name: 'Stop telling me' });
const added = ['POST', { userId: 7, endpoint: ENDPOINT, keys: KEYS }];
const removed = ['DELETE', { userId: 7, endpoint: ENDPOINT }];

/** The screen with all its parts, of which the button is none. */
async function withoutButton() {
  await renderPath(PAGE);
  await screen.findByRole('region', { name: 'The next drawing' });
  expect(screen.queryByRole('button', { name: 'Tell me when it is drawn' })).toBeNull();
}

describe('the button "Tell me when it is drawn"', () => {
  it('says first what it does, and asks the browser only when pressed', async () => {
    const { user } = await renderPath(PAGE);
    await button();
    expect(screen.getByText(/^Get a notification when the winner is drawn/)).toBeInTheDocument();
    expect(browser.requestPermission).not.toHaveBeenCalled();
    await user.click(await button());
    expect(await stop()).toBeInTheDocument();
    const said = screen.getByText('This browser tells you when it is drawn.');
    expect(said).toHaveAttribute('aria-live', 'polite');
    expect(browser.requestPermission).toHaveBeenCalledTimes(1);
    expect(browser.register).toHaveBeenCalledWith('/push-worker.js', { scope: '/' });
    const key = browser.subscribe.mock.calls[0]?.[0].applicationServerKey;
    expect([...(key ?? [])]).toEqual([1, 15, 191]);
    expect(told).toEqual([added]);
  });

  it('says while the browser asks that it does', async () => {
    let answer: (permission: NotificationPermission) => void = () => {};
    browser.requestPermission.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { user } = await renderPath(PAGE);
    await user.click(await button());
    expect(await screen.findByText(/^Your browser may ask you now/)).toBeInTheDocument();
    answer('granted');
    expect(await stop()).toBeInTheDocument();
  });

  it('turns it off again', async () => {
    browser.permission = 'granted';
    browser.makeSubscription();
    const { user } = await renderPath(PAGE);
    await user.click(await stop());
    expect(await button()).toBeInTheDocument();
    expect(told).toEqual([added, removed]); // the first: it is told again at each visit
    expect(browser.subscription).toBeNull();
    expect(browser.unregister).toHaveBeenCalled();
  });

  it('subscribes again by itself when the server has another key', async () => {
    browser.permission = 'granted';
    browser.makeSubscription(Uint8Array.of(9, 9, 9));
    await renderPath(PAGE);
    expect(await stop()).toBeInTheDocument();
    expect(browser.unsubscribe).toHaveBeenCalledTimes(1);
    expect(browser.subscribe).toHaveBeenCalledTimes(1);
    expect(told).toEqual([removed, added]);
  });

  it('keeps a subscription whose key the browser does not tell', async () => {
    browser.permission = 'granted';
    Object.assign(browser.makeSubscription(), { options: { applicationServerKey: null } });
    await renderPath(PAGE);
    expect(await stop()).toBeInTheDocument();
    expect(browser.subscribe).not.toHaveBeenCalled();
  });

  it('stays on when the server cannot be told to stop', async () => {
    browser.makeSubscription();
    server.use(http.delete('*/api/push/subscriptions', () => HttpResponse.error()));
    const { user } = await renderPath(PAGE);
    await user.click(await stop());
    await waitFor(() =>
      expect(screen.getAllByRole('alert')[0]).toHaveTextContent('We could not reach Tombola'),
    );
    expect(await stop()).toBeInTheDocument();
    expect(browser.unsubscribe).not.toHaveBeenCalled();
  });

  it('is off again where the server has no such subscription any more', async () => {
    browser.makeSubscription();
    server.use(refusing('/api/push/subscriptions', 403, { error: 'No.' }));
    await renderPath(PAGE);
    expect(await button()).toBeInTheDocument();
  });

  it('says what to do where the browser blocks messages', async () => {
    browser.permission = 'denied';
    await withoutButton();
    expect(screen.getByText(/Notifications are blocked for this site/)).toBeInTheDocument();
    expect(screen.queryByText(/can show you/)).toBeNull();
  });

  it('says so too when that is the answer', async () => {
    browser.answer = 'denied';
    const { user } = await renderPath(PAGE);
    await user.click(await button());
    expect(await screen.findByText(/Notifications are blocked for this site/)).toBeInTheDocument();
    expect(told).toEqual([]);
  });

  it('can be pressed again when the question was closed without an answer', async () => {
    browser.answer = 'default';
    const { user } = await renderPath(PAGE);
    await user.click(await button());
    await waitFor(() => expect(browser.requestPermission).toHaveBeenCalled());
    expect(await button()).toHaveAttribute('aria-disabled', 'false');
    expect(browser.subscribe).not.toHaveBeenCalled();
  });

  it('leaves nothing behind when the server refuses, and works again', async () => {
    server.use(http.post('*/api/push/subscriptions', () => HttpResponse.error(), { once: true }));
    const { user } = await renderPath(PAGE);
    await user.click(await button());
    expect(await screen.findByText(/We could not reach Tombola/)).toBeInTheDocument();
    expect(browser.subscription).toBeNull();
    await user.click(await button());
    expect(await stop()).toBeInTheDocument();
  });

  it('says when the push service of the browser fails', async () => {
    browser.subscribe.mockRejectedValueOnce(new DOMException('no', 'AbortError'));
    const { user } = await renderPath(PAGE);
    await user.click(await button());
    expect(
      await screen.findByText(/^Notifications don.t work in a private window/),
    ).toBeInTheDocument();
    expect(await button()).toBeInTheDocument();
    expect(told).toEqual([]);
  });

  it('is not there without keys on the server', async () => {
    server.use(http.get('*/api/push/key', () => HttpResponse.json({ publicKey: null })));
    await withoutButton();
  });

  it('is not there where the server cannot be asked', async () => {
    server.use(refusing('/api/push/key', 503, {}));
    await withoutButton();
  });

  it('is not there in a browser that cannot push', async () => {
    browser.remove();
    await withoutButton();
  });

  it('is not there in another browser than the one that entered', async () => {
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await withoutButton();
    expect(told).toEqual([]);
  });
});
