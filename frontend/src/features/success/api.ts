export {
  useFindQuery as useGetUserQuery,
  useReferralsQuery as useListReferralsQuery,
  useStatsQuery as useGetUserStatsQuery,
  type ReferralView as Referral,
  type StatsView as UserStats,
  type UserView as User,
} from '../../shared/api/generated';
