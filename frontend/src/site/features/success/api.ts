export {
  useGetUserQuery,
  useGetUserStatsQuery,
  useListReferralsQuery,
  type ReferralView as Referral,
  type StatsView as UserStats,
  type UserView as User,
} from '../../api/generated';
