import { baseApi } from '../../../api/baseApi';

/** What became of an entrant's shares. They give no entries: friends who join do. */
export interface ShareProgress {
  platformsShared: string[];
  totalShares: number;
  /** In days, up to the last share. */
  shareStreak: number;
  /** `2026-11-21` where the site is. */
  lastShareDate: string | null;
  achievements: string[];
  bonusEntries: number;
  level: number;
  xp: number;
}

const api = baseApi.injectEndpoints({
  endpoints: (build) => ({
    getShareProgress: build.query<ShareProgress, { id: number }>({
      query: ({ id }) => ({ url: `/api/users/${id}/share-progress` }),
    }),
  }),
});

export const { useGetShareProgressQuery } = api;
