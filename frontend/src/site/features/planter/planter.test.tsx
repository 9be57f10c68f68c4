import { render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { endListenersWithTheTest } from '../../../testing/listeners';
import { never } from '../../../testing/console/handlers';
import { refusing, server } from '../../../testing/server';
import { planters, raffleOf, raffles } from '../../../testing/site/raffles';
import { forgetYourPage } from '../../lib/yourPage';
import { startPlanter } from './click';
import { PlanterPage } from './PlanterPage';
import { newUser } from '../../../testing/newUser';

const ID = 'kitchen-preview2345';

interface Call {
  headers: Headers;
  body: Record<string, unknown>;
}

let calls: Call[];
let log: MockInstance<typeof console.debug>;

endListenersWithTheTest();

beforeEach(() => {
  calls = [];
  sessionStorage.clear();
  delete window.tracked;
  window.trackingHeaders = { 'X-Analytics-Session': 'a-session' };
  log = vi.spyOn(console, 'debug').mockImplementation(() => {});
  see('visible');
  answering(true);
  return () => {
    delete window.trackingHeaders;
    log.mockRestore();
  };
});

function see(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

function answering(isEntrant: boolean) {
  server.use(
    http.post('*/api/sms/track-click', async ({ request }) => {
      calls.push({ headers: request.headers, body: (await request.json()) as Call['body'] });
      return HttpResponse.json({ success: true, landingPage: 'kitchen-garden', isEntrant });
    }),
  );
}

/** The page as it was prerendered, with its script. */
function open(raffle = 'kitchen-garden', trackingId = ID, reports = true) {
  const view = render(
    <PlanterPage raffle={raffleOf(raffle)} scene="" planter={planters[raffle]!} />,
  );
  const button = view.container.querySelector<HTMLAnchorElement>('.entry a.button')!;
  button.addEventListener('click', (event) => event.preventDefault()); // jsdom goes nowhere
  startPlanter(trackingId, { reports });
  return { ...view, button };
}

const state = () => document.querySelector<HTMLElement>('[data-entry]')?.dataset.entry;
const shows = (expected: string) => waitFor(() => expect(state()).toBe(expected));
const told = () => (window.tracked ?? []) as unknown as { kind: string }[];

describe("the page behind a text's link", () => {
  it.each(Object.keys(raffles))('of %s says what can be won', (raffle) => {
    open(raffle);
    const { thanks, prizes, totalValue, drawing } = planters[raffle]!;
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(thanks);
    expect(thanks).toMatch(/^Thank you/);
    for (const { item } of prizes) expect(screen.getByText(item)).toBeInTheDocument();
    expect(screen.getAllByText(totalValue)).toHaveLength(2);
    expect(screen.getByText(new RegExp(`^${drawing!.words}, 20\\d\\d$`))).toBeInTheDocument();
    expect(screen.getByText('Good Luck!')).toBeInTheDocument();
    for (const name of ['Winner contacted by phone', 'Free shipping', 'Must be 18+']) {
      expect(screen.getByRole('heading', { name })).toBeInTheDocument();
    }
  });

  it('of a raffle without a package shows the date of its next drawing', () => {
    const { kit, ...raffle } = raffleOf('fresh-sips');
    const planter = { ...planters['fresh-sips']!, prizes: kit, drawing: undefined };
    render(<PlanterPage raffle={{ kit, ...raffle }} scene="" planter={planter} />);
    startPlanter(ID, { reports: false });
    expect(screen.getByText(/^\w+ 1st, 20\d\d$/)).toBeInTheDocument();
    expect(document.querySelector('[data-yearly]')).toBeNull();
    expect(screen.queryByText(/example/)).not.toBeInTheDocument();
  });

  it('confirms the entry of somebody who is in', async () => {
    const { button } = open();
    expect(state()).toBe('asked');
    await shows('in');
    expect(screen.getByText('Your entry is confirmed').closest('.if-in')).not.toBeNull();
    expect(button).toHaveAttribute('href', '/kitchen-garden');
  });

  it('leads who entered in this browser to their own page', async () => {
    document.cookie = 'your_page=/fresh-sips/success/42; Path=/';
    const { button } = open();
    await shows('in');
    expect(button).toHaveAttribute('href', '/fresh-sips/success/42');
    forgetYourPage();
  });

  it('offers everybody else to enter', async () => {
    answering(false);
    const { button } = open('fresh-sips', 'fresh-preview2345');
    await shows('out');
    expect(screen.getByText('Enter the raffle free').closest('.if-out')).not.toBeNull();
    expect(button).toHaveAttribute('href', '/fresh-sips');
  });
});

describe('the click', () => {
  it('is reported by itself, with the session', async () => {
    open();
    await shows('in');
    expect(calls.map(({ body }) => body)).toEqual([{ trackingId: ID }]);
    expect(calls[0]?.headers.get('X-Analytics-Session')).toBe('a-session');
    expect(told()).toEqual([{ kind: 'sms_click' }]);
  });

  it('of a link that no text can have is not reported, and entering is offered', async () => {
    const asked = vi.spyOn(globalThis, 'fetch');
    const { button } = open('garden-bag', 'a%20b');
    expect(state()).toBe('out');
    await newUser().click(button);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it('of people who opted out of tracking is not reported, nor is their button', async () => {
    const asked = vi.spyOn(globalThis, 'fetch');
    const { button } = open('kitchen-garden', ID, false);
    expect(state()).toBe('out');
    await newUser().click(button);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(told()).toEqual([]);
  });

  it('is reported also where tracking could not be loaded', async () => {
    delete window.trackingHeaders;
    open();
    await shows('in');
    expect(calls[0]?.headers.get('X-Analytics-Session')).toBeNull();
  });

  it.each([
    [true, 'in'],
    [false, 'out'],
  ])('is reported once in a visit; after a reload the page says the same', async (known, shown) => {
    answering(known);
    open().unmount();
    await waitFor(() => expect(told()).toHaveLength(1));
    open();
    await shows(shown);
    expect(calls).toHaveLength(1);
    expect(told()).toHaveLength(1);
  });

  it('of another text is another one', async () => {
    open().unmount();
    await waitFor(() => expect(told()).toHaveLength(1));
    open('garden-bag', 'garden-preview2345');
    await shows('in');
    expect(calls.map(({ body }) => body.trackingId)).toEqual([ID, 'garden-preview2345']);
  });

  it('counts when somebody sees the page', async () => {
    see('hidden');
    open();
    expect(state()).toBe('asked');
    see('visible');
    await shows('in');
    expect(calls).toHaveLength(1);
  });

  it('keeps the page useful while the answer is on its way', () => {
    server.use(http.post('*/api/sms/track-click', never));
    const { button } = open();
    expect(state()).toBe('asked');
    expect(button).toHaveAttribute('href', '/kitchen-garden');
  });

  it.each([
    [404, { error: 'No such link', code: 'unknown_tracking_id' }],
    [503, { error: 'Away', code: 'unavailable' }],
  ])('that is answered with %i is only logged, and tried again the next time', async (...no) => {
    server.use(refusing('/api/sms/track-click', ...no));
    open().unmount();
    await waitFor(() => expect(log).toHaveBeenCalled());
    expect(told()).toEqual([]);
    answering(true);
    open();
    await shows('in');
  });

  it('that reached nobody is only logged, and entering is offered', async () => {
    server.use(http.post('*/api/sms/track-click', () => HttpResponse.error()));
    open();
    await shows('out');
    expect(log).toHaveBeenCalled();
  });
});

describe('the button to the raffle', () => {
  it('is reported too, once', async () => {
    const user = newUser();
    const { button } = open();
    await shows('in');
    await user.dblClick(button);
    await waitFor(() => expect(calls).toHaveLength(2));
    await user.click(button);
    expect(calls.map(({ body }) => body)).toEqual([
      { trackingId: ID },
      { trackingId: ID, cta: true },
    ]);
  });

  it('leads on also when that failed', async () => {
    const user = newUser();
    server.use(http.post('*/api/sms/track-click', () => HttpResponse.error()));
    const { button } = open();
    await shows('out');
    log.mockClear();
    await user.click(button);
    await waitFor(() => expect(log).toHaveBeenCalled());
  });
});
