import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aDashboard } from '../../testing/console/builders';
import { adminCall } from '../../testing/console/handlers';
import { renderAdmin } from '../../testing/console/renderConsole';
import { server } from '../../testing/server';
import { admin } from '../api/admin';
import { REFRESH_MS } from '../lib/polled';

/** Whether each request for the dashboard said that nobody asked for it. */
const marks: (string | null)[] = [];

beforeEach(() => {
  marks.length = 0;
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(
    adminCall('get', 'analytics/dashboard', (request) => {
      marks.push(request.headers.get('X-Console-Polling'));
      return aDashboard();
    }),
  );
});
afterEach(() => vi.useRealTimers());

async function opened() {
  const view = renderAdmin();
  await screen.findByText('Total Users');
  await waitFor(() => expect(marks).toEqual([null]));
  return view;
}

const asked = (count: number) => waitFor(() => expect(marks).toHaveLength(count));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("a request of the console's own timer", () => {
  it('says so, each time', async () => {
    await opened();
    await pass(REFRESH_MS);
    await asked(2);
    await pass(REFRESH_MS);
    await asked(3);
    expect(marks).toEqual([null, '1', '1']);
  });

  it('is told from those of a person', async () => {
    const { store } = await opened();
    await pass(REFRESH_MS);
    await asked(2);
    act(() => screen.getByRole('button', { name: 'Refresh' }).click());
    await asked(3);
    // As after a change, which makes answers stale.
    act(() => void store.dispatch(admin.util.invalidateTags(['Dashboard'])));
    await asked(4);
    await pass(REFRESH_MS);
    await asked(5);
    expect(marks).toEqual([null, '1', null, null, '1']);
  });

  it('is told from those of somebody who comes back to the page', async () => {
    await opened();
    act(() => void dispatchEvent(new Event('focus')));
    await asked(2);
    expect(marks).toEqual([null, null]);
  });
});
