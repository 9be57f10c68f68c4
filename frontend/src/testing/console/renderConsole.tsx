import { setupListeners } from '@reduxjs/toolkit/query';
import { render, screen, within } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { AdminApp } from '../../console/app/AdminApp';
import { keepSession, TOKEN_KEY } from '../../console/app/keepSession';
import { makeAdminStore } from '../../console/app/store';
import { TOKEN } from './handlers';
import { newUser } from '../newUser';

/** The console at an address, signed in unless told otherwise. */
export function renderAdmin(search = '', { token = TOKEN }: { token?: string | null } = {}) {
  history.replaceState(null, '', `/admin${search}`);
  localStorage.clear();
  if (token) localStorage.setItem(TOKEN_KEY, token);
  const store = makeAdminStore();
  onTestFinished(keepSession(store));
  onTestFinished(setupListeners(store.dispatch));
  const user = newUser();
  return { user, store, ...render(<AdminApp store={store} />) };
}

export const storedToken = () => localStorage.getItem(TOKEN_KEY);

export const part = (name: string) => screen.findByRole('region', { name });

/** The seen toast; Radix says its text a second time for screen readers. */
export const toast = async () =>
  within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('listitem');

/** The value beside a label in one of the figures. */
export async function figure(label: string): Promise<string | null | undefined> {
  const term = await screen.findByText(label, { selector: 'dt' });
  return term.closest('div')?.querySelector('.figure-value')?.textContent;
}

/** What the rows of a table say, cell by cell. */
export function rowsOf(table: HTMLElement): (string | null | undefined)[][] {
  const [, ...rows] = within(table).getAllByRole('row');
  return rows.map((row) => {
    const cells = [...row.querySelectorAll('th, td')];
    return cells.map((cell) => (cell.querySelector('.cell-value') ?? cell).textContent);
  });
}
