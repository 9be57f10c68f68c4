import type { ReactNode } from 'react';
import type { Difference } from './keep';

/** Its words are loaded only when there is something to say. */
export async function alertOf(difference: Difference | undefined): Promise<ReactNode> {
  if (!difference) return null;
  const { DifferentLog } = await import(/* webpackChunkName: "different-log" */ './DifferentLog');
  return <DifferentLog {...difference} />;
}
