import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aVerification,
  codeInput,
  CODE,
  turnCodesOn,
  watching,
  withCodes,
} from '../../../testing/site/codes';
import { enterWith, phoneInput, renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';

const NUMBER = '(555) 123-4567';
const UNDELIVERABLE = 'We could not text this number. Is it a mobile phone?';
const ADDRESS = `/api/users/verify/${aVerification().id}`;
const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
const later = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
const stepTitle = () => screen.findByRole('heading', { level: 2, name: 'Enter your code' });
const alertText = (text: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
const look = (isHidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

let asked: string[];
beforeEach(() => {
  asked = [];
  vi.useFakeTimers({ shouldAdvanceTime: true });
  sessionStorage.clear();
  turnCodesOn();
  server.use(...withCodes([]));
  server.use(watching({}, asked));
});
afterEach(() => {
  document.head.replaceChildren();
  vi.useRealTimers();
});

async function openStep() {
  const page = await renderPath('/garden-bag');
  await enterWith(user, NUMBER);
  await stepTitle();
  return page;
}

describe('a number that cannot be texted', () => {
  it('is named once the provider has said so, and can be changed', async () => {
    server.use(watching({ undeliverable: true }, asked));
    await openStep();
    await later(3);
    expect(await screen.findByText(UNDELIVERABLE)).toHaveAttribute('role', 'alert');
    expect(screen.queryByText(/^We texted/)).not.toBeInTheDocument();
    expect(screen.getByText(NUMBER)).toBeVisible();
    expect(codeInput()).toHaveAccessibleDescription(`${NUMBER} ${UNDELIVERABLE}`);
    await later(60);
    expect(asked).toEqual([ADDRESS]); // it was said for good
    await user.click(screen.getByRole('button', { name: 'Change number' }));
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(screen.queryByText(UNDELIVERABLE)).not.toBeInTheDocument();
  });

  it('is named still after a reload', async () => {
    server.use(watching({ undeliverable: true }));
    const { unmount } = await openStep();
    await later(3);
    await screen.findByText(UNDELIVERABLE);
    unmount();
    await renderPath('/garden-bag');
    expect(await screen.findByText(UNDELIVERABLE)).toBeVisible();
  });

  it('is not believed so of another text', async () => {
    server.use(...withCodes([], { resendAfter: 0 }));
    server.use(watching({ undeliverable: true }));
    await openStep();
    await later(3);
    await screen.findByText(UNDELIVERABLE);
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    expect(await screen.findByText(/^We texted a 6-digit code to/)).toBeVisible();
    expect(screen.queryByText(UNDELIVERABLE)).not.toBeInTheDocument();
  });
});

describe('the server is asked how the text fared', () => {
  it('a few times, and no more', async () => {
    await openStep();
    await later(3);
    await waitFor(() => expect(asked).toHaveLength(1));
    await later(60);
    expect(asked).toHaveLength(4);
    await later(300);
    expect(asked).toHaveLength(4);
  });

  it('when the tab is looked at again, and not while nobody looks', async () => {
    await openStep();
    look(true);
    await later(60);
    expect(asked).toEqual([]);
    look(false);
    await waitFor(() => expect(asked).toEqual([ADDRESS]));
  });

  it('never twice at a time', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    server.use(
      http.get('*/api/users/verify/:id', async () => {
        asked.push('');
        await released;
        return HttpResponse.json({ verification: aVerification() });
      }),
    );
    await openStep();
    await later(3);
    await waitFor(() => expect(asked).toHaveLength(1));
    await later(6);
    look(false);
    expect(asked).toHaveLength(1);
    release();
  });

  it('no more once the step is left', async () => {
    await openStep();
    await user.click(screen.getByRole('button', { name: 'Change number' }));
    await later(60);
    look(false);
    expect(asked).toEqual([]);
  });

  it('silently: what fails says nothing', async () => {
    let fails = 0;
    server.use(
      http.get('*/api/users/verify/:id', () => {
        fails += 1;
        return fails === 1 ? HttpResponse.error() : new HttpResponse('', { status: 503 });
      }),
    );
    await openStep();
    await later(60);
    await waitFor(() => expect(fails).toBe(4));
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(screen.getByText(/^We texted a 6-digit code to/)).toBeVisible();
  });

  it.each([
    [410, 'verification_expired', /^This code no longer works/],
    [409, 'verification_used', /^This code was used already/],
  ])('and %i leads back to the number', async (status, code, words) => {
    server.use(refusing(ADDRESS, status, { error: 'No.', code }));
    await openStep();
    look(false);
    await alertText(words);
    expect(phoneInput()).toHaveValue(NUMBER);
  });

  it('but not while a lost answer may have been the one that enters', async () => {
    server.use(http.post('*/api/users/verify', () => HttpResponse.error(), { once: true }));
    server.use(refusing(ADDRESS, 409, { error: 'Used.', code: 'verification_used' }));
    await openStep();
    await user.type(codeInput(), CODE);
    await alertText(/could not reach Tombola/);
    look(false);
    await later(60);
    expect(codeInput()).toHaveValue(CODE);
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    await screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
  });
});
