export { useGetAppealQuery, useGetUserQuery, useGetUserStatsQuery } from '../../api/generated';
export {
  useClaimFreeEntriesMutation,
  useConfirmPaymentMutation,
  useCreatePaymentIntentMutation,
  useGetFreeEntriesQuery,
  useGetOddsQuery,
  useListEntryPackagesQuery,
  type FreeOfferView as FreeOffer,
  type OddsView as Odds,
  type OfferView as Offer,
  type PackageView as Package,
} from '../../api/generatedPurchase';
