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
export const {
  useConfirmPaymentMutation,
  useListEntryPackagesQuery,
  useCreatePaymentIntentMutation,
} = injectedRtkApi;
