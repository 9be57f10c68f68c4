export {
  useGetUserQuery,
  useGetUserStatsQuery,
  useListReferralsQuery,
  type Referral,
  type User,
  type UserStats,
} from '../../shared/api/generated';
