import { api as generated } from '../../api/generated';

generated.enhanceEndpoints({
  endpoints: {
    changeConsent: {
      // The answer is what would be read next.
      async onQueryStarted({ id }, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer)
          void dispatch(generated.util.upsertQueryData('getConsent', { id }, answer.data));
      },
    },
    addAppeal: {
      // The answer is what would be read next.
      async onQueryStarted({ id }, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) void dispatch(generated.util.upsertQueryData('getAppeal', { id }, answer.data));
      },
    },
  },
});

export {
  useAddAppealMutation,
  useChangeConsentMutation,
  useGetAppealQuery,
  useGetConsentQuery,
  useGetShareProgressQuery,
  useGetUserQuery,
  useGetUserStatsQuery,
  useListReferralsQuery,
  type OwnAppealView as OwnAppeal,
  type OwnDrawingView as OwnDrawing,
  type ReferralView as Referral,
  type ShareProgressView as ShareProgress,
  type StandingView as Standing,
  type StatsView as UserStats,
  type UserView as User,
} from '../../api/generated';
