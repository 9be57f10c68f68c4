export { useGetUserStatsQuery } from '../../shared/api/generated';
export {
  useConfirmPaymentMutation,
  useCreatePaymentIntentMutation,
  useListEntryPackagesQuery,
  type OfferView as Offer,
  type PackageView as Package,
} from '../../shared/api/generatedPurchase';
