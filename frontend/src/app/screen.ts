import type { ComponentType } from 'react';
import type { SuccessPageProps } from '../features/success/SuccessPage';
import { matchPath, type Match, type Route } from './routes';

type Of<Page extends Route['page']> = Match & { route: Extract<Route, { page: Page }> };

/** A matched route with the code to show it. */
export type Screen =
  | ({ page: 'sign-up' } & Of<'sign-up'>)
  | ({ page: 'success'; SuccessPage: ComponentType<SuccessPageProps> } & Of<'success'>);

/** The success screens are a file of their own: people who sign up do not wait for it. */
export const loadSuccessPage = () =>
  import(/* webpackChunkName: "success" */ '../features/success/SuccessPage').then(
    (file) => file.default,
  );

/** Nothing for a path whose page needs no code. */
export async function loadScreen(path: string): Promise<Screen | undefined> {
  const match = matchPath(path);
  if (!match) return undefined;
  const { route, params } = match;
  if (route.page === 'sign-up') return { page: 'sign-up', route, params };
  return { page: 'success', route, params, SuccessPage: await loadSuccessPage() };
}
