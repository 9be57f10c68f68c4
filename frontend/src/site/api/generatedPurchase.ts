import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    confirmPayment: build.mutation<
      ConfirmPaymentApiResponse,
      ConfirmPaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/confirm-payment`,
        method: "POST",
        body: queryArg.confirmPaymentBody,
        headers: {
          "X-Analytics-Session": queryArg["X-Analytics-Session"],
        },
      }),
    }),
    listEntryPackages: build.query<
      ListEntryPackagesApiResponse,
      ListEntryPackagesApiArg
    >({
      query: () => ({ url: `/api/entry-packages` }),
    }),
    createPaymentIntent: build.mutation<
      CreatePaymentIntentApiResponse,
      CreatePaymentIntentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/stripe/create-payment-intent`,
        method: "POST",
        body: queryArg.createPaymentIntentBody,
        headers: {
          "X-Analytics-Session": queryArg["X-Analytics-Session"],
        },
      }),
    }),
    getFreeEntries: build.query<
      GetFreeEntriesApiResponse,
      GetFreeEntriesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/free-entries`,
      }),
    }),
    claimFreeEntries: build.mutation<
      ClaimFreeEntriesApiResponse,
      ClaimFreeEntriesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/free-entries`,
        method: "POST",
      }),
    }),
    getOdds: build.query<GetOddsApiResponse, GetOddsApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/odds`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ConfirmPaymentApiResponse =
  /** status 200 undefined */ ConfirmedView;
export type ConfirmPaymentApiArg = {
  "X-Analytics-Session"?: string | null;
  confirmPaymentBody: ConfirmPaymentBody;
};
export type ListEntryPackagesApiResponse =
  /** status 200 undefined */ OfferView;
export type ListEntryPackagesApiArg = void;
export type CreatePaymentIntentApiResponse =
  /** status 200 undefined */ PaymentIntentView;
export type CreatePaymentIntentApiArg = {
  "X-Analytics-Session"?: string | null;
  createPaymentIntentBody: CreatePaymentIntentBody;
};
export type GetFreeEntriesApiResponse =
  /** status 200 undefined */ FreeOfferView;
export type GetFreeEntriesApiArg = {
  id: number;
};
export type ClaimFreeEntriesApiResponse =
  /** status 201 undefined */ FreeClaimView;
export type ClaimFreeEntriesApiArg = {
  id: number;
};
export type GetOddsApiResponse = /** status 200 undefined */ OddsView;
export type GetOddsApiArg = {
  id: number;
};
export type ConfirmedView = {
  entriesAdded: number;
  /** The id of the purchase for the ads pixel, which counts it once. */
  eventId: string;
};
export type ErrorView = {
  /** The same for a program. */
  code: string;
  /** A sentence for a person. */
  error: string;
  /** What is wrong with each field, for `validation` only. */
  fields?:
    | {
        [key: string]: string[];
      }
    | {
        [key: string]: string[];
      };
};
export type ConfirmPaymentBody = {
  packageId: number;
  paymentIntentId: string;
  userId: number;
};
export type PackageView = {
  createdAt: string;
  description: string;
  entries: number;
  entryCount: number;
  id: number;
  isActive: boolean;
  isPopular: boolean;
  name: string;
  /** In cents. */
  price: number;
  priceInCents: number;
  sortOrder: number;
};
export type OfferView = {
  /** The active packages, by sort order and then id. */
  packages: PackageView[];
  /** The key for the payment provider's script. Null without a provider; then nothing can be bought. */
  publishableKey: string | null;
  /** Whether packages are shown and sold. */
  showPricing: boolean;
};
export type PaymentIntentView = {
  /** For the payment provider's script in the browser. */
  clientSecret: string;
  /** The id of the purchase for the ads pixel, which counts it once. */
  eventId: string;
  paymentIntentId: string;
};
export type CreatePaymentIntentBody = {
  /** The price in cents. */
  amount: number;
  entriesAdded: number;
  packageId: number;
  userId: number;
};
export type FreeOfferView = {
  /** When the next day of the site begins. */
  againAt: string;
  /** The most bought and free entries of one entrant in a month. */
  cap: number;
  /** The entries that a claim would give now; 0 when today's are claimed, or nothing fits under the cap. */
  entries: number;
  /** Whether today's free entries are claimed. */
  isClaimed: boolean;
  /** The bought and free entries of this month, without those of payments that were only begun. */
  used: number;
};
export type FreeClaimView = {
  /** When the next day of the site begins. */
  againAt: string;
  /** How many. */
  entriesAdded: number;
};
export type OddsView = {
  /** The entrant's entries that take part in the drawing. */
  entries: number;
  /** The probability that the first drawn entry is the entrant's, from 0 to 1. */
  probability: number;
  /** All entries that take part. Those of others were counted at most a minute ago. */
  totalEntries: number;
};
export const {
  useConfirmPaymentMutation,
  useListEntryPackagesQuery,
  useCreatePaymentIntentMutation,
  useGetFreeEntriesQuery,
  useClaimFreeEntriesMutation,
  useGetOddsQuery,
} = injectedRtkApi;
