import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { fourRaffles } from '../../testing/console/builders';
import { adminCall, held, TOKEN, unauthorized } from '../../testing/console/handlers';
import { renderAdmin, storedToken, toast } from '../../testing/console/renderConsole';
import { server } from '../../testing/server';
import { TOKEN_KEY } from './keepSession';

const dashboard = () => screen.findByRole('heading', { name: 'Admin Dashboard' });
const tab = (name: string) => screen.getByRole('tab', { name });

/** What the browser tells this tab when another one has changed the storage. */
function changedElsewhere(newValue: string | null) {
  if (newValue) localStorage.setItem(TOKEN_KEY, newValue);
  else localStorage.removeItem(TOKEN_KEY);
  act(() => void dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue })));
}

describe('the names of raffles', () => {
  it('come from the server before a screen is shown', async () => {
    const { answered, release } = held();
    server.use(
      adminCall('get', 'raffles', async () => {
        await answered;
        const raffles = fourRaffles({
          'garden-bag': { name: 'Bigger Bag' },
          'fresh-sips': { name: '' },
        });
        return { schedule: 'manual', beacon: 'off', delaySeconds: 120, raffles };
      }),
    );
    renderAdmin('?tab=conversion');
    expect(await screen.findByRole('button', { name: 'Logout' })).toBeVisible();
    expect(screen.queryByLabelText('Landing page')).not.toBeInTheDocument();
    release();
    const select = await screen.findByLabelText('Landing page');
    const [, first, second] = within(select).getAllByRole('option');
    expect(first).toHaveTextContent('Bigger Bag');
    expect(second).toHaveTextContent('fresh-sips'); // a draft may have no name
  });
});

describe('the console', () => {
  it('has its sections in a menu, each an address of its own', async () => {
    renderAdmin();
    await dashboard();
    const menu = screen.getByRole('navigation', { name: 'Sections' });
    const analytics = within(menu).getByRole('link', { name: 'Analytics' });
    expect(analytics).toHaveAttribute('aria-current', 'page');
    expect(analytics).toHaveAttribute('href', '/admin?section=analytics');
    expect(document.title).toBe('Analytics | Tombola Admin');
  });

  it('opens the tab that the address names, and goes back', async () => {
    const { user } = renderAdmin('?section=analytics&tab=conversion');
    await dashboard();
    expect(tab('Conversion')).toHaveAttribute('aria-selected', 'true');
    await user.click(tab('Funnel'));
    expect(location.search).toBe('?section=analytics&tab=funnel');
    expect(await screen.findByRole('heading', { name: 'Top Referrers' })).toBeInTheDocument();
    act(() => history.back());
    await waitFor(() => expect(tab('Conversion')).toHaveAttribute('aria-selected', 'true'));
  });

  it('says in its settings which version of the server answers', async () => {
    renderAdmin('?section=settings');
    expect(await screen.findByText('Tombola 1.2.3')).toBeInTheDocument();
  });

  it('shows the first tab for a name that it does not know', async () => {
    renderAdmin('?section=nothing&tab=nothing');
    await dashboard();
    expect(tab('Pages')).toHaveAttribute('aria-selected', 'true');
  });

  it('moves between tabs with the arrows and opens one with Enter', async () => {
    const { user } = renderAdmin();
    await dashboard();
    act(() => tab('Pages').focus());
    await user.keyboard('{ArrowRight}');
    expect(tab('Conversion')).toHaveFocus();
    expect(tab('Pages')).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{Enter}');
    expect(tab('Conversion')).toHaveAttribute('aria-selected', 'true');
  });

  it('lets people skip the menu', async () => {
    renderAdmin();
    await dashboard();
    const skip = screen.getByRole('link', { name: 'Skip to content' });
    expect(skip).toHaveAttribute('href', '#main');
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main');
  });
});

describe('leaving', () => {
  it('ends the session on the server and here', async () => {
    const left: string[] = [];
    server.use(
      adminCall('post', 'logout', (request) => {
        left.push(request.headers.get('Authorization') ?? '');
        return { success: true };
      }),
    );
    const { user } = renderAdmin();
    await dashboard();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByLabelText('Username')).toBeInTheDocument();
    expect(await toast()).toHaveTextContent('Logged out successfully');
    expect(left).toEqual([`Bearer ${TOKEN}`]);
    expect(storedToken()).toBeNull();
    expect(screen.queryByText(/session has ended/)).not.toBeInTheDocument();
  });

  it('works without the server too, and says what that means', async () => {
    server.use(http.post('*/api/admin/logout', () => HttpResponse.error()));
    const { user } = renderAdmin();
    await dashboard();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await toast()).toHaveTextContent('Logged out on this device');
    expect(storedToken()).toBeNull();
  });

  it('happens automatically when the server no longer accepts the session', async () => {
    const { user } = renderAdmin();
    await dashboard();
    server.use(http.get('*/api/admin/analytics/*', () => unauthorized()));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(
      await screen.findByText('Your session has ended. Please log in again.'),
    ).toBeInTheDocument();
    expect(storedToken()).toBeNull();
  });
});

describe('two tabs', () => {
  it('sign out together', async () => {
    renderAdmin();
    await dashboard();
    changedElsewhere(null);
    expect(await screen.findByText('You were logged out in another tab.')).toBeInTheDocument();
  });

  it('sign in together', async () => {
    renderAdmin('', { token: null });
    await screen.findByLabelText('Username');
    changedElsewhere(TOKEN);
    await dashboard();
    expect(storedToken()).toBe(TOKEN);
  });

  it('do not mind what else is stored', async () => {
    renderAdmin();
    await dashboard();
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'else', newValue: null })));
    await dashboard();
  });
});

describe("a section's file", () => {
  it('can be loaded again after a failure', async () => {
    // The console must stay: only the part that failed to load shows an error.
    const { loadable } = await import('../ui/loadable');
    const { render } = await import('@testing-library/react');
    const chunkLoadError = Object.assign(new Error('Loading failed'), { name: 'ChunkLoadError' });
    let tries = 0;
    const Screen = loadable(() => {
      tries += 1;
      if (tries === 1) return Promise.reject(chunkLoadError);
      return Promise.resolve(() => <p>Here</p>);
    });
    render(<Screen />);
    expect(await screen.findByText(/out of date or did not finish loading/)).toBeInTheDocument();
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Here')).toBeInTheDocument();
    expect(tries).toBe(2);
  });
});
