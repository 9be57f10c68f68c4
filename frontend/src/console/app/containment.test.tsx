import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aFunnel } from '../../testing/console/builders';
import { adminCall } from '../../testing/console/handlers';
import { renderAdmin } from '../../testing/console/renderConsole';
import { server } from '../../testing/server';
import { RootBoundary } from './RootBoundary';

const BROKEN = /Something went wrong in this part of the page/;
/** Not what the server ever says: rendering it throws. */
const brokenFunnel = adminCall('get', 'analytics/funnel', { funnel: {} });
const brokenHistory = adminCall('get', 'drawing/stats', { raffles: 7 });

const tab = (name: string) => screen.getByRole('tab', { name });

let log: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a tab that breaks', () => {
  async function openBroken() {
    server.use(brokenFunnel);
    const view = renderAdmin('?section=analytics&tab=conversion');
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    return view;
  }

  it('leaves the rest of its section, and is logged', async () => {
    await openBroken();
    expect(screen.getByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(screen.getByText(BROKEN).closest('[role=alert]')).toBeInTheDocument();
    expect(log).toHaveBeenCalled();
  });

  it('leaves the other tabs, and starts over when it is opened again', async () => {
    const { user } = await openBroken();
    await user.click(tab('Pages'));
    expect(await screen.findByRole('heading', { name: /Views and sign-ups/ })).toBeInTheDocument();
    expect(screen.queryByText(BROKEN)).not.toBeInTheDocument();
  });

  it('can be tried again, and keeps the focus', async () => {
    const { user } = await openBroken();
    server.use(adminCall('get', 'analytics/funnel', () => ({ funnel: aFunnel() })));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Total Sessions')).toBeInTheDocument();
    expect(screen.getByRole('tabpanel')).toHaveFocus();
  });
});

describe('a section that breaks', () => {
  it('leaves the menu and the other sections', async () => {
    server.use(brokenHistory);
    const { user } = renderAdmin('?section=drawing');
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Analytics' }));
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(screen.queryByText(BROKEN)).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Logout' })).toBeInTheDocument();
  });
});

describe('what breaks outside of the sections', () => {
  it('leaves a page that explains it, with a button to reload it', async () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { ...location, reload });
    const Broken = () => {
      throw new TypeError('x is not a function');
    };
    render(
      <RootBoundary>
        <Broken />
      </RootBoundary>,
    );
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }));
    expect(reload).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
