import { render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import { App } from '../../site/app/App';
import { loadScreen } from '../../site/app/screen';
import type { Raffle } from '../../themes';
import { newUser, type User } from '../newUser';
import { raffleOf, raffles, writeNames, writePageRaffle } from './raffles';

/** The whole client at a path, as a browser shows it once it runs; of the raffle that the path names, unless of another. */
export async function renderPath(path: string, raffle?: Raffle, named?: Raffle[]) {
  history.replaceState(null, '', path);
  // As the server does: a page that names no raffle is of the default one.
  const key = location.pathname.split('/')[1] ?? '';
  writePageRaffle(raffle ?? raffles[key] ?? raffleOf('garden-bag'));
  writeNames(named);
  const first = await loadScreen(location.pathname);
  if (!first) throw new Error(`no page at ${path}`);
  const leave = vi.fn<(path: string) => void>();
  const user = newUser();
  const view = render(<App screen={first} scene="" leave={leave} />);
  return { user, leave, ...view };
}

export const phoneInput = () => screen.getByLabelText<HTMLInputElement>('Phone number');

/** The one button of the form, whatever it says at the moment. */
export const enterButton = () => screen.getByRole('button', { name: /^Enter Free|^Entering/ });

export async function enterWith(user: User, phone: string) {
  await user.type(phoneInput(), phone);
  await user.click(enterButton());
}
