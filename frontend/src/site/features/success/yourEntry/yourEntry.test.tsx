import { screen, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/site/builders';
import { renderPath } from '../../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../../testing/server';

const PAGE = '/garden-bag/success/7/your-entry';

const title = () => screen.getByRole('heading', { level: 1, name: 'Your entry and your data' });
const day = () => screen.findByRole('region', { name: 'The next drawing' });
const calendarButton = { name: 'Add the drawing to your calendar' };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the link on the success page', () => {
  it.each([
    ['/garden-bag/success/7', '/garden-bag/success/7/your-entry'],
    ['/success/7', '/success/7/your-entry'],
  ])('of %s leads to %s', async (page, path) => {
    await renderPath(page);
    const link = await screen.findByRole('link', { name: 'Your entry and your data' });
    expect(link).toHaveAttribute('href', path);
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    expect(screen.queryByText('Your data')).not.toBeInTheDocument();
  });

  it('is not there in another browser', async () => {
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await renderPath('/success/7');
    expect(await screen.findByText(/^No referrals yet/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Your entry and your data' })).toBeNull();
  });
});

describe('the screen behind the success page', () => {
  it('starts at its title, names the number, and leads back', async () => {
    await renderPath(PAGE);
    expect(title()).toHaveFocus();
    expect(await screen.findByText(/^Entered with/)).toHaveTextContent('(555)');
    expect(await screen.findByRole('link', { name: 'Back to your entries' })).toHaveAttribute(
      'href',
      '/garden-bag/success/7',
    );
  });

  it('shows its parts at once, in their order', async () => {
    await renderPath('/success/7/your-entry');
    await day();
    const parts = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent);
    expect(parts).toEqual(['The next drawing', 'Texts about raffles', 'Your data']);
  });

  it('says that it loads', async () => {
    server.use(http.get('*/api/users/:id*', () => delay('infinite')));
    await renderPath(PAGE);
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    expect(title()).toBeInTheDocument();
  });

  it('says elsewhere how to get there, and has the drawing all the same', async () => {
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await renderPath(PAGE);
    expect(await screen.findByText(/^Only the browser that you entered with/)).toBeInTheDocument();
    expect(within(await day()).getByRole('button', calendarButton)).toBeInTheDocument();
    expect(screen.queryByText('Texts about raffles')).not.toBeInTheDocument();
  });

  it('of an entry that nobody has says so', async () => {
    server.use(refusing('/api/users/:id', 404, { error: 'Not found', code: 'not_found' }));
    await renderPath(PAGE);
    expect(await screen.findByText('We cannot find this entry')).toBeInTheDocument();
  });

  it('says that the server is busy, and tries again when asked', async () => {
    server.use(refusing('/api/users/:id', 503, { error: 'Away' }));
    const { user } = await renderPath(PAGE);
    await screen.findByRole('alert');
    server.use(...entrant({}));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await day()).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the drawing in a calendar', () => {
  it('is a file for the coming month, and says where it is', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-23T15:00:00Z'), toFake: ['Date'] });
    const blobs: Blob[] = [];
    URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob)}`; // jsdom has none
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
    const { user } = await renderPath(PAGE);
    await user.click(within(await day()).getByRole('button', calendarButton));
    expect(await within(await day()).findByRole('status')).toHaveTextContent(/downloads/);
    expect(clicked.mock.contexts[0]).toMatchObject({ download: 'drawing-2026-12-01.ics' });
    const file = await blobs[0]?.text();
    expect(blobs[0]?.type).toBe('text/calendar;charset=utf-8');
    expect(file).toContain('\r\nDTSTART:20261201T170000Z\r\n');
    expect(file).toContain('\r\nSUMMARY:Tombola: drawing of the Garden Bag Essentials\r\n');
    expect(file).toContain(`\r\nURL:${location.origin}/drawings\r\n`);
    Reflect.deleteProperty(URL, 'createObjectURL');
  });
});
