import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
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
        body: queryArg.paymentIntentBody,
      }),
    }),
    confirmPayment: build.mutation<
      ConfirmPaymentApiResponse,
      ConfirmPaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/confirm-payment`,
        method: "POST",
        body: queryArg.confirmPaymentBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListEntryPackagesApiResponse = /** status 200  */ OfferView;
export type ListEntryPackagesApiArg = void;
export type CreatePaymentIntentApiResponse =
  /** status 200  */ PaymentIntentView;
export type CreatePaymentIntentApiArg = {
  paymentIntentBody: PaymentIntentBody;
};
export type ConfirmPaymentApiResponse = /** status 200  */ ConfirmedPaymentView;
export type ConfirmPaymentApiArg = {
  confirmPaymentBody: ConfirmPaymentBody;
};
export type EntryPackageView = {
  id: number;
  name: string;
  description: string;
  entries: number;
  entryCount: number;
  price: number;
  priceInCents: number;
  isPopular: boolean;
  isActive: boolean;
  sortOrder: number;
  createdAt: string;
};
export type OfferView = {
  packages: EntryPackageView[];
  showPricing: boolean;
  publishableKey?: string | null;
};
export type PaymentIntentView = {
  clientSecret: string;
  paymentIntentId: string;
  eventId: string;
};
export type PaymentIntentBody = {
  userId: number;
  amount: number;
  entriesAdded: number;
  packageId: number;
};
export type ConfirmedPaymentView = {
  eventId: string;
  entriesAdded: number;
};
export type ConfirmPaymentBody = {
  paymentIntentId: string;
  userId: number;
  packageId: number;
};
export const {
  useListEntryPackagesQuery,
  useCreatePaymentIntentMutation,
  useConfirmPaymentMutation,
} = injectedRtkApi;
