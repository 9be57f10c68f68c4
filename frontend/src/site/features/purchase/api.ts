export { useGetUserQuery, useGetUserStatsQuery } from '../../api/generated';
export {
  useConfirmPaymentMutation,
  useCreatePaymentIntentMutation,
  useListEntryPackagesQuery,
  type OfferView as Offer,
  type PackageView as Package,
} from '../../api/generatedPurchase';
