import { screen, within } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endListenersWithTheTest } from '../../../testing/listeners';
import { privacy } from '../../../themes/legal';
import { startAds } from './ads';
import { openPixelFrame, type PixelMessage } from './pixelFrame';
import type { EventName } from './tracking';
import { newUser } from '../../../testing/newUser';

vi.mock('./pixelFrame'); // the frame itself is for a real browser: e2e/tracking.spec.ts

const user = newUser();
const tell = vi.fn<(message: PixelMessage) => void>();
const remove = vi.fn();

endListenersWithTheTest();

beforeEach(() => {
  localStorage.clear();
  document.body.innerHTML = '<main id="main" tabindex="-1"></main>';
  tell.mockReset();
  remove.mockReset();
  vi.mocked(openPixelFrame).mockReset().mockResolvedValue({ tell, remove });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'globalPrivacyControl');
});

const start = (measures = true) =>
  startAds({ pixelId: '123456', frameScript: '/assets/pixel.js', measures });
const bar = () => screen.queryByRole('region', { name: 'Ads' });
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const told = () => vi.waitFor(() => expect(tell).toHaveBeenCalled());

describe('the question about ads', () => {
  it('is asked, with two answers that look the same, and nothing is loaded meanwhile', () => {
    const listener = start();
    listener('page_view');
    listener('sign_up', 'abc123abc123');
    const buttons = within(bar()!).getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Decline', 'Accept']);
    expect(new Set(buttons.map(({ className }) => className)).size).toBe(1);
    expect(within(bar()!).getByRole('link')).toHaveAttribute('href', '/privacy#ads');
    expect(openPixelFrame).not.toHaveBeenCalled();
  });

  const saidOf: Record<EventName, string> = {
    page_view: 'visits a page',
    sms_click: 'opens a link from our texts',
    sign_up: 'enters, ',
    lead_capture: 'agrees to our texts',
    referral_share: 'shares a link',
    packages_shown: 'sees or buys entry packages',
    purchase: 'buys entry packages',
  };
  it.each(Object.entries(saidOf))(
    'says as the privacy policy does that a %s is reported',
    (_, words) => {
      start();
      expect(bar()).toHaveTextContent(words);
      expect(JSON.stringify(privacy)).toContain(words);
    },
  );

  it('when accepted opens the pixel, reports this page, and is not asked again', async () => {
    start()('sign_up', 'abc123abc123'); // before the answer: never reported
    await press('Accept');
    expect(openPixelFrame).toHaveBeenCalledWith('123456', '/assets/pixel.js');
    expect(bar()).toBeNull();
    expect(document.getElementById('main')).toHaveFocus();
    await told();
    expect(tell.mock.calls).toEqual([[{ track: 'PageView' }]]);
    start();
    expect(bar()).toBeNull();
    expect(openPixelFrame).toHaveBeenCalledTimes(2);
  });

  it('when declined loads nothing, and is not asked again', async () => {
    start();
    await press('Decline');
    expect(bar()).toBeNull();
    start()('page_view');
    expect(bar()).toBeNull();
    expect(openPixelFrame).not.toHaveBeenCalled();
  });

  it('is answered for every tab', async () => {
    start();
    localStorage.setItem('tombola.ads', 'accepted');
    dispatchEvent(new StorageEvent('storage', { key: 'tombola.ads' }));
    expect(bar()).toBeNull();
    expect(openPixelFrame).toHaveBeenCalledTimes(1);
    localStorage.setItem('tombola.ads', 'declined');
    dispatchEvent(new StorageEvent('storage', { key: 'tombola.ads' }));
    await vi.waitFor(() => expect(remove).toHaveBeenCalled());
  });

  it('is not asked where the browser asks not to be tracked, whatever was answered before', () => {
    Object.assign(navigator, { globalPrivacyControl: true });
    localStorage.setItem('tombola.ads', 'accepted');
    start()('page_view');
    expect(bar()).toBeNull();
    expect(openPixelFrame).not.toHaveBeenCalled();
  });

  it('is not asked where the answer could not be kept', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    start();
    expect(bar()).toBeNull();
    expect(openPixelFrame).not.toHaveBeenCalled();
  });
});

describe('the pixel', () => {
  beforeEach(() => localStorage.setItem('tombola.ads', 'accepted'));

  it.each([
    ['page_view', 'PageView'],
    ['sign_up', 'CompleteRegistration'],
    ['referral_share', 'Lead'],
    ['lead_capture', 'Lead'],
    ['packages_shown', 'ViewContent'],
    ['purchase', 'Purchase'],
  ] as const)('calls a %s %s', async (kind, name) => {
    start()(kind, 'abc123abc123');
    await told();
    expect(tell.mock.calls).toEqual([[{ track: name, eventId: 'abc123abc123' }]]);
  });

  it('hears of a click in a text by a name of ours', async () => {
    start()('sms_click');
    await told();
    expect(tell.mock.calls).toEqual([[{ trackCustom: 'SmsClick' }]]);
  });

  it('that does not load is only logged', async () => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => {});
    vi.mocked(openPixelFrame).mockRejectedValue(new Error('404'));
    start()('page_view');
    await vi.waitFor(() => expect(log).toHaveBeenCalled());
    expect(tell).not.toHaveBeenCalled();
  });
});

describe('the answer on the privacy page', () => {
  beforeEach(() => {
    document.body.innerHTML =
      '<main id="main"><div data-ads-choice><p role="status" tabindex="-1">Nothing</p><div></div></div></main>';
  });
  const state = () => screen.getByRole('status').textContent;
  const offered = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);

  it('can be given, taken back and given again, without loading the pixel here', async () => {
    start(false);
    expect(state()).toContain('not chosen yet');
    expect(offered()).toEqual(['Decline', 'Accept']);
    await press('Accept');
    expect(state()).toContain('You accepted');
    expect(screen.getByRole('status')).toHaveFocus();
    expect(offered()).toEqual(['Withdraw consent']);
    expect(localStorage.getItem('tombola.ads')).toBe('accepted');
    await press('Withdraw consent');
    expect(state()).toContain('You declined');
    expect(offered()).toEqual(['Accept']);
    expect(localStorage.getItem('tombola.ads')).toBe('declined');
    expect(bar()).toBeNull();
    expect(openPixelFrame).not.toHaveBeenCalled();
  });

  it('is a no where the browser asks not to be tracked', () => {
    Object.assign(navigator, { globalPrivacyControl: true });
    start(false);
    expect(state()).toContain('We take that as a no');
    expect(offered()).toEqual([]);
  });
});
