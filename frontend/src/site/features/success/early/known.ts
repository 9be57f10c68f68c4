import { api } from '../../../api/generated';
import type { Figures } from '../../../lib/early';

/** Tells the store what the page shows already. */
export const known = ({ user, stats }: Figures) =>
  api.util.upsertQueryEntries([
    { endpointName: 'getUser', arg: { id: user.id }, value: user },
    { endpointName: 'getUserStats', arg: { id: user.id }, value: stats },
  ]);
